"""A domain: what its records state, how documents put it and how questions ask for it.

Domains are data, `evals/data/domains/*.yaml`: another one is another file.
"""

from functools import cache
from typing import Literal

from pydantic import Field, model_validator

from agent.errors import SettingsError
from agent.records.record_schema import Attribute, AttributeType, Kind, Name
from agent.value import Value
from evals.builders_cli import FOLDER, domain_names

__all__ = (
    "Ask",
    "Comparison",
    "Domain",
    "Draw",
    "Facet",
    "domain_names",
    "load_domain",
)

Phrases = tuple[str, ...]


class Draw(Value):
    """How a value is drawn."""

    low: float = 0
    """Least number, or year of a date."""
    high: float = 0
    """Greatest number, or year of a date."""
    step: float = 1
    skewed: bool = False
    """Whether small numbers are likelier: even in the logarithm."""
    values: tuple[str, ...] = ()
    """What text is drawn from."""
    most: int = 1
    """Of a list attribute: how many values at most."""
    chance: float = 0.5
    """Of a boolean: how often it is true."""
    precision: Literal["day", "month", "year"] = "day"
    follows: str = ""
    """The attribute that gives a date its year."""


class Ask(Value):
    """How questions speak of an attribute; a form without phrases is not asked."""

    measure: Phrases = ()
    """`number of rooms`, behind `the average`."""
    highest: Phrases = ()
    """`has the most rooms`, behind `which hotel`."""
    lowest: Phrases = ()
    more: Phrases = ()
    """`with more than {value} rooms`, behind `hotels`; so are all that follow."""
    less: Phrases = ()
    equal: Phrases = ()
    after: Phrases = ()
    before: Phrases = ()
    is_: Phrases = Field((), alias="is")
    contains: Phrases = ()
    yes: Phrases = ()
    no: Phrases = ()
    each: str = ""
    """`city`, behind `for each`."""
    several: str = ""
    """`cities`, behind `how many different`."""


class Facet(Value):
    """An attribute with the ways to state it and to ask for it."""

    type: AttributeType
    description: str
    unit: str | None = None
    labels: tuple[str, ...]
    """How lines of fields call it."""
    many: bool = False
    unique: bool = False
    """Whether no two records share a value."""
    plain: bool = False
    """Whether numbers are written in bare digits, as years are."""
    draw: Draw
    clauses: Phrases = ()
    """Whole clauses with `{it}` and `{value}`."""
    yes_clauses: Phrases = ()
    no_clauses: Phrases = ()
    ask: Ask

    @property
    def additive(self) -> bool:
        """Whether a sum of its numbers means anything: shares and ratings do not add up."""
        return self.unit != "%" and not (self.unit or "").startswith("/")

    @model_validator(mode="after")
    def _can_be_stated(self) -> "Facet":
        stated = self.yes_clauses and self.no_clauses if self.type == "boolean" else self.clauses
        if not stated:
            raise ValueError("an attribute needs clauses that state it")
        return self


class Domain(Value):
    """One kind of thing."""

    kind: Name
    plural: str
    description: str
    also: Phrases
    """What it is called after its name was said: `the hotel`."""
    names: dict[str, tuple[str, ...]]
    """`patterns`, and the parts that they are made of; a part may be an attribute."""
    documents: int
    """How many there are unless another number is asked for; so with questions."""
    questions: int
    others: int = 6
    """Sentences of a document that state nothing of its record, unless another number is asked for.
    """
    openings: Phrases
    distractors: Phrases
    """Sentences on other things, with numbers of their own."""
    attributes: dict[Name, Facet]

    @property
    def schema_kind(self) -> Kind:
        """The kind as a schema has it, the name first."""
        name = Attribute(
            name="name", type="text", description=f"Name of the {self.kind}.", labels=("Name",)
        )
        facets = (
            Attribute(
                name=each,
                type=facet.type,
                description=facet.description,
                unit=facet.unit,
                labels=facet.labels,
                many=facet.many,
            )
            for each, facet in self.attributes.items()
        )
        return Kind(name=self.kind, description=self.description, attributes=(name, *facets))


@cache
def load_domain(name: str) -> Domain:
    """Return a domain; raise SettingsError where there is none of that name."""
    import yaml

    if name not in domain_names():
        known = ", ".join(domain_names())
        raise SettingsError(f"there is no domain {name!r}; choose one of {known}")
    text = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    return Domain.model_validate(yaml.safe_load(text))


Comparison = Literal["more", "less", "equal", "after", "before", "is", "contains", "yes", "no"]
