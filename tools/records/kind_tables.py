"""The schema as the file of records keeps it, and the form of its tables.

A kind has one table, a list attribute a child table.
"""

import json
import re
import sqlite3
from typing import Final

from agent.errors import ProgramFault
from agent.records.record_schema import Attribute, AttributeType, Kind, Link, Schema
from tools.records.record_values import column_unit

_NAME: Final = re.compile(r"_?[a-z][a-z0-9_]{0,189}\Z")
_SQL_TYPES: Final[dict[AttributeType, str]] = {
    "text": "TEXT", "integer": "INTEGER", "number": "REAL", "boolean": "INTEGER", "date": "TEXT",
    "time": "TEXT",
}  # fmt: skip


def quoted(name: str) -> str:
    """Return a name as an SQL identifier; raises ProgramFault where the schema cannot have it."""
    if not _NAME.match(name):
        raise ProgramFault(f"{name!r} cannot name a table or column")
    return f'"{name}"'


def list_table(kind: str, attribute: str) -> str:
    """Return the name of the child table that holds the values of a list attribute."""
    return f"{kind}__{attribute}"


def drop_tables(connection: sqlite3.Connection) -> None:
    """Drop the tables of all kinds, those of an earlier schema too."""
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (name,) in names:
        if not name.startswith(("_", "sqlite_")):
            connection.execute(f"DROP TABLE {quoted(name)}")


def create_tables(connection: sqlite3.Connection, kind: Kind) -> None:
    """Create the empty tables of a kind."""
    columns = ["_record INTEGER PRIMARY KEY", "_document TEXT NOT NULL"]
    columns += [
        f"{quoted(each.name)} {_SQL_TYPES[each.type]}" for each in kind.attributes if not each.many
    ]
    connection.execute(f"CREATE TABLE {quoted(kind.name)} ({', '.join(columns)})")
    for attribute in (each for each in kind.attributes if each.many):
        table = list_table(kind.name, attribute.name)
        connection.execute(
            f"CREATE TABLE {quoted(table)} (_record INTEGER NOT NULL, _document TEXT NOT NULL, "
            f"value {_SQL_TYPES[attribute.type]} NOT NULL)"
        )
        name = quoted(f"_record_of_{table}")
        connection.execute(f"CREATE INDEX {name} ON {quoted(table)} (_record)")


def _meaning(attribute: Attribute) -> tuple[object, ...]:
    """Return what an attribute's values are; where that changes they must be read again.

    Labels and the order say how to read, not what: they change nothing; nor do examples, unless
    they show another unit, to which values are converted.
    """
    unit = column_unit(attribute)
    return attribute.name, attribute.type, unit, attribute.many, attribute.description.strip()


def _forget_cells(connection: sqlite3.Connection, kind: str, kept: set[str]) -> None:
    """Take cells of attributes that are gone or changed out of the kind's records."""
    rows = connection.execute("SELECT record, data FROM _records WHERE kind = ?", (kind,))
    for record, data in rows.fetchall():
        fields = json.loads(data)
        stored = fields.get("cells", [])
        fields["cells"] = [each for each in stored if each["attribute"] in kept]
        if len(fields["cells"]) < len(stored):
            left = (json.dumps(fields, ensure_ascii=False), record)
            connection.execute("UPDATE _records SET data = ? WHERE record = ?", left)


def read_schema(connection: sqlite3.Connection) -> Schema:
    """Return the schema as written last."""
    kinds = connection.execute("SELECT data FROM _kinds ORDER BY position").fetchall()
    links = connection.execute("SELECT data FROM _links ORDER BY position").fetchall()
    return Schema(
        kinds=tuple(Kind.model_validate_json(data) for (data,) in kinds),
        links=tuple(Link.model_validate_json(data) for (data,) in links),
    )


def change_schema(connection: sqlite3.Connection, old: Schema, new: Schema) -> None:
    """Write a schema, forget what it does not have, and mark the documents to be read again."""
    for kind in old.kinds:
        now = new.kind(kind.name)
        if now is None:
            _drop(connection, kind)
        elif now.grain != kind.grain:
            _expire(connection, kind.name)
            _drop(connection, kind)
        else:
            _reform(connection, kind, now)
    for kind in new.kinds:
        if old.kind(kind.name) is None:
            lacking = "document NOT IN (SELECT document FROM _records)"
            which = lacking if kind.grain == "document" else "TRUE"
            connection.execute(f"UPDATE _documents SET status = 'stale' WHERE {which}")
    for table in ("_kinds", "_links"):
        connection.execute(f"DELETE FROM {table}")
    kinds = [(kind.name, place, kind.model_dump_json()) for place, kind in enumerate(new.kinds)]
    connection.executemany("INSERT INTO _kinds VALUES (?, ?, ?)", kinds)
    links = [(place, link.model_dump_json()) for place, link in enumerate(new.links)]
    connection.executemany("INSERT INTO _links VALUES (?, ?)", links)


def _drop(connection: sqlite3.Connection, kind: Kind) -> None:
    """Remove a kind with its records, and what documents are said to hold or to be read for."""
    if kind.grain == "document":
        connection.execute(
            "UPDATE _documents SET status = 'stale' "
            "WHERE document IN (SELECT document FROM _records WHERE kind = ?)",
            (kind.name,),
        )
    connection.execute("DELETE FROM _records WHERE kind = ?", (kind.name,))
    connection.execute(
        "UPDATE _documents SET kinds = trim(replace(char(10) || kinds || char(10), "
        "char(10) || ? || char(10), char(10)), char(10))",
        (kind.name,),
    )


def _reform(connection: sqlite3.Connection, old: Kind, new: Kind) -> None:
    before = set(map(_meaning, old.attributes))
    kept = {each.name for each in new.attributes if _meaning(each) in before}
    _forget_cells(connection, new.name, kept)
    reworded = old.description.strip() != new.description.strip()
    if reworded or len(kept) < len(new.attributes):
        _expire(connection, new.name)


def _expire(connection: sqlite3.Connection, kind: str) -> None:
    connection.execute(
        "UPDATE _documents SET status = 'stale' "
        "WHERE instr(char(10) || kinds || char(10), char(10) || ? || char(10)) > 0",
        (kind,),
    )
