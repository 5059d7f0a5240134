"""One SQL table a kind, a child table for each list attribute; rebuilt when the schema changes."""

import json
import sqlite3
from collections.abc import Iterable
from typing import Final

from agent.records.record_schema import Attribute, AttributeType, Kind
from tools.records.identifiers import list_table, quoted
from tools.records.values import column_unit

__all__ = ("changed_attributes", "create_tables", "drop_tables", "rebuild_tables")

_SQL_TYPES: Final[dict[AttributeType, str]] = {
    "text": "TEXT",
    "integer": "INTEGER",
    "number": "REAL",
    "boolean": "INTEGER",
    "date": "TEXT",
}


def create_tables(connection: sqlite3.Connection, kind: Kind) -> None:
    """Create the empty tables of a kind."""
    _create(connection, kind, kind.name)
    for attribute in kind.attributes:
        if attribute.many:
            _create_list(connection, kind, attribute)


def drop_tables(connection: sqlite3.Connection, kind: Kind) -> None:
    """Drop the tables of a kind."""
    for attribute in kind.attributes:
        if attribute.many:
            connection.execute(f"DROP TABLE {quoted(list_table(kind.name, attribute.name))}")
    connection.execute(f"DROP TABLE {quoted(kind.name)}")


def changed_attributes(old: Kind, new: Kind) -> tuple[set[str], set[str]]:
    """Return which attributes are kept, and which must be read: new, or read as something else.

    Labels and the order say how to read, not what: they change nothing; nor do examples, unless
    they show another unit, to which values are converted.
    """
    before = {each.name: _meaning(each) for each in old.attributes}
    after = {each.name: _meaning(each) for each in new.attributes}
    kept = {name for name, meaning in after.items() if before.get(name) == meaning}
    return kept, after.keys() - kept


def rebuild_tables(
    connection: sqlite3.Connection, old: Kind, new: Kind, kept: Iterable[str]
) -> None:
    """Give a kind's tables the form of the new schema, with the values of kept attributes."""
    kept = set(kept)
    _create(connection, new, "_rebuilt")
    columns = ["_record", "_document"]
    columns += [quoted(each.name) for each in new.attributes if each.name in kept and not each.many]
    listed = ", ".join(columns)
    name = quoted(new.name)
    connection.execute(f"INSERT INTO _rebuilt ({listed}) SELECT {listed} FROM {name}")
    for attribute in old.attributes:
        if attribute.many and attribute.name not in kept:
            connection.execute(f"DROP TABLE {quoted(list_table(old.name, attribute.name))}")
    connection.execute(f"DROP TABLE {name}")
    connection.execute(f"ALTER TABLE _rebuilt RENAME TO {name}")
    _index(connection, new.name, "_document")
    for attribute in new.attributes:
        if attribute.many and attribute.name not in kept:
            _create_list(connection, new, attribute)
    _forget_cells(connection, new.name, kept)


def _meaning(attribute: Attribute) -> tuple[object, ...]:
    unit = column_unit(attribute)
    return attribute.type, unit, attribute.many, attribute.description.strip()


def _create(connection: sqlite3.Connection, kind: Kind, table: str) -> None:
    columns = ["_record INTEGER PRIMARY KEY", "_document TEXT NOT NULL"]
    columns += [
        f"{quoted(each.name)} {_SQL_TYPES[each.type]}" for each in kind.attributes if not each.many
    ]
    connection.execute(f"CREATE TABLE {quoted(table)} ({', '.join(columns)})")
    if table == kind.name:
        _index(connection, kind.name, "_document")


def _index(connection: sqlite3.Connection, table: str, column: str) -> None:
    name = quoted(f"{column}_of_{table}")
    connection.execute(f"CREATE INDEX {name} ON {quoted(table)} ({column})")


def _create_list(connection: sqlite3.Connection, kind: Kind, attribute: Attribute) -> None:
    table = list_table(kind.name, attribute.name)
    connection.execute(
        f"CREATE TABLE {quoted(table)} (_record INTEGER NOT NULL, _document TEXT NOT NULL, "
        f"value {_SQL_TYPES[attribute.type]} NOT NULL)"
    )
    _index(connection, table, "_record")
    _index(connection, table, "_document")


def _forget_cells(connection: sqlite3.Connection, kind: str, kept: set[str]) -> None:
    """Take cells of attributes that are gone or changed out of the kind's records."""
    rows = connection.execute("SELECT record, data FROM _records WHERE kind = ?", (kind,))
    changed = []
    for record, data in rows.fetchall():
        fields = json.loads(data)
        stored = fields.get("cells", [])
        cells = [each for each in stored if each["attribute"] in kept]
        if len(cells) < len(stored):
            fields["cells"] = cells
            changed.append((json.dumps(fields, ensure_ascii=False), record))
    connection.executemany("UPDATE _records SET data = ? WHERE record = ?", changed)
