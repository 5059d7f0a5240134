"""Read the records of a text whose structure is visible, by the labels of a schema."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Final, cast

from agent.reasoners.rules.records.documents import OWN_NAME, name_parts, own_name, part_label
from agent.reasoners.rules.records.inherit import inherited
from agent.reasoners.rules.records.lists import list_items
from agent.reasoners.rules.records.prose import Clause, clauses_in, listed, measured, present
from agent.reasoners.rules.records.structure.entry import Entry, Statement
from agent.reasoners.rules.records.structure.frames import unit_after
from agent.reasoners.rules.records.structure.pairs import PairLine
from agent.reasoners.rules.records.structure.reader import read_entries
from agent.reasoners.rules.records.structure.running import running_text
from agent.reasoners.rules.records.structure.slots import Slot, slots_in
from agent.reasoners.rules.records.vocabulary import KindLabels, Vocabulary
from agent.records.record import Refusal
from agent.records.record_replies import CellReply, ExtractReply, RecordReply
from agent.records.record_schema import Attribute, Kind

__all__ = ("extract",)

_LONGEST_QUOTE: Final = 40
_SEVERAL: Final = 3


def extract(values: Mapping[str, object]) -> ExtractReply:
    """Return the records that a text states, values as written.

    What was refused once is not read otherwise a second time: each record asked for is empty.
    """
    refused = cast("Sequence[Refusal]", values.get("refused", ()))
    if refused:
        first = {each.record: each for each in reversed(refused)}
        return ExtractReply(
            records=[
                RecordReply(kind=each.kind, label=each.label, cells=[])
                for _, each in sorted(first.items())
            ]
        )
    text = cast("str", values["text"])
    kinds = cast("Sequence[Kind]", values["kinds"])
    name = cast("str", values["document"])
    fields = cast("Mapping[str, str]", values.get("fields", {}))
    reading = _Reading(text, Vocabulary(kinds))
    return ExtractReply(records=list(reading.records(name, fields)))


class _Reading:
    """One text read with one vocabulary."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.text = text
        self.vocabulary = vocabulary
        self.facts: dict[str, list[CellReply]] = {}

    def records(self, name: str, fields: Mapping[str, str]) -> Iterator[RecordReply]:
        """Yield one record of the document where something is known of it, and all rows.

        They come in the order of the text, the document's where its longest quote stands.
        """
        placed: list[tuple[int, RecordReply]] = []
        entries: list[tuple[int, int]] = []
        for entry in read_entries(self.text, self._labels_of):
            kind = self.vocabulary.kind_of(entry)
            if kind is None:
                continue
            entries.append((entry.start, entry.end))
            cells = list(self._cells(entry, kind))
            if kind.kind.grain == "row":
                label = entry.label or ("" if entry.form == "table" else entry.heading)
                record = RecordReply(kind=kind.kind.name, label=label, cells=cells)
                placed.append((entry.start, record))
            else:
                self.facts.setdefault(kind.kind.name, []).extend(cells)
        running = running_text(self.text, entries)
        slots = list(slots_in(running))
        placed += [each for kind in self.vocabulary.kinds for each in self._by_year(kind, slots)]
        own = [each for each in self.vocabulary.kinds if each.kind.grain == "document"]
        clauses = clauses_in(running) if own else []
        for kind in own:
            facts = self.facts.setdefault(kind.kind.name, [])
            facts += _certain(kind.kind, list(self._told(kind, slots)))
            facts += _in_clauses(kind, slots, clauses, {each.attribute for each in facts})
        known = max(own, key=lambda each: len(self.facts[each.kind.name]), default=None)
        if known is not None and self.facts[known.kind.name]:
            self.facts[known.kind.name] += self._named(known, name)
            self.facts[known.kind.name] += self._beside(known, name, fields)
            record = self._document(known.kind)
            placed = [(at, self._completed(each, known, record)) for at, each in placed]
            placed.append((self._place(record), record))
        yield from (record for _, record in sorted(placed, key=lambda each: each[0]))

    def _named(self, kind: KindLabels, document: str) -> Iterator[CellReply]:
        """Yield the document's name where its text has it, if an attribute holds that."""
        attribute = kind.known(OWN_NAME) or kind.known("name")
        span = own_name(document, self.text) if attribute is not None else None
        if attribute is not None and span is not None:
            yield _cell(attribute.name, self.text[slice(*span)], self.text[slice(*span)])

    def _completed(self, row: RecordReply, own: KindLabels, document: RecordReply) -> RecordReply:
        """Return a row with what it takes from its document."""
        kind = next(each.kind for each in self.vocabulary.kinds if each.kind.name == row.kind)
        stated = {cell.attribute: cell for cell in reversed(document.cells)}
        known = {label: attribute.name for label, attribute in own.by_label.items()}
        taken = list(inherited(kind, stated, known))
        return row.model_copy(update={"cells": [*row.cells, *taken]}) if taken else row

    def _place(self, record: RecordReply) -> int:
        return self.text.find(max((cell.quote for cell in record.cells), key=len))

    def _by_year(
        self, kind: KindLabels, slots: Sequence[Slot]
    ) -> Iterator[tuple[int, RecordReply]]:
        """Yield a record for each year of which running text states something."""
        if kind.period is None:
            return
        years: dict[str, list[Slot]] = {}
        for slot in slots:
            if slot.period is not None and kind.called(slot) is not None:
                years.setdefault(self.text[slice(*slot.period)], []).append(slot)
        for year, found in years.items():
            cells = [_cell(kind.period.name, year, year), *self._told(kind, found)]
            start = min(slot.period[0] for slot in found if slot.period is not None)
            yield start, RecordReply(kind=kind.kind.name, label=year, cells=cells)

    def _told(self, kind: KindLabels, slots: Sequence[Slot]) -> Iterator[CellReply]:
        """Yield what running text states."""
        for slot in slots:
            found = kind.called(slot)
            if found is not None:
                attribute, start, end = found
                number = attribute.type in {"integer", "number"}
                unit = unit_after(slot.after) if number else ""
                end = max(end, slot.after[unit.count(" ")].end) if unit else end
                yield CellReply(
                    attribute=attribute.name,
                    value=slot.value,
                    unit=unit or None,
                    quote=self.text[start:end],
                )

    def _beside(
        self, kind: KindLabels, document: str, fields: Mapping[str, str]
    ) -> Iterator[CellReply]:
        """Yield what a document's fields and its name's parts state; nothing in the text says so.

        Of a list that the text states, a field has the same items once more.
        """
        stated = {each.attribute for each in self.facts[kind.kind.name]}
        for key, value in fields.items():
            attribute = kind.known(key)
            if attribute is not None and not (attribute.many and attribute.name in stated):
                yield from (_cell(attribute.name, each, "") for each in _values(attribute, value))
        parts = name_parts(document)
        for number, part in enumerate(parts, 1):
            attribute = kind.known(part_label(number, len(parts)))
            if attribute is not None:
                yield _cell(attribute.name, part, "")

    def _labels_of(self, line: PairLine) -> Callable[[str], bool]:
        return self.vocabulary.labels(line.head).__contains__

    def _document(self, kind: Kind) -> RecordReply:
        """Return the document's record: of an attribute of one value the first one stated."""
        single = {each.name for each in kind.attributes if not each.many}
        cells: list[CellReply] = []
        seen: set[str] = set()
        for cell in self.facts[kind.name]:
            if cell.attribute not in seen:
                cells.append(cell)
            seen |= {cell.attribute} & single
        return RecordReply(kind=kind.name, label="", cells=cells)

    def _cells(self, entry: Entry, kind: KindLabels) -> Iterator[CellReply]:
        called = entry.label or entry.heading
        if kind.own_name is not None and called:
            yield _cell(kind.own_name.name, called, called)
        for statement in entry.statements:
            attribute = kind.known(statement.label)
            if attribute is not None and statement.value:
                yield from self._stated(entry, statement, attribute)

    def _stated(
        self, entry: Entry, statement: Statement, attribute: Attribute
    ) -> Iterator[CellReply]:
        quote = self._quote(entry, statement)
        for item in _values(attribute, statement.value):
            yield _cell(attribute.name, item, quote)

    def _quote(self, entry: Entry, statement: Statement) -> str:
        """Return the words that state a value; of a table's row all words up to it."""
        start = entry.start if entry.form == "table" else statement.start
        quote = self.text[start : statement.end]
        if len(quote) < 4 * _LONGEST_QUOTE or quote.count(" ") < _LONGEST_QUOTE:
            return quote
        return statement.value if entry.form == "table" else quote


