"""The records of a document's parts put together; what they state differently is named."""

from collections.abc import Iterable, Sequence
from typing import Final

from agent.counted import counted
from agent.records.record import Cell, Record
from agent.records.record_schema import Attribute, Kind
from tools.records.sameness import same_cell

__all__ = ("missing", "put_together")

_SHOWN: Final = 4


def put_together(
    kinds: Sequence[Kind], parts: Sequence[Sequence[Record]]
) -> tuple[tuple[Record, ...], tuple[str, ...]]:
    """Return the records of a document and, in words, where its parts contradict one another.

    A document is at most one record of the kinds of which each document is one: of that kind of
    which most is stated. Of an attribute with one value the value stated most often is kept, the
    first of several. A row that goes on in the next part under its label is one record.
    """
    single = {kind.name: kind for kind in kinds if kind.grain == "document"}
    rows = _joined([[each for each in part if each.kind not in single] for part in parts], kinds)
    whole, notes = _whole([each for part in parts for each in part if each.kind in single], single)
    return (*whole, *rows), notes


def missing(kind: Kind, records: Iterable[Record]) -> tuple[Attribute, ...]:
    """Return the attributes of a kind for which no value was found yet."""
    have = {
        cell.attribute
        for record in records
        if record.kind == kind.name
        for cell in record.cells
        if cell.value is not None
    }
    return tuple(each for each in kind.attributes if each.name not in have)


def _whole(
    records: Sequence[Record], kinds: dict[str, Kind]
) -> tuple[list[Record], tuple[str, ...]]:
    """Return the document's one record, if any, and the contradictions."""
    stated = {
        name: sum(
            cell.value is not None
            for record in records
            if record.kind == name
            for cell in record.cells
        )
        for name in dict.fromkeys(each.kind for each in records)
    }
    best = max(stated, key=lambda name: stated[name], default=None)
    if best is None:
        return [], ()
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
        group = next(same, None)
        if group is None:
            groups.append([cell])
        else:
            group.append(cell)
    if not groups:
        return list(cells[:1]), ""
    if attribute.many:
        return [each[0] for each in groups], ""
    groups.sort(key=len, reverse=True)
    others = ", ".join(repr(each[0].original) for each in groups[1 : 1 + _SHOWN])
    told = f"{groups[0][0].original!r} is kept, also stated: {others}" if others else ""
    return [groups[0][0]], told


def _joined(parts: Sequence[Sequence[Record]], kinds: Sequence[Kind]) -> list[Record]:
    """Return the rows of all parts; one cut by a border is joined again."""
    named = {kind.name: kind for kind in kinds}
    joined: list[Record] = []
    for part in parts:
        first, rest = part[:1], part[1:]
        for record in first:
            if joined and _goes_on(joined[-1], record, named[record.kind]):
                cells = (*joined[-1].cells, *record.cells)
                joined[-1] = joined[-1].model_copy(update={"cells": cells, "end": record.end})
            else:
                joined.append(record)
        joined += rest
    return joined


def _goes_on(before: Record, after: Record, kind: Kind) -> bool:
    """Tell whether a record at a part's end is the one at the beginning of the next part."""
    if (before.kind, before.label) != (after.kind, after.label) or not after.label:
        return False
    once = {each.name for each in kind.attributes if not each.many}
    have = {each.attribute for each in before.cells}
    return not any(each.attribute in once and each.attribute in have for each in after.cells)
