"""Links between kinds: found by values, weighed by names, and joined over keys.

A reference is a column whose values all (or nearly all) stand in a column of another kind that is
unique there. Small whole numbers stand in any list of numbers by chance, so inclusion alone is not
enough. A candidate's score is `inclusion × (mention + same + surprise)`, accepted from 0.9:

- inclusion: the share of the column's different values that stand in the other; at least 0.9,
  and all of them where no name speaks for the link.
- mention: 0.9 to 1 where the attribute's name ends in the other kind's (`team_id`, `clubid`,
  `lost_in_battle`), and the other column is named as an identifier or is text; else 0.
- same: 1 where both attributes have the same name and it is that of an identifier, ½ where it is
  the same otherwise; 0 for a name that says nothing but "identifier" (`id` and `id`).
- surprise: −log10 of the chance that as many values stand there by accident, divided by 6 and cut
  to 0 … 1. For whole numbers the chance of one value is how densely the other column fills the
  range of both; for text it is taken to be ⅒, or ½ for codes of at most two characters.

A column refers to one other at most: to that of the highest score. Documents that hold tables of
several kinds are taken to be complete: their rows refer to rows of the same documents, or to whole
documents.

Linked tables are joined over one key for a value, however it is written: `Peru`, `PERU` and `Perú`
are one value, `Q1` and `Q2` are two. Accents of Latin letters are left out only where no column
that is referred to has two values that differ by them alone.
"""

import math
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, NamedTuple

from agent.english import singular, unaccented
from agent.records.record_schema import Attribute, AttributeType, CellValue, Kind, Link, Schema
from tools.records.kind_tables import list_table, quoted
from tools.records.sql_functions import folded

_IDENTIFIER: Final = frozenset(
    {"id", "ids", "key", "code", "no", "nr", "num", "number", "ref", "uuid", "guid"}
)
"""Words by which databases call what identifies, in whatever domain."""
_GLUED: Final = re.compile(r"(?P<stem>[a-z]{3,})id\Z")
"""`clubid`: as `club_id`."""
ACCEPTED: Final = 0.9
"""The least score and the least inclusion."""
_STATED: Final = 0.9
"""The least share of rows that state a column that identifies them."""


@dataclass(frozen=True, slots=True)
class ColumnValues:
    """What a column holds."""

    kind: str
    attribute: str
    type: AttributeType
    rows: int
    """Of the table."""
    filled: int
    """Rows that are not null."""
    values: frozenset[CellValue]
    """The different values."""

    @property
    def is_unique(self) -> bool:
        """Whether no value stands in two rows, and nearly every row has one."""
        many = self.filled >= 2 and self.filled >= _STATED * self.rows
        return many and len(self.values) == self.filled


_Scored = tuple[float, Link]
"""What speaks for a link, negative, and the link: the best come first."""


def is_identifier(name: str) -> bool:
    """Tell whether a name is that of an identifier.

    >>> is_identifier("team_id"), is_identifier("stuid"), is_identifier("age")
    (True, True, False)
    """
    words = name.split("_")
    return not _IDENTIFIER.isdisjoint(words) or _GLUED.match(words[-1]) is not None


def _stem_words(name: str) -> tuple[str, ...]:
    """Return the words of a name without those that only say that it identifies.

    >>> _stem_words("caused_by_ship_id"), _stem_words("clubid"), _stem_words("id")
    (('caused', 'by', 'ship'), ('club',), ())
    """
    words = [word for word in name.split("_") if word and word not in _IDENTIFIER]
    glued = _GLUED.match(words[-1]) if words else None
    if glued:
        words[-1] = glued["stem"]
    return tuple(words)


