"""A question whose ambiguity is known, and what each of its readings comes to."""

from dataclasses import dataclass

from agent.taxonomy import AmbiguityCode
from evals.questions import Record

__all__ = ("Case", "Dump", "Intended", "Source", "Words")


@dataclass(frozen=True, slots=True, kw_only=True)
class Intended:
    """One reading, as the annotators put it, with its answer."""

    question: str
    """The question rewritten so that only this reading is left."""
    number: float | None = None
    """The number it comes to; of rows, how many there are."""
    names: tuple[str, ...] | None = None
    """Everything it finds, by name; None where the names are not all given."""
    rows: tuple[tuple[str, ...], ...] | None = None
    """The rows it selects from a database, each a tuple of cells; None where it is not one."""

    @property
    def answered(self) -> bool:
        """Whether its answer is known."""
        return self.number is not None


@dataclass(frozen=True, slots=True)
class Dump:
    """Asked over a database, given as SQL that builds it."""

    name: str
    sql: str


@dataclass(frozen=True, slots=True)
class Words:
    """Asked over nothing but its own words and what was said before it."""

    text: str


Source = Record | Dump | Words
"""What a question is asked over; a record names its documents itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One question."""

    id: str
    question: str
    codes: tuple[AmbiguityCode, ...]
    """What the annotators found; nothing for a control."""
    intended: tuple[Intended, ...] = ()
    source: Source

    @property
    def record(self) -> Record | None:
        """The question with its annotation, where it has one."""
        return self.source if isinstance(self.source, Record) else None

    @property
    def control(self) -> bool:
        """Whether the question is clear."""
        return not self.codes

    @property
    def idle(self) -> bool:
        """Whether its known readings, of which there are several, all have the same answer."""
        known = [each for each in self.intended if each.answered]
        numbers = {each.number for each in known}
        found = {frozenset(each.names) for each in known if each.names is not None}
        rows = {frozenset(each.rows) for each in known if each.rows is not None}
        return len(known) > 1 and max(len(numbers), len(found), len(rows)) == 1
