"""Evidence: passages as they are shown, findings with verified quotes, entities."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from agent.value import Value

Judgement = Literal["yes", "borderline", "no"]
"""What a person says of a passage."""
_FEW = 3
Certainty = Literal["certain", "borderline"]
"""Whether careful readers would agree; what is borderline counts, but not for the lower bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A chunk as it is shown to a reasoner."""

    chunk: int
    """The chunk's id in the corpus."""
    document: str
    title: str
    start: int
    """Character offset of `text` in the document."""
    text: str
    headings: tuple[str, ...] = ()
    """Path of the headings above it."""
    before: str = ""
    """The last words of the chunk before, as far as they are not in `text`."""
    after: str = ""
    """The first words of the chunk after, where this one ends in mid-sentence."""


class Finding(Value):
    """One verified piece of evidence: this quote makes this condition true of this entity."""

    chunk: int
    document: str
    condition: str
    """The condition's id; empty where the question has no condition."""
    entity: str
    """The entity as named by the reasoner; the document's name where documents are counted."""
    start: int
    """Character offset of the quote in the document's text."""
    end: int
    quote: str
    """`text[start:end] == quote`, always."""
    value: float | None = None
    """The measured number, for numeric operations."""
    unit: str | None = None
    certainty: Certainty = "certain"
    by: str = ""
    """Who judged it: a model's name, or for code `metadata` (a field) or `words` (a literal
    mention)."""

    @property
    def by_code(self) -> bool:
        """Whether code decided it, not a reader."""
        return self.by in {"metadata", "words"}


class Evidence(Value):
    """A quote as an answer shows it."""

    document: str
    start: int
    end: int
    quote: str
    condition: str
    page: int | None = Field(default=None, exclude_if=lambda page: page is None)
    """On which it begins, from 1; where the document has no pages, the JSON has no such key."""

    @property
    def place(self) -> str:
        """Where it stands in its document, in words."""
        page = f"page {self.page}, " if self.page else ""
        return f"{page}characters {self.start} to {self.end}"

    @classmethod
    def of(cls, finding: Finding, condition: str) -> "Evidence":
        """Return a finding's quote as proof of a condition, by its id or in words."""
        place = finding.model_dump(include={"document", "start", "end", "quote"})
        return cls(**place, condition=condition)


class Entity(Value):
    """One item of an answer."""

    name: str
    aliases: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    value: float | int | str | None = None
    unit: str | None = Field(default=None, exclude_if=lambda unit: unit is None)
    """Of `value` in a ranking, whose own number is a count; else the answer's unit is that of its
    items, and the JSON has no such key here."""
    evidence: tuple[Evidence, ...] = ()
    shown: Mapping[str, tuple[str, ...]] = Field(default={}, exclude_if=lambda shown: not shown)
    """By metadata field, the values that the question wants beside the item; where it wants none,
    the JSON has no such key."""

    @property
    def shortened(self) -> "Entity":
        """The item with its first quote alone."""
        return self.model_copy(update={"evidence": self.evidence[:1]})

    @property
    def kept(self) -> "Entity":
        """The item with the place of its first quote, and few of its names and documents."""
        places = tuple(each.model_copy(update={"quote": ""}) for each in self.evidence[:1])
        names = {"aliases": self.aliases[:_FEW], "documents": self.documents[:_FEW]}
        return self.model_copy(update={"evidence": places, "shown": {}, **names})