def mentions(name: str, kind: str) -> float:
    """Return how well an attribute's name names a kind: 0, or 0.9 to 1.

    The last word must be the kind's last: `product_quantity` is no product. The rest is the share
    of the kind's words that are named. Words agree in singular and plural, and where one
    abbreviates the other from its beginning with three letters or more.

    >>> mentions("lost_in_battle", "battle"), mentions("stuid", "students")
    (1.0, 1.0)
    >>> mentions("company_id", "air_company"), mentions("product_quantity", "product")
    (0.95, 0.0)
    """
    words = _stem_words(name)
    wanted = [word for word in kind.split("_") if word]
    if not words or not wanted or not _agree(words[-1], wanted[-1]):
        return 0.0
    named = sum(any(_agree(word, part) for word in words) for part in wanted)
    return round(0.9 + 0.1 * named / len(wanted), 3)


def _agree(one: str, other: str) -> bool:
    one, other = singular(one), singular(other)
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= 3 and long.startswith(short))


def infer_links(
    schema: Schema,
    columns: Mapping[tuple[str, str], ColumnValues],
    documents: Mapping[str, AbstractSet[str]],
) -> tuple[Link, ...]:
    """Return inferred links, the best first; columns with a declared link keep that one only.

    Args:
        schema: with the declared links.
        columns: the values of single-valued columns of text and whole numbers, by kind and
            attribute.
        documents: the documents that hold rows of each kind.
    """
    declared = {(link.kind, link.attribute) for link in schema.links}
    declared |= {(link.to_kind, link.to_attribute) for link in schema.links} & declared
    best: dict[tuple[str, str], _Scored] = {}
    reach = _reach(schema, documents)
    for source, target in _pairs(schema, columns):
        if target.kind not in reach[source.kind]:
            continue
        key = (source.kind, source.attribute)
        scored = None if key in declared else _scored(source, target)
        if scored and (key not in best or _order(scored) < _order(best[key])):
            best[key] = scored
    return _one_way(sorted(best.values(), key=_order))


def _reach(schema: Schema, documents: Mapping[str, AbstractSet[str]]) -> dict[str, set[str]]:
    """Return which kinds the rows of each may refer to: those beside it, else any that is alone.

    A kind of which each document is one record is within the reach of all.
    """
    beside = {
        kind: {other for other in documents if other != kind and documents[other] & held}
        for kind, held in documents.items()
    }
    whole = {kind.name for kind in schema.kinds if kind.grain == "document"}
    alone = {kind for kind, others in beside.items() if not others}
    return {kind: (others or alone) | whole for kind, others in beside.items()}


def _pairs(
    schema: Schema, columns: Mapping[tuple[str, str], ColumnValues]
) -> Iterator[tuple[ColumnValues, ColumnValues]]:
    unique = [each for each in columns.values() if each.is_unique]
    for kind, attribute in _attributes(schema):
        source = columns.get((kind.name, attribute.name))
        if source is None or not source.values:
            continue
        for target in unique:
            if target.kind != source.kind and target.type == source.type:
                yield source, target


def _attributes(schema: Schema) -> Iterator[tuple[Kind, Attribute]]:
    return ((kind, attribute) for kind in schema.kinds for attribute in kind.attributes)


def _scored(source: ColumnValues, target: ColumnValues) -> _Scored | None:
    inclusion = len(source.values & target.values) / len(source.values)
    if inclusion < ACCEPTED:
        return None
    names = _mention(source, target) + _same(source, target)
    if names == 0 and inclusion < 1:
        return None
    score = inclusion * (names + _surprise(source, target))
    if score < ACCEPTED:
        return None
    link = Link(
        kind=source.kind,
        attribute=source.attribute,
        to_kind=target.kind,
        to_attribute=target.attribute,
    )
    return -round(score, 3), link


def _mention(source: ColumnValues, target: ColumnValues) -> float:
    named = mentions(source.attribute, target.kind)
    identifies = is_identifier(target.attribute) or target.type == "text"
    if not identifies:
        return 0.0
    own = mentions(source.attribute, source.kind)
    return named if named > own or not source.is_unique else 0.0


