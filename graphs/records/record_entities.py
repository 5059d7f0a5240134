"""The entities of an answer from records: what each is called, where it stands, its quotes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.evidence import Entity, Evidence
from agent.records.record import Record
from agent.records.record_schema import Attribute, CellValue, TableFacts, Tables
from graphs.records.available_records import AtHand
from graphs.records.query_outcome import Item, Outcome, RecordId


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A row with the name that it has so far."""

    name: str
    record: Record | None = None
    """The first record behind it; None where none is known."""
    aliases: tuple[str, ...] = ()
    """Values that no other record of its kind shares."""


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


def told_apart(rows: Sequence[Named]) -> list[str]:
    """Return the rows' names, in order, each once.

    Behind a name that several bear stands, in brackets, the first of these that tells them all
    apart: what their texts call them, a value of which each record has another, their documents.
    What nothing tells apart is numbered.

    >>> told_apart([Named(name="Lee", aliases=("7",)), Named(name="Ek"), Named(name="Lee")])
    ['Lee (1 of 2)', 'Ek', 'Lee (2 of 2)']
    """
    alike: defaultdict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        alike[row.name].append(place)
    names = [row.name for row in rows]
    for name, places in alike.items():
        if len(places) > 1:
            told = _telling([rows[place] for place in places])
            for place, what in zip(places, told, strict=True):
                names[place] = f"{name} ({what})"
    return names


def _telling(rows: Sequence[Named]) -> Sequence[str]:
    """Return of rows of one name what tells each from all others."""
    for tell in (_label, _alias, _document):
        told = [tell(row) for row in rows]
        if all(told) and len(set(told)) == len(told):
            return told
    return [f"{number} of {len(rows)}" for number in range(1, len(rows) + 1)]


def _label(row: Named) -> str:
    label = row.record.label if row.record else ""
    return label if label != row.name else ""


def _alias(row: Named) -> str:
    return next((each for each in row.aliases if each != row.name), "")


def _document(row: Named) -> str:
    document = row.record.document if row.record else ""
    return document if document != row.name else ""


def entities(listed: Sequence[Item], outcome: Outcome, found: AtHand) -> Shown:
    """Return what a result is about, each with the words that state it."""
    behind = _behind(listed, outcome, found)
    names = told_apart([_named(item, behind) for item in listed])
    made = tuple(_entity(item, name, behind) for item, name in zip(listed, names, strict=True))
    left = sum(max(0, len(each.records) - _QUOTED) for each in listed)
    left += sum(outcome.linked.left.get(row, 0) for each in listed for row in _rows(each))
    return Shown(entities=made, left=left)


def _behind(items: Iterable[Item], outcome: Outcome, found: AtHand) -> _Behind:
    rows = [row for each in items for row in _rows(each)]
    linked = [other for row in rows for other in outcome.linked.of.get(row, ())]
    needed: dict[str, frozenset[str]] = {}
    for column in (*outcome.columns, *outcome.linked.columns):
        needed[column.kind] = needed.get(column.kind, frozenset()) | {column.attribute}
    return _Behind(
        outcome, found.records_of([*rows, *linked]), needed, _identifying_columns(found.tables)
    )


def _rows(item: Item) -> list[RecordId]:
    return [(item.kind, each) for each in item.records[:_QUOTED]]


def _identifying_columns(tables: Tables) -> Mapping[str, tuple[str, ...]]:
    """Return by kind the columns that identify a record: what others refer to, a code, a name.

    They are stated by every row, each with a value of its own. Of those that no link refers to,
    the first whole number without a unit and the first text count: later ones are measures or
    remarks that differ by chance.
    """
    targets = {(each.to_kind, each.to_attribute) for each in tables.schema.links}
    return {
        facts.kind: tuple(dict.fromkeys(_identifying(kind.attributes, facts, targets)))
        for facts in tables.facts
        if (kind := tables.schema.kind(facts.kind)) is not None
    }


def _identifying(
    attributes: tuple[Attribute, ...], facts: TableFacts, targets: set[tuple[str, str]]
) -> list[str]:
    unique = [each for each in attributes if _is_unique(each, facts)]
    referred = [each.name for each in unique if (facts.kind, each.name) in targets]
    others = [each for each in unique if each.name not in referred]
    whole = [each.name for each in others if each.type == "integer" and each.unit is None]
    text = [each.name for each in others if each.type == "text"]
    return [*referred, *whole[:1], *text[:1]]


def _is_unique(attribute: Attribute, facts: TableFacts) -> bool:
    column = facts.column(attribute.name)
    return (
        not attribute.many
        and column is not None
        and column.filled == column.distinct == facts.rows
        and facts.rows > 1
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


def _valued(value: CellValue) -> float | str | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value


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
