"""The columns over which tables are joined: their keys beside them, and an index over these."""

import sqlite3
from collections.abc import Mapping

from agent.records.record_schema import CellValue, Schema
from tools.records.identifiers import list_table, quoted
from tools.records.link_keys import Column, Linked, key_column, linked_columns, linked_keys

__all__ = ("join_columns",)


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


def _place(schema: Schema, column: Column) -> Column | None:
    """Return the table and column that hold a linked attribute's values, if there is one."""
    kind = schema.kind(column[0])
    attribute = kind.attribute(column[1]) if kind else None
    if attribute is None:
        return None
    return (list_table(*column), "value") if attribute.many else column


def _write_keys(connection: sqlite3.Connection, schema: Schema, linked: Linked) -> None:
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


def _values(connection: sqlite3.Connection, place: Column) -> list[CellValue]:
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


def _index(connection: sqlite3.Connection, table: str, held: str, column: Column) -> None:
    index = quoted(f"_link_{column[0]}__{column[1]}")
    wanted = f"CREATE INDEX {index} ON {quoted(table)} ({quoted(held)})"
    query = "SELECT sql FROM sqlite_master WHERE type = 'index' AND '\"' || name || '\"' = ?"
    known = connection.execute(query, (index,)).fetchone()
    if known is not None and known[0] != wanted:
        connection.execute(f"DROP INDEX {index}")
    if known is None or known[0] != wanted:
        connection.execute(wanted)