def _same(source: ColumnValues, target: ColumnValues) -> float:
    if source.attribute != target.attribute or not _stem_words(source.attribute):
        return 0.0
    return 1.0 if is_identifier(source.attribute) else 0.5


def _surprise(source: ColumnValues, target: ColumnValues) -> float:
    if source.type == "text":
        lengths = [len(str(each)) for each in source.values]
        chance = 0.5 if max(lengths) <= 2 else 0.1
    else:
        numbers = [int(each) for each in source.values | target.values if each is not None]
        chance = min(1.0, len(target.values) / (max(numbers) - min(numbers) + 1))
    return min(1.0, -math.log10(chance) * len(source.values) / 6)


def _order(scored: _Scored) -> tuple[float, str, str, str, str]:
    score, link = scored
    return (score, link.to_kind, link.to_attribute, link.kind, link.attribute)


def _one_way(links: Sequence[_Scored]) -> tuple[Link, ...]:
    """Leave out a link that only turns a better one round."""
    kept: dict[tuple[str, str, str, str], Link] = {}
    for _, link in links:
        if (link.to_kind, link.to_attribute, link.kind, link.attribute) not in kept:
            kept[link.kind, link.attribute, link.to_kind, link.to_attribute] = link
    return tuple(kept.values())


_Column = tuple[str, str]
"""A kind and an attribute."""
_NUMBER: Final = re.compile(r"[-+]?\d+(?:\.\d+)?")


class _Linked(NamedTuple):
    """Columns that links connect with one another."""

    columns: tuple[_Column, ...]
    referred: frozenset[_Column]
    """Those of them that are referred to: each value there is another thing."""


def key_column(column: str) -> str:
    """Return the name of the column of keys that stands beside a linked one."""
    return f"_key_{column}"


def is_keyed(one: AttributeType, other: AttributeType) -> bool:
    """Tell whether columns of two types are joined over keys; numbers are joined as they are."""
    return "text" in (one, other)


def linked_columns(schema: Schema) -> tuple[_Linked, ...]:
    """Return the columns that are joined over keys, those that links connect together."""
    links = [each for each in schema.links if _keyed(schema, each)]
    groups: list[set[_Column]] = []
    for link in links:
        ends = {(link.kind, link.attribute), (link.to_kind, link.to_attribute)}
        touched = [each for each in groups if each & ends]
        groups = [each for each in groups if not each & ends]
        groups.append(ends.union(*touched))
    referred = {(link.to_kind, link.to_attribute) for link in links}
    return tuple(_Linked(tuple(sorted(each)), frozenset(each & referred)) for each in groups)


def _keyed(schema: Schema, link: Link) -> bool:
    types = [
        attribute.type
        for kind_name, name in ((link.kind, link.attribute), (link.to_kind, link.to_attribute))
        if (kind := schema.kind(kind_name)) and (attribute := kind.attribute(name))
    ]
    return len(types) == 2 and is_keyed(types[0], types[1])


def linked_keys(
    referring: Sequence[Iterable[CellValue]], referred: Sequence[Iterable[CellValue]]
) -> Mapping[CellValue, CellValue]:
    """Return the key of each value of columns that links connect.

    Text is folded. Beside a column of numbers a text that is one, is it; among texts `007` and `7`
    are two.

    >>> keys = linked_keys([["Perú", "chile "]], [["PERU", "Chile"]])
    >>> keys["Perú"] == keys["PERU"], keys["Chile"] == keys["chile "]
    (True, True)
    >>> keys = linked_keys([["ANO"]], [["año", "ano"]])
    >>> keys["año"] == keys["ANO"], keys["ano"] == keys["ANO"]
    (False, True)
    """
    things = [set(each) - {None} for each in referred]
    held = things + [set(each) - {None} for each in referring]
    numbers = any(not isinstance(value, str) for values in held for value in values)
    apart = _told_apart_by_accents(
        {folded(value) for value in values if isinstance(value, str)} for values in things
    )
    return {value: _key(value, apart, numbers=numbers) for values in held for value in values}


