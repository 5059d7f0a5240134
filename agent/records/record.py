"""Records (S-RAG, 3.2.2): what a document states of one thing, with quotes; filling the tables."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from agent.cost import Cost
from agent.evidence import Evidence
from agent.records.record_schema import CellValue
from agent.value import Value

Span = tuple[int, int]
REMARK: Final = "?"
"""Stands for the attribute where something is only to be told, as that two parts contradict one
another: it is no reason to read the document again."""


class Cell(Value):
    """One value of one attribute; a list attribute has several cells in one record."""

    attribute: str
    value: CellValue
    """Normalised to the attribute's type and unit: dates ISO, percentages as fractions; None where
    the document states none or what it states could not be normalised."""
    original: str = ""
    """As the document writes it: `1.2M`."""
    unit: str | None = None
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
    label: str = ""
    """What the document calls it: `Ship record 2`; empty where it has no name of its own."""
    start: int = 0
    """Where the record's text begins in the document."""
    end: int = 0
    cells: tuple[Cell, ...] = ()
    by: str = ""

    @property
    def quoted(self) -> tuple[tuple[Cell, Evidence], ...]:
        """The cells that have a quote, each with that as evidence of its attribute."""
        placed = ((each, each.start, each.quote) for each in self.cells if each.quote)
        return tuple(
            (each, Evidence(document=self.document, start=start, end=start + len(quote),
                            quote=quote, condition=each.attribute))
            for each, start, quote in placed
            if start is not None
        )  # fmt: skip


class Extract(Value):
    """A part of a document's text."""

    text: str
    start: int = 0


class SampleDocument(Value):
    """A document, whole or in parts."""

    name: str
    fields: Mapping[str, str] = {}
    """What is known of it beside the text, as written: header fields, file name."""
    extracts: tuple[Extract, ...]
    """Its text: one part where it is whole; else parts from all over it, in order."""

    @property
    def text(self) -> str:
        """The parts, one after the other."""
        return "\n".join(each.text for each in self.extracts)


class Refusal(Value):
    """One value of one record of a reply, and why it was refused."""

    record: int
    """The record's number in the reply, from 1."""
    kind: str
    label: str = ""
    attribute: str
    value: str
    quote: str = ""
    reason: str


class RecordsPlace(Value):
    """Records made for one question, apart from those of the corpus."""

    path: Path
    documents: tuple[str, ...]


class Failure(Value):
    """A document, a part of it or a value in it that could not be read or taken."""

    document: str
    reason: str
    kind: str = ""
    """Of which kind a record was sought; empty for all."""
    attribute: str = ""
    """Which value could not be read; empty for the whole record."""
    original: str = ""
    """The value as written, or the heading of rows that are of no kind."""
    rows: int = 0
    """How many rows are of no kind; 0 for all else."""
    start: int | None = None
    """Where the part begins that could not be read; None for the whole document."""
    end: int | None = None


class Filled(Value):
    """How far a filling came."""

    documents: int = 0
    current: int = 0
    """Those that had been read before and did not change."""
    read: int = 0
    forgotten: int = 0
    """Removed, since the corpus does not have them any more."""
    left: int = 0
    records: int = 0
    refused: int = 0
    unfit: int = 0
    """Rows of tables and lists that are of no kind: they are in no table."""
    failed: tuple[str, ...] = ()
    """Documents of which something could not be read at all."""
    stopped: str = ""
    cost: Cost = Cost()
