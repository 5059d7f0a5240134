"""A domain of invented records: what they state, how documents put it, how questions ask for it.

Domains are data, `evals/data/domains/*.yaml`: another one is another file. They are the counterpart
of the sets HOTELS and WORLD CUP of S-RAG (section 4.2); being invented, no model knows them.
"""

import datetime as dt
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
import yaml
from pydantic import Field, model_validator

from agent.records.record_schema import Attribute, AttributeType, Kind, Name
from agent.value import Value

Fact = str | int | float | bool | tuple[str, ...] | None
"""A value of one attribute, a tuple for a list attribute, None for one that is not stated."""
Phrases = tuple[str, ...]
T = TypeVar("T")
_FOLDER: Final = Path(__file__).parents[1] / "data" / "domains"
_MISSING: Final = 0.08
"""The chance that a document lacks an attribute."""
_TRIES: Final = 1000


class Draw(Value):
    """How a value is drawn."""

    low: float = 0
    """Least number, or year of a date."""
    high: float = 0
    """Greatest number, or year of a date."""
    step: float = 1
    skewed: bool = False
    """Whether small numbers are likelier: even in the logarithm."""
    values: Phrases = ()
    """What text is drawn from."""
    most: int = 1
    """Of a list attribute: how many values at most."""
    chance: float = 0.5
    """Of a boolean: how often it is true."""
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
    several: str = ""
    """`cities`, behind `how many different`."""


class Facet(Value):
    """An attribute with the ways to state it and to ask for it."""

    type: AttributeType
    description: str
    unit: str | None = None
    labels: Phrases
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

    def templates(self, fact: Fact) -> Phrases:
        """Return the clauses that state a fact."""
        if self.type == "boolean":
            return self.yes_clauses if fact else self.no_clauses
        return self.clauses

    @model_validator(mode="after")
    def _can_be_stated(self) -> "Facet":
        if not (self.templates(fact=True) and self.templates(fact=False)):
            raise ValueError("an attribute needs clauses that state it")
        return self


class Domain(Value):
    """One kind of thing."""

    kind: Name
    plural: str
    description: str
    also: Phrases
    """What it is called after its name was said: `the hotel`."""
    names: Mapping[str, Phrases]
    """`patterns`, and the parts that they are made of; a part may be an attribute."""
    documents: int
    """How many there are unless another number is asked for; so with questions."""
    questions: int
    others: int = 6
    """Sentences of a document that state nothing of its record."""
    openings: Phrases
    distractors: Phrases
    """Sentences on other things, with numbers of their own."""
    attributes: Mapping[Name, Facet]

    @property
    def record_kind(self) -> Kind:
        """The kind as a schema of records has it, the name first."""
        name = Attribute(
            name="name", type="text", description=f"Name of the {self.kind}.", labels=("Name",)
        )
        shared = {"type", "description", "unit", "labels", "many"}
        facets = (
            Attribute.model_validate({"name": each, **facet.model_dump(include=shared)})
            for each, facet in self.attributes.items()
        )
        return Kind(name=self.kind, description=self.description, attributes=(name, *facets))


def load_domain(name: str) -> Domain:
    """Return the domain of a name."""
    text = (_FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    return Domain.model_validate(yaml.safe_load(text))


@dataclass(frozen=True, slots=True)
class InventedRecord:
    """What one document states."""

    name: str
    document: str
    """The name of the document."""
    facts: Mapping[str, Fact]
    """In the attributes' units, shares as fractions, dates ISO."""


def pick(choices: Sequence[T], rng: np.random.Generator) -> T:
    """Return one of the choices."""
    return choices[int(rng.integers(len(choices)))]


def shuffled(choices: Sequence[T], rng: np.random.Generator) -> list[T]:
    """Return the choices in random order."""
    return [choices[int(at)] for at in rng.permutation(len(choices))]


def draw_records(domain: Domain, count: int, rng: np.random.Generator) -> list[InventedRecord]:
    """Draw records with different names; each but a unique attribute is left out by chance.

    There are fewer records where the domain does not yield so many names.
    """
    used: dict[str, set[Fact]] = {each: set() for each in domain.attributes}
    found: dict[str, InventedRecord] = {}
    for _ in range(_TRIES + 20 * count):
        if len(found) == count:
            break
        facts: dict[str, Fact] = {}
        for attribute, facet in domain.attributes.items():
            facts[attribute] = _fact(facet, facts, rng)
        parts = {part: pick(choices, rng) for part, choices in domain.names.items()}
        name = parts["patterns"].format_map({**facts, **parts})
        document = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
        unique = [each for each, facet in domain.attributes.items() if facet.unique]
        if document in found or any(facts[each] in used[each] for each in unique):
            continue
        for attribute in domain.attributes:
            used[attribute].add(facts[attribute])
            if attribute not in unique and rng.random() < _MISSING:
                facts[attribute] = None
        found[document] = InventedRecord(name, document, facts)
    return list(found.values())


def _fact(facet: Facet, facts: Mapping[str, Fact], rng: np.random.Generator) -> Fact:
    draw = facet.draw
    match facet.type:
        case "boolean":
            return bool(rng.random() < draw.chance)
        case "date":
            followed = facts.get(draw.follows)
            drawn = int(rng.integers(int(draw.low), int(draw.high) + 1))
            first = dt.date(followed if isinstance(followed, int) else drawn, 1, 1)
            return (first + dt.timedelta(days=int(rng.integers(365)))).isoformat()
        case "text" if facet.many:
            return tuple(shuffled(draw.values, rng)[: int(rng.integers(1, draw.most + 1))])
        case "text":
            return pick(draw.values, rng)
        case _:
            number = _number(draw, rng)
            return int(number) if facet.type == "integer" else float(number)


def _number(draw: Draw, rng: np.random.Generator) -> Decimal:
    low, step = Decimal(str(draw.low)), Decimal(str(draw.step))
    steps = int((Decimal(str(draw.high)) - low) / step)
    if not draw.skewed:
        return low + step * int(rng.integers(steps + 1))
    even = rng.uniform(math.log(draw.low), math.log(draw.high))
    return low + step * min(steps, round((math.exp(even) - draw.low) / draw.step))
