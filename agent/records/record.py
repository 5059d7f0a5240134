"""A record: one thing's attributes as one document states them, each with the words that say so."""

from agent.value import Value

__all__ = ("Cell", "CellValue", "Record")

CellValue = str | int | float | bool | None


class Cell(Value):
    """One value of one attribute; a list attribute has several cells in one record."""

    attribute: str
    value: CellValue
    """Normalised to the attribute's type and unit: dates ISO, percentages as fractions; None where
    the document states none or what it states could not be normalised."""
    original: str = ""
    """As the document writes it: `1.2M`."""
    unit: str | None = None
    """The unit as written."""
    quote: str = ""
    """The words that state it; empty for a fact of the file, as its name."""
    start: int | None = None
    """Character offset of the quote in the document's text: `text[start:end] == quote`."""
    end: int | None = None
    reason: str = ""
    """Why there is no value; empty where there is one."""


class Record(Value):
    """One row of a kind's table."""

    kind: str
    document: str
    """The document's name."""
    label: str = ""
    """What the document calls it: `Ship record 2`; empty where it has no name of its own."""
    start: int = 0
    """Where the record's text begins in the document."""
    end: int = 0
    cells: tuple[Cell, ...] = ()
    by: str = ""
    """Who read it: a model's name, `rules`."""
