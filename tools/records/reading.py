"""From a reply to records: every value placed in the text, brought to its type, or refused."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Final

from agent.records.record import Cell, Record, Refusal
from agent.records.record_replies import CellReply, ExtractReply, RecordReply
from agent.records.record_schema import Attribute, Kind
from tools.records.places import Window, place_quote, windows
from tools.records.sameness import same_cell
from tools.records.values import is_absent, normalise

__all__ = ("Reading", "Source", "mend", "read", "settle")

_NOT_THERE: Final = "these words do not stand in the text as quoted"
_NO_QUOTE: Final = "it has no quote, and neither the document's name nor its fields say it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What was read: a document, or a part of it."""

    document: str
    text: str
    """The whole document's text."""
    part: Window
    """The span that was read."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """What is known of the document beside the text."""
    by: str = ""
    """Who read it."""

    def says(self, value: str) -> bool:
        """Tell whether the document's name or fields say a value."""
        wanted = " ".join(value.casefold().split())
        told = (self.document, *self.fields.values())
        return bool(wanted) and any(wanted in " ".join(each.casefold().split()) for each in told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a reply brought."""

    records: Mapping[int, Record]
    """By their number in the reply, from 1."""
    refusals: tuple[Refusal, ...] = ()
    """Values that could not be taken; their records lack them."""
    notes: tuple[str, ...] = ()
    """What else could not be used, each named."""


def read(reply: ExtractReply, kinds: Sequence[Kind], source: Source) -> Reading:
    """Check a reply value by value."""
    named = {kind.name: kind for kind in kinds}
    spans = windows(reply.records, source.text, *source.part)
    records: dict[int, Record] = {}
    refusals: list[Refusal] = []
    notes: list[str] = []
    for number, (told, window) in enumerate(zip(reply.records, spans, strict=True), start=1):
        kind = named.get(told.kind)
        if kind is None:
            notes.append(f"a record of kind {told.kind!r}, which the schema does not have")
            continue
        own = window if kind.grain == "row" else source.part
        checked = _Record(number, told, kind, source, own)
        records[number] = checked.record()
        refusals += checked.refusals
        notes += checked.notes
    return Reading(records=records, refusals=tuple(refusals), notes=tuple(notes))


def mend(reading: Reading, reply: ExtractReply, kinds: Sequence[Kind], source: Source) -> Reading:
    """Put the corrected values of a second reply in the records' places.

    Only values that had been refused are taken, in the order in which they were asked for.
    """
    named = {kind.name: kind for kind in kinds}
    records = dict(reading.records)
    left: list[Refusal] = []
    wanted = groupby(reading.refusals, key=lambda each: each.record)
    told = iter(reply.records)
    for number, refused in wanted:
        asked = list(refused)
        names = {each.attribute for each in asked}
        given = next(told, RecordReply(kind="", label="", cells=[]))
        cells = [each for each in given.cells if each.attribute in names]
        record, kind = records[number], named[records[number].kind]
        corrected = RecordReply(kind=kind.name, label=record.label, cells=cells)
        window = (record.start, record.end) if kind.grain == "row" else source.part
        checked = _Record(number, corrected, kind, source, window)
        better = checked.record().cells
        have = {each.attribute for each in better}
        records[number] = record.model_copy(update={"cells": (*record.cells, *better)})
        left += [each for each in asked if each.attribute not in have]
    return replace(reading, records=records, refusals=tuple(left))


def settle(reading: Reading) -> tuple[Record, ...]:
    """Return the records in order; what stayed refused is null, with the reason."""
    records = dict(reading.records)
    for refusal in reading.refusals:
        record = records[refusal.record]
        cell = Cell(attribute=refusal.attribute, value=None, original=refusal.value)
        null = cell.model_copy(update={"reason": refusal.reason})
        records[refusal.record] = record.model_copy(update={"cells": (*record.cells, null)})
    return tuple(records[number] for number in sorted(records))


class _Record:
    """One record of a reply, being checked."""

    def __init__(
        self, number: int, told: RecordReply, kind: Kind, source: Source, window: Window
    ) -> None:
        self._number, self._told, self._kind = number, told, kind
        self._source, self._window = source, window
        self.refusals: list[Refusal] = []
        self.notes: list[str] = []

    def record(self) -> Record:
        """Return the record with the values that could be taken."""
        cells = tuple(self._single(list(self._cells())))
        start, end = self._span(cells)
        return Record(
            kind=self._kind.name,
            document=self._source.document,
            label=self._told.label,
            start=start,
            end=end,
            cells=cells,
            by=self._source.by,
        )

    def _span(self, cells: Sequence[Cell]) -> Window:
        """Return where the record stands: a row's own window, as far as its values reach."""
        if self._kind.grain == "document":
            return 0, len(self._source.text)
        starts = [each.start for each in cells if each.start is not None]
        ends = [each.end for each in cells if each.end is not None]
        first, last = self._window
        return min(first, *starts, first), max(ends, default=last)

    def _cells(self) -> Iterator[Cell]:
        for told in self._told.cells:
            attribute = self._kind.attribute(told.attribute)
            if attribute is None:
                name = f"{self._kind.name}.{told.attribute}"
                self.notes.append(f"a value of {name!r}, which the schema does not have")
            elif told.value.strip():
                cell = self._cell(told, attribute)
                if cell is not None:
                    yield cell

    def _cell(self, told: CellReply, attribute: Attribute) -> Cell | None:
        """Return the value with its place, or None having refused it."""
        span = place_quote(told.quote, self._source.text, self._window, self._source.part)
        found = normalise(told.value, attribute, told.unit)
        reason = "" if span else self._unproven(told)
        if not reason and not is_absent(" ".join(told.value.split()), attribute):
            reason = found.reason
        if reason:
            self._refuse(told, reason)
            return None
        start, end = span or (None, None)
        return Cell(
            attribute=attribute.name,
            value=found.value,
            original=found.original,
            unit=found.unit,
            quote=self._source.text[start:end] if span else "",
            start=start,
            end=end,
            reason=found.reason,
        )

    def _unproven(self, told: CellReply) -> str:
        """Return why a value without a place in the text cannot be taken; empty where it can."""
        if told.quote.strip():
            return _NOT_THERE
        return "" if self._source.says(told.value) else _NO_QUOTE

    def _refuse(self, told: CellReply, reason: str) -> None:
        self.refusals.append(
            Refusal(
                record=self._number,
                kind=self._kind.name,
                label=self._told.label,
                attribute=told.attribute,
                value=told.value,
                quote=told.quote,
                reason=reason,
            )
        )

    def _single(self, cells: Sequence[Cell]) -> Iterator[Cell]:
        """Yield one value of each attribute, the first, and all of one that has many."""
        first: dict[str, Cell] = {}
        for cell in cells:
            attribute = self._kind.attribute(cell.attribute)
            before = first.setdefault(cell.attribute, cell)
            if before is cell or (attribute is not None and attribute.many):
                yield cell
            elif attribute is not None and not same_cell(before, cell, attribute):
                self.notes.append(
                    f"{self._kind.name}.{cell.attribute}: {before.original!r} is kept, "
                    f"{cell.original!r} is also stated"
                )