def _certain(kind: Kind, told: Sequence[CellReply]) -> Iterator[CellReply]:
    """Yield what running text states, without numbers of which it states three or more.

    Then the words beside them call unlike things, and none is known to be the attribute.
    """
    numbers = {each.name for each in kind.attributes if each.type in {"integer", "number"}}
    stated = Counter(name for name, _ in {(each.attribute, each.value) for each in told})
    yield from (
        each for each in told if each.attribute not in numbers or stated[each.attribute] < _SEVERAL
    )


def _in_clauses(
    kind: KindLabels, slots: Sequence[Slot], clauses: Sequence[Clause], known: Container[str]
) -> Iterator[CellReply]:
    """Yield what clauses state of attributes of which nothing is known yet."""
    left = [each for each in kind.kind.attributes if each.name not in known]
    for attribute in left:
        if attribute.type == "boolean":
            yield from present(attribute, clauses)
        elif attribute.many and attribute.type == "text":
            yield from listed(attribute, clauses)
    starts = [each.start for each in clauses]
    for slot in slots:
        at = bisect_right(starts, slot.start) - 1
        if at < 0 or slot.end > starts[at] + len(clauses[at].text) or kind.called(slot) is not None:
            continue
        measure = measured(slot, clauses[at], left)
        if measure is not None:
            unit = unit_after(slot.after) or None
            quote = clauses[at].text
            yield CellReply(attribute=measure.name, value=slot.value, unit=unit, quote=quote)


def _values(attribute: Attribute, written: str) -> list[str]:
    """Return the values that words state of an attribute: of a list each item."""
    return list_items(written) if attribute.many else [written] if written else []


def _cell(attribute: str, value: str, quote: str) -> CellReply:
    return CellReply(attribute=attribute, value=value, unit=None, quote=quote)
