"""Which columns of records refer to other kinds, by their names and values.

A column refers to another kind where nearly all its values stand in a column that is unique there,
and its name says so: it ends in the other kind's (`team_id`, `lost_in_battle`), or both columns
have one name and are identifiers or text. Kinds that stand in the same documents refer to each
other, those that stand alone to any that does so.
"""

import sqlite3
from collections.abc import Iterator
from itertools import permutations
from typing import Final

from agent.english import singular
from agent.records.record_schema import Link, Schema
from tools.records.sql_terms import quoted

_IDENTIFIER: Final = frozenset(
    {"id", "ids", "key", "code", "no", "nr", "num", "number", "ref", "uuid", "guid"}
)
_SHARE: Final = 0.9
"""The least share of a column's values that stand in the other, and of rows that state a column
that identifies them."""


def infer_links(connection: sqlite3.Connection, schema: Schema) -> tuple[Link, ...]:
    """Return the links of tables just made; a column with a declared link keeps that only."""
    reach = _reach(connection, schema)
    taken = {(link.kind, link.attribute) for link in schema.links}
    links: dict[tuple[tuple[str, str], tuple[str, str]], Link] = {}
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
        named = _names(source.name, to_kind)
        same = source.name == target.name not in _IDENTIFIER
        own = unique[kind, source.name] and _names(source.name, kind)
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
                ends = {"attribute": source.name, "to_kind": to_kind, "to_attribute": target.name}
                yield (not named, -held, to_kind, target.name), Link(kind=kind, **ends)


def _names(attribute: str, kind: str) -> bool:
    """Tell whether an attribute's name ends in a kind's, but for words that say it identifies."""
    words = [singular(word) for word in attribute.split("_") if word not in _IDENTIFIER]
    wanted = [singular(word) for word in kind.split("_")]
    return words[-len(wanted) :] == wanted


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
