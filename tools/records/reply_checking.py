"""From replies to a document's records: every value placed in the text and brought to its type.

What cannot be is refused. A quote is looked for between its record's label and the next, since a
table says `is 1` in many rows. Records of several parts of a document are put together.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from typing import Final

from agent.records.record import Cell, Record, Refusal, Span
from agent.records.record_replies import CellReply, ExtractReply, RecordReply, UnfitReply
from agent.records.record_schema import Attribute, Kind
from agent.value import counted
from tools.quotes import locate
from tools.records.record_values import Unreadable, is_absent, normalise, same_cell

_LONGEST_SEARCH: Final = 100_000
"""Characters in which a quote is looked for that does not stand there to the letter."""
_NOT_THERE: Final = "these words do not stand in the text as quoted"
_NO_QUOTE: Final = "it has no quote, and neither the document's name nor its fields say it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A part of a document to be read."""

    document: str
    number: int
    """The document's place in the corpus."""
    text: str
    part: Span
    kinds: tuple[Kind, ...]
    all_kinds: bool = True
    """Whether rows of no kind are to be told."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """What is known of the document beside the text, and above the part."""
    by: str = ""

    @property
    def whole(self) -> bool:
        """Whether the part is all of the document."""
        return self.part == (0, len(self.text))

    def kind(self, name: str) -> Kind | None:
        """Return the kind of that name."""
        return next((each for each in self.kinds if each.name == name), None)

    def window(self, kind: Kind, span: Span) -> Span:
        """Return where a record's quotes are sought: a row's in its own span, else in the part."""
        return span if kind.grain == "row" else self.part

    def says(self, words: str) -> bool:
        """Tell whether the document's name or fields say these words, as whole ones."""
        wanted = " ".join(words.casefold().split())
        told = (" ".join(e.casefold().split()) for e in (self.document, *self.fields.values()))
        return bool(wanted) and any(_find_words(wanted, e, 0, len(e)) is not None for e in told)

    def shows(self, heading: str) -> bool:
        """Tell whether a heading stands in the part that was read, or above it."""
        return self.says(heading) or (bool(heading) and heading in self.text[slice(*self.part)])


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedReply:
    """What a reply brought."""

    records: Mapping[int, Record]
    """By their number in the reply, from 1."""
    refusals: tuple[Refusal, ...] = ()
    """Values that could not be taken; their records lack them."""
    notes: tuple[str, ...] = ()
    """What else could not be used, each named."""
    unfit: tuple[UnfitReply, ...] = ()
    """Rows of no kind, whose heading stands in the text or above it."""


def _checked(
    number: int, told: RecordReply, kind: Kind, task: Task, window: Span
) -> Iterator[Cell | Refusal | str]:
    """Yield the values of a record, of one value the first that could be taken; refusals; notes."""
    first: dict[str, Cell] = {}
    for each in told.cells:
        attribute = kind.attribute(each.attribute)
        if attribute is None:
            name = f"{kind.name}.{each.attribute}"
            yield f"a value of {name!r}, which the schema does not have"
            continue
        found = _cell(each, attribute, task, window) if each.value.strip() else None
        if isinstance(found, str):
            given = each.model_dump(include={"attribute", "value", "quote"})
            of = {"record": number, "kind": kind.name, "label": told.label, "reason": found}
            yield Refusal.model_validate(given | of)
        elif found is not None:
            before = first.setdefault(attribute.name, found)
            if before is found or attribute.many:
                yield found
            elif not same_cell(before, found, attribute):
                yield (
                    f"{kind.name}.{attribute.name}: {before.original!r} is kept, "
                    f"{found.original!r} is also stated"
                )


def _span(cells: Sequence[Cell], kind: Kind, task: Task, window: Span) -> Span:
    """Return where a record stands: a row's own window, as far as its values reach."""
    if kind.grain == "document":
        return 0, len(task.text)
    starts = [each.start for each in cells if each.start is not None]
    ends = [each.end for each in cells if each.end is not None]
    return min(window[0], *starts, window[0]), max(ends, default=window[1])


def _cell(told: CellReply, attribute: Attribute, task: Task, window: Span) -> Cell | str:
    span = place_quote(told.quote, task.text, window, task.part)
    quoted = told.quote.strip()
    if not span and not task.says(quoted or told.value):
        return _NOT_THERE if quoted else _NO_QUOTE
    value, unit, reason = None, told.unit, ""
    try:
        value, unit = normalise(told.value, attribute, told.unit)
    except Unreadable as error:
        reason = str(error)
        if not is_absent(" ".join(told.value.split()), attribute):
            return reason
    start, end = span or (None, None)
    return Cell(
        attribute=attribute.name, value=value, original=told.value, unit=unit,
        quote=task.text[start:end] if span else "", start=start, end=end, reason=reason,
    )  # fmt: skip