def _told_apart_by_accents(columns: Iterable[Iterable[str]]) -> frozenset[str]:
    """Return the texts without accents that stand for two texts of one column."""
    apart: set[str] = set()
    for texts in columns:
        seen: set[str] = set()
        for plain in map(unaccented, texts):
            (apart if plain in seen else seen).add(plain)
    return frozenset(apart)


def _key(value: CellValue, apart: frozenset[str], *, numbers: bool) -> CellValue:
    if not isinstance(value, str):
        return value
    text = folded(value)
    if numbers and _NUMBER.fullmatch(text):
        number = Decimal(text)
        return int(number) if number == number.to_integral_value() else float(number)
    plain = unaccented(text)
    return text if plain in apart else plain


def join_columns(connection: sqlite3.Connection, schema: Schema) -> None:
    """Give the columns that links connect their keys and indexes.

    Call within a transaction that computes the tables. A link whose column the schema does not
    have joins nothing.
    """
    keyed = linked_columns(schema)
    for linked in keyed:
        _write_keys(connection, schema, linked)
    done = {column for linked in keyed for column in linked.columns}
    ends = {(link.kind, link.attribute) for link in schema.links}
    ends |= {(link.to_kind, link.to_attribute) for link in schema.links}
    for column in sorted(ends):
        if place := _place(schema, column):
            table, own = place
            _index(connection, table, key_column(own) if column in done else own, column)


def _write_keys(connection: sqlite3.Connection, schema: Schema, linked: _Linked) -> None:
    places = {each: place for each in linked.columns if (place := _place(schema, each))}
    values = {each: _values(connection, place) for each, place in places.items()}
    keys = linked_keys(
        [held for each, held in values.items() if each not in linked.referred],
        [held for each, held in values.items() if each in linked.referred],
    )
    for table, column in places.values():
        known = [row[1] for row in connection.execute(f"PRAGMA table_info({quoted(table)})")]
        if key_column(column) not in known:
            added = quoted(key_column(column))
            connection.execute(f"ALTER TABLE {quoted(table)} ADD COLUMN {added}")
        _set_keys(connection, table, column, keys)


def _place(schema: Schema, column: _Column) -> _Column | None:
    """Return the table and column that hold a linked attribute's values, if there is one."""
    kind = schema.kind(column[0])
    attribute = kind.attribute(column[1]) if kind else None
    if attribute is None:
        return None
    return (list_table(*column), "value") if attribute.many else column


def _values(connection: sqlite3.Connection, place: _Column) -> list[CellValue]:
    table, column = map(quoted, place)
    return [value for (value,) in connection.execute(f"SELECT DISTINCT {column} FROM {table}")]


def _set_keys(
    connection: sqlite3.Connection,
    table: str,
    column: str,
    keys: Mapping[CellValue, CellValue],
) -> None:
    """Write the keys that are not there yet, or have changed."""
    connection.create_function("link_key", 1, keys.get)
    key = quoted(key_column(column))
    connection.execute(
        f"UPDATE {quoted(table)} SET {key} = link_key({quoted(column)}) "
        f"WHERE {key} IS NOT link_key({quoted(column)})"
    )
    connection.create_function("link_key", 1, None)


def _index(connection: sqlite3.Connection, table: str, held: str, column: _Column) -> None:
    index = quoted(f"_link_{column[0]}__{column[1]}")
    wanted = f"CREATE INDEX {index} ON {quoted(table)} ({quoted(held)})"
    query = "SELECT sql FROM sqlite_master WHERE type = 'index' AND '\"' || name || '\"' = ?"
    known = connection.execute(query, (index,)).fetchone()
    if known is not None and known[0] != wanted:
        connection.execute(f"DROP INDEX {index}")
    if known is None or known[0] != wanted:
        connection.execute(wanted)
