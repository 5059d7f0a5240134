"""Links between kinds: found by equal values where names speak for them, and joined over keys.

A column refers to another kind where nearly all its values stand in a column that is unique there,
and its name says so: it ends in the other kind's (`team_id`, `lost_in_battle`), or both columns
have one name and are identifiers or text. Texts are joined over one key for a value, however it is
written (`Peru`, `PERU`, `Perú`); accents tell values apart where a referred column needs them to.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Final

from agent.english import singular, unaccented
from agent.records.record_schema import CellValue, Link, Schema
from tools.records.sql_functions import folded, plainly
from tools.records.sql_terms import list_table, quoted

_IDENTIFIER: Final = frozenset(
    {"id", "ids", "key", "code", "no", "nr", "num", "number", "ref", "uuid", "guid"}
)
_SHARE: Final = 0.9
"""The least share of a column's values that stand in the other, and of rows that state a column
that identifies them."""


def mentions(name: str, kind: str) -> bool:
    """Tell whether an attribute's name ends in a kind's, but for words that say it identifies."""
    words = [singular(word) for word in name.split("_") if word not in _IDENTIFIER]
    wanted = [singular(word) for word in kind.split("_")]
    return words[-len(wanted) :] == wanted


def infer_links(connection: sqlite3.Connection, schema: Schema) -> tuple[Link, ...]:
    """Return the links of tables just made; a column with a declared link keeps that only."""
    reach = _reach(connection, schema)
    taken = {(link.kind, link.attribute) for link in schema.links}
    links: dict[tuple[_Column, _Column], Link] = {}
    for _, link in sorted(_candidates(connection, schema), key=lambda each: each[0]):
        place, target = (link.kind, link.attribute), (link.to_kind, link.to_attribute)
        if link.to_kind in reach[link.kind]:
            if place not in taken and (target, place) not in links:
                links[place, target] = link
            taken.add(place)
    return tuple(links.values())


def _candidates(
    connection: sqlite3.Connection, schema: Schema
) -> Iterator[tuple[tuple[bool, int, str, str], Link]]:
    """Yield links that names speak for, each with its place: the kind's own name, most values."""
    columns = [
        (kind.name, each)
        for kind in schema.kinds
        for each in kind.attributes
        if not each.many and each.type in ("text", "integer")
    ]
    unique = {(kind, each.name): _is_unique(connection, kind, each.name) for kind, each in columns}
    for (kind, source), (to_kind, target) in permutations(columns, 2):
        named = mentions(source.name, to_kind)
        same = source.name == target.name not in _IDENTIFIER
        own = unique[kind, source.name] and mentions(source.name, kind)
        key = target.type == "text" or not _IDENTIFIER.isdisjoint(target.name.split("_"))
        if own or kind == to_kind or source.type != target.type or not (named or same):
            continue
        if key and unique[to_kind, target.name]:
            values, held = connection.execute(
                f"SELECT COUNT(*), COUNT(*) FILTER (WHERE v IN (SELECT fold({quoted(target.name)}) "
                f"FROM {quoted(to_kind)})) FROM (SELECT DISTINCT fold({quoted(source.name)}) AS v "
                f"FROM {quoted(kind)} WHERE v IS NOT NULL)"
            ).fetchone()
            if held and held >= _SHARE * values:
                place = (not named, -held, to_kind, target.name)
                ends = {"attribute": source.name, "to_kind": to_kind, "to_attribute": target.name}
                yield place, Link(kind=kind, **ends)


def _is_unique(connection: sqlite3.Connection, kind: str, name: str) -> bool:
    """Tell whether no value stands in two rows, and nearly every row has one."""
    column = quoted(name)
    stated, different, rows = connection.execute(
        f"SELECT COUNT({column}), COUNT(DISTINCT fold({column})), COUNT(*) FROM {quoted(kind)}"
    ).fetchone()
    return bool(stated >= max(2, _SHARE * rows) and stated == different)


def _reach(connection: sqlite3.Connection, schema: Schema) -> dict[str, set[str]]:
    """Return the kinds that each may refer to: those beside it, else any alone, and documents."""
    documents = {
        kind.name: set(connection.execute(f"SELECT DISTINCT _document FROM {quoted(kind.name)}"))
        for kind in schema.kinds
    }
    beside = {
        kind: {other for other in documents if other != kind and documents[other] & held}
        for kind, held in documents.items()
    }
    whole = {kind.name for kind in schema.kinds if kind.grain == "document"}
    alone = {kind for kind, others in beside.items() if not others}
    return {kind: (others or alone) | whole for kind, others in beside.items()}


_Column = tuple[str, str]


def key_column(column: str) -> str:
    """Return the name of the column of keys that stands beside a linked column of text."""
    return f"_key_{column}"


def join_columns(connection: sqlite3.Connection, schema: Schema) -> None:
    """Give linked columns of tables just made an index, and those of text their keys."""
    referred = {(link.to_kind, link.to_attribute) for link in schema.links}
    linked = sorted(referred | {(link.kind, link.attribute) for link in schema.links})
    places = {each: place for each in linked if (place := _place(schema, each))}
    texts = (_texts(connection, places[each]) for each in places.keys() & referred)
    counts = (Counter(map(unaccented, each)) for each in texts)
    # Texts without accents that stand for two texts of one column that is referred to.
    apart = {plain for each in counts for plain, times in each.items() if times > 1}

    def key(value: CellValue) -> CellValue:
        plain = plainly(value) if isinstance(value, str) else value
        return folded(value) if isinstance(value, str) and plain in apart else plain

    connection.create_function("link_key", 1, key)
    for (kind, name), (table, column, text) in places.items():
        held = column
        if text:
            held = key_column(column)
            connection.execute(f"ALTER TABLE {quoted(table)} ADD COLUMN {quoted(held)}")
            connection.execute(
                f"UPDATE {quoted(table)} SET {quoted(held)} = link_key({quoted(column)})"
            )
        index = quoted(f"_link_{kind}__{name}")
        connection.execute(f"CREATE INDEX {index} ON {quoted(table)} ({quoted(held)})")
    connection.create_function("link_key", 1, None)


_Place = tuple[str, str, bool]


def _place(schema: Schema, column: _Column) -> _Place | None:
    """Return where a linked attribute's values are held, if there is one."""
    attribute = schema.attribute(*column)
    if attribute is None:
        return None
    text = attribute.type == "text"
    return (list_table(*column), "value", text) if attribute.many else (*column, text)


def _texts(connection: sqlite3.Connection, place: _Place) -> set[str]:
    table, column = map(quoted, place[:2])
    values = connection.execute(f"SELECT DISTINCT {column} FROM {table}")
    return {folded(value) for (value,) in values if isinstance(value, str)}