_SHOWN: Final = 4


def windows(records: Sequence[RecordReply], text: str, start: int, end: int) -> list[Span]:
    """Return, for each record of a reply, the span of the text that is likely its own.

    It begins at the record's label, or else at its longest quote, and ends where the next begins.
    """
    begins: list[int] = []
    cursor = start
    for record in records:
        found = _begin(record, text, cursor, end)
        begins.append(cursor if found is None else found)
        cursor = begins[-1] + (found is not None)
    ends = [max(first, second) for first, second in pairwise([*begins, end])]
    return list(zip(begins, ends, strict=True))


def _begin(record: RecordReply, text: str, start: int, end: int) -> int | None:
    quotes = sorted((each.quote for each in record.cells), key=len, reverse=True)
    anchors = [each for each in (record.label, *quotes[:1]) if each.strip()]
    found = (_find_words(each, text, start, end) for each in anchors)
    return next((each for each in found if each is not None), None)


def place_quote(quote: str, text: str, window: Span, part: Span) -> Span | None:
    """Return the span of a quote: in its record's window, else anywhere in the part, else None."""
    bare = quote.strip()
    if not bare:
        return None
    tried = dict.fromkeys((window, part))
    for first, last in tried:
        if (found := _find_words(bare, text, first, last)) is not None:
            return found, found + len(bare)
    for first, last in tried:
        span = locate(bare, text[first:last]) if last - first <= _LONGEST_SEARCH else None
        if span is not None:
            return first + span[0], first + span[1]
    return None


def _find_words(words: str, text: str, start: int, end: int) -> int | None:
    """Return where the words first stand to the letter, not within longer words or numbers."""
    found = text.find(words, start, end)
    while found >= 0:
        last = found + len(words)
        if not (_runs_on(text, found) or _runs_on(text, last)):
            return found
        found = text.find(words, found + 1, end)
    return None


def _runs_on(text: str, place: int) -> bool:
    """Tell whether a word or number goes on across a place."""
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def check_reply(reply: ExtractReply, task: Task) -> CheckedReply:
    """Check a reply value by value."""
    spans = windows(reply.records, task.text, *task.part)
    records: dict[int, Record] = {}
    refusals: list[Refusal] = []
    notes: list[str] = []
    for number, (told, span) in enumerate(zip(reply.records, spans, strict=True), start=1):
        kind = task.kind(told.kind)
        if kind is None:
            notes.append(f"a record of kind {told.kind!r}, which the schema does not have")
            continue
        window = task.window(kind, span)
        brought = list(_checked(number, told, kind, task, window))
        cells = tuple(each for each in brought if isinstance(each, Cell))
        start, end = _span(cells, kind, task, window)
        records[number] = Record(
            kind=kind.name, document=task.document, label=told.label, start=start, end=end,
            cells=cells, by=task.by,
        )  # fmt: skip
        refusals += [each for each in brought if isinstance(each, Refusal)]
        notes += [each for each in brought if isinstance(each, str)]
    bare = (each.model_copy(update={"heading": each.heading.strip("#*_ \n")})
            for each in reply.unfit)  # fmt: skip
    unfit = tuple(each for each in bare if each.rows > 0 and task.shows(each.heading))
    return CheckedReply(records=records, refusals=tuple(refusals), notes=tuple(notes), unfit=unfit)


def corrected(checked: CheckedReply, reply: ExtractReply, task: Task) -> CheckedReply:
    """Take, in the order asked for, the refused values of a reply as a second one gives them."""
    records = dict(checked.records)
    left: list[Refusal] = []
    replied = iter(reply.records)
    for number, refused in groupby(checked.refusals, key=lambda each: each.record):
        asked = list(refused)
        names = {each.attribute for each in asked}
        told = next(replied, RecordReply(kind="", label="", cells=[]))
        cells = [each for each in told.cells if each.attribute in names]
        record, kind = records[number], task.kind(records[number].kind)
        if kind is not None:
            again = RecordReply(kind=kind.name, label=record.label, cells=cells)
            window = task.window(kind, (record.start, record.end))
            brought = _checked(number, again, kind, task, window)
            cells_now = [each for each in brought if isinstance(each, Cell)]
            records[number] = record.model_copy(update={"cells": (*record.cells, *cells_now)})
            names -= {each.attribute for each in cells_now}
        left += [each for each in asked if each.attribute in names]
    return replace(checked, records=records, refusals=tuple(left))


