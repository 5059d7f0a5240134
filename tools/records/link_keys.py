"""The columns over which linked tables are joined: one key for a value, however it is written.

`Peru`, `PERU` and `Perú` are one value, `Q1` and `Q2` are two. Accents of Latin letters are left
out only where no column that is referred to has two values that differ by them alone.
"""

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from agent.english import unaccented
from agent.records.record_schema import AttributeType, CellValue, Link, Schema
from tools.records.kind_tables import list_table, quoted
from tools.records.sql_functions import folded

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
