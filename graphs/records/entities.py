"""The entities of an answer from records: what each is called, where it stands, its quotes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.evidence import Entity, Evidence
from agent.records.record import Record
from agent.records.record_schema import CellValue
from graphs.records.at_hand import AtHand
from graphs.records.linked_rows import RecordId
from graphs.records.names import identifying
from graphs.records.querying import Outcome
from graphs.records.result_items import Item
from graphs.records.row_names import Named, told_apart

__all__ = ("Shown", "entities")

_QUOTED = 20
"""Records behind one item whose quotes are shown at most, each with the records linked to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Entities, and what went into them."""

    entities: tuple[Entity, ...]
    left: int
    """Records behind the result that are not quoted: an item has only so many quotes."""


@dataclass(frozen=True, slots=True)
class _Behind:
    """The records behind items."""

    outcome: Outcome
    records: Mapping[RecordId, Record]
    needed: Mapping[str, frozenset[str]]
    """By kind, the attributes whose quotes are proof."""
    identifying: Mapping[str, tuple[str, ...]]
    """By kind, the attributes that no two records share."""

    def rows(self, item: Item) -> list[Record]:
        """Return an item's own records that are quoted."""
        return [self.records[each] for each in _rows(item) if each in self.records]

    def quoted(self, item: Item) -> list[Record]:
        """Return an item's records, each followed by those it is linked to."""
        ids = dict.fromkeys(
            every for each in _rows(item) for every in (each, *self.outcome.linked.of.get(each, ()))
        )
        return [self.records[each] for each in ids if each in self.records]


def entities(listed: Sequence[Item], outcome: Outcome, found: AtHand) -> Shown:
    """Return what a result is about, each with the words that state it."""
    behind = _behind(listed, outcome, found)
    names = told_apart([_named(item, behind) for item in listed])
    made = tuple(_entity(item, name, behind) for item, name in zip(listed, names, strict=True))
    left = sum(max(0, len(each.records) - _QUOTED) for each in listed)
    left += sum(outcome.linked.left.get(row, 0) for each in listed for row in _rows(each))
    return Shown(entities=made, left=left)


def _rows(item: Item) -> list[RecordId]:
    return [(item.kind, each) for each in item.records[:_QUOTED]]


def _behind(items: Iterable[Item], outcome: Outcome, found: AtHand) -> _Behind:
    rows = [row for each in items for row in _rows(each)]
    linked = [other for row in rows for other in outcome.linked.of.get(row, ())]
    needed: dict[str, frozenset[str]] = {}
    for column in (*outcome.columns, *outcome.linked.columns):
        needed[column.kind] = needed.get(column.kind, frozenset()) | {column.attribute}
    return _Behind(outcome, found.records_of([*rows, *linked]), needed, identifying(found.tables))


def _entity(item: Item, name: str, behind: _Behind) -> Entity:
    quoted = behind.quoted(item)
    own = [each.document for each in behind.rows(item)] or [item.document] * bool(item.document)
    return Entity(
        name=name,
        aliases=tuple(each for each in _aliases(item, behind) if each != name),
        documents=tuple(dict.fromkeys(own)),
        value=_valued(item.value),
        evidence=tuple(
            dict.fromkeys(
                each for record in quoted for each in _evidence(record, behind.needed, name)
            )
        ),
    )


def _evidence(
    record: Record, needed: Mapping[str, frozenset[str]], name: str
) -> Sequence[Evidence]:
    """Return the quotes of the cells that the query reads; of a naming cell where it reads none."""
    own = needed.get(record.kind, frozenset())
    stated = [each for each in record.cells if each.quote and each.start is not None]
    chosen = [each for each in stated if each.attribute in own]
    naming = [each for each in stated if str(each.value) == name]
    return [
        Evidence(
            document=record.document,
            start=each.start,
            end=each.start + len(each.quote),
            quote=each.quote,
            condition=each.attribute,
        )
        for each in chosen or naming or stated[:1]
        if each.start is not None
    ]


def _aliases(item: Item, behind: _Behind) -> Iterator[str]:
    """Yield the values that tell an item's record from all others of its kind: an id, a code.

    Of several records behind an item none is the item itself.
    """
    about = dict.fromkeys(
        each
        for row in _rows(item)
        for each in (row, *behind.outcome.linked.of.get(row, ()))
        if each[0] == (item.about or item.kind)
    )
    if len(about) != 1 or len(item.records) > _QUOTED or not _is_thing(item, behind):
        return
    record = behind.records.get(next(iter(about)))
    stated = {each.attribute: each.value for each in record.cells} if record else {}
    for attribute in behind.identifying.get(record.kind if record else "", ()):
        if stated.get(attribute) is not None:
            yield str(stated[attribute])


def _is_thing(item: Item, behind: _Behind) -> bool:
    """Tell whether an item is one record: itself a row, or a value that names a record."""
    return not item.named_by or any(
        each.attribute in behind.identifying.get(each.kind, ()) for each in item.named_by
    )


def _named(item: Item, behind: _Behind) -> Named:
    """Return an item with what it is called: by the query, else by its record or document."""
    records = behind.rows(item)
    own = records[0].label or records[0].document if records else item.document
    return Named(
        name=item.name or own,
        record=records[0] if records else None,
        aliases=tuple(_aliases(item, behind)) if records else (),
    )


def _valued(value: CellValue) -> float | str | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value
