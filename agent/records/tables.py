"""What is known of the tables of records without reading them: schema, column statistics."""

from collections.abc import Sequence
from typing import Protocol

from agent.records.record import CellValue
from agent.records.schema import Schema
from agent.value import Value

__all__ = ("ColumnFacts", "FoundValue", "TableFacts", "Tables")


class ColumnFacts(Value):
    """Statistics of one column (S-RAG, appendix D)."""

    attribute: str
    filled: int
    """Rows (for a list attribute: values) that are not null."""
    nonzero: int | None = None
    """How many of them are neither zero, empty nor false; None where that was not counted."""
    distinct: int
    """Different values."""
    mean: float | None = None
    """Of numbers in one unit only, as are least and most; dates have least and most too."""
    least: CellValue = None
    most: CellValue = None
    values: tuple[tuple[CellValue, int], ...] = ()
    """The most frequent values with their rows, at most 50, for text and booleans."""
    units: tuple[tuple[str, int], ...] = ()
    """Of numbers for which the schema names no unit: the units they are written in with how many
    values, the most frequent first, empty for none; () where no value has one."""


class TableFacts(Value):
    """Statistics of one kind's table."""

    kind: str
    rows: int
    documents: int
    """From how many documents the rows come."""
    columns: tuple[ColumnFacts, ...]

    def column(self, attribute: str) -> ColumnFacts | None:
        """Return the statistics of a column."""
        return next((each for each in self.columns if each.attribute == attribute), None)


class FoundValue(Value):
    """A value that a column holds."""

    kind: str
    attribute: str
    value: CellValue
    rows: int


class Tables(Protocol):
    """The tables as a reasoner may know them."""

    @property
    def schema(self) -> Schema:
        """Kinds, attributes and links, inferred links among them."""
        ...

    @property
    def facts(self) -> Sequence[TableFacts]:
        """Statistics, one for each kind."""
        ...

    def find(self, text: str, limit: int = 20) -> Sequence[FoundValue]:
        """Return the text values equal without case, then without accents, then containing it."""
        ...