def settle(checked_reply: CheckedReply) -> tuple[Record, ...]:
    """Return the records in order; what stayed refused is null, with the reason."""
    records = dict(checked_reply.records)
    for refusal in checked_reply.refusals:
        record = records[refusal.record]
        told = {"attribute": refusal.attribute, "value": None, "original": refusal.value}
        null = Cell.model_validate({**told, "reason": refusal.reason})
        records[refusal.record] = record.model_copy(update={"cells": (*record.cells, null)})
    return tuple(records[number] for number in sorted(records))


def put_together(
    kinds: Sequence[Kind], parts: Sequence[Sequence[Record]]
) -> tuple[tuple[Record, ...], tuple[str, ...]]:
    """Return the records of a document and, in words, where its parts contradict one another.

    A document is at most one record of a kind of documents, the one of which most is stated. Of an
    attribute with one value the first of those stated most often is kept. A row that goes on in the
    next part under its label is one record.
    """
    single = {kind.name: kind for kind in kinds if kind.grain == "document"}
    rows = _joined([[each for each in part if each.kind not in single] for part in parts], kinds)
    whole, notes = _whole([each for part in parts for each in part if each.kind in single], single)
    return (*whole, *rows), notes


def _joined(parts: Sequence[Sequence[Record]], kinds: Sequence[Kind]) -> list[Record]:
    """Return the rows of all parts; one cut by a border is joined again."""
    named = {kind.name: kind for kind in kinds}
    joined: list[Record] = []
    for part in parts:
        if joined and part and _goes_on(joined[-1], part[0], named[part[0].kind]):
            cells = (*joined[-1].cells, *part[0].cells)
            joined[-1] = joined[-1].model_copy(update={"cells": cells, "end": part[0].end})
            joined += part[1:]
        else:
            joined += part
    return joined


def _goes_on(before: Record, after: Record, kind: Kind) -> bool:
    if (before.kind, before.label) != (after.kind, after.label) or not after.label:
        return False
    once = {each.name for each in kind.attributes if not each.many}
    have = {each.attribute for each in before.cells}
    return not any(each.attribute in once and each.attribute in have for each in after.cells)


def _whole(
    records: Sequence[Record], kinds: dict[str, Kind]
) -> tuple[list[Record], tuple[str, ...]]:
    """Return the document's one record, if any, and the contradictions."""
    stated = Counter[str]()
    for record in records:
        stated[record.kind] += sum(cell.value is not None for cell in record.cells)
    if not stated:
        return [], ()
    best = max(stated, key=lambda name: stated[name])
    own = [each for each in records if each.kind == best]
    notes = [
        f"it reads as a {best}; what it states as a {name} ({counted(count, 'value')}) is left out"
        for name, count in stated.items()
        if name != best and count
    ]
    cells: list[Cell] = []
    for attribute in kinds[best].attributes:
        given = [each for one in own for each in one.cells if each.attribute == attribute.name]
        kept, told = _agreed(given, attribute)
        cells += kept
        notes += [f"{best}.{attribute.name}: {told}"] if told else []
    label = next((each.label for each in own if each.label), "")
    return [own[0].model_copy(update={"cells": tuple(cells), "label": label})], tuple(notes)


def _agreed(cells: Sequence[Cell], attribute: Attribute) -> tuple[list[Cell], str]:
    """Return the values to keep, and what contradicts."""
    groups: list[list[Cell]] = []
    for cell in cells:
        if cell.value is None:
            continue
        same = (each for each in groups if same_cell(each[0], cell, attribute))
        if (group := next(same, None)) is None:
            groups.append(group := [])
        group.append(cell)
    if not groups:
        return list(cells[:1]), ""
    if attribute.many:
        return [each[0] for each in groups], ""
    groups.sort(key=len, reverse=True)
    others = ", ".join(repr(each[0].original) for each in groups[1 : 1 + _SHOWN])
    told = f"{groups[0][0].original!r} is kept, also stated: {others}" if others else ""
    return [groups[0][0]], told


def missing(kind: Kind, records: Iterable[Record]) -> tuple[Attribute, ...]:
    """Return the attributes of a kind for which no value was found yet."""
    own = (cell for record in records if record.kind == kind.name for cell in record.cells)
    have = {cell.attribute for cell in own if cell.value is not None}
    return tuple(each for each in kind.attributes if each.name not in have)
