"""The schema as the file of records keeps it, and what a new one does to tables and documents."""

import sqlite3

from agent.records.record_schema import Kind, Link, Schema
from tools.records.schema_tables import (
    changed_attributes,
    create_tables,
    drop_tables,
    rebuild_tables,
)

__all__ = ("change_schema", "read_schema")


def read_schema(connection: sqlite3.Connection) -> Schema:
    """Return the schema as written last."""
    kinds = connection.execute("SELECT data FROM _kinds ORDER BY position").fetchall()
    links = connection.execute("SELECT data FROM _links ORDER BY position").fetchall()
    return Schema(
        kinds=tuple(Kind.model_validate_json(data) for (data,) in kinds),
        links=tuple(Link.model_validate_json(data) for (data,) in links),
    )


def change_schema(connection: sqlite3.Connection, old: Schema, new: Schema) -> None:
    """Write a schema, give the tables its form, and mark the documents to be read again."""
    before = {kind.name: kind for kind in old.kinds}
    for kind in old.kinds:
        if new.kind(kind.name) is None:
            _drop(connection, kind)
    for kind in new.kinds:
        _reform(connection, before.get(kind.name), kind)
    _save(connection, new)


def _save(connection: sqlite3.Connection, schema: Schema) -> None:
    connection.execute("DELETE FROM _kinds")
    connection.executemany(
        "INSERT INTO _kinds VALUES (?, ?, ?)",
        [(kind.name, place, kind.model_dump_json()) for place, kind in enumerate(schema.kinds)],
    )
    connection.execute("DELETE FROM _links")
    connection.executemany(
        "INSERT INTO _links VALUES (?, ?)",
        [(place, link.model_dump_json()) for place, link in enumerate(schema.links)],
    )


def _drop(connection: sqlite3.Connection, kind: Kind) -> None:
    """Remove a kind with its records, and what documents are said to hold or to be read for."""
    drop_tables(connection, kind)
    held = "document IN (SELECT document FROM _records WHERE kind = ?)"
    if kind.grain == "document":
        connection.execute(f"UPDATE _documents SET status = 'stale' WHERE {held}", (kind.name,))
    connection.execute(
        "UPDATE _documents SET records = records - (SELECT count(*) FROM _records "
        f"WHERE kind = ? AND _records.document = _documents.document) WHERE {held}",
        (kind.name, kind.name),
    )
    connection.execute("DELETE FROM _records WHERE kind = ?", (kind.name,))
    connection.execute(
        "UPDATE _documents SET kinds = trim(replace(char(10) || kinds || char(10), "
        "char(10) || ? || char(10), char(10)), char(10))",
        (kind.name,),
    )


def _reform(connection: sqlite3.Connection, old: Kind | None, new: Kind) -> None:
    if old is None:
        create_tables(connection, new)
        only_empty = " AND records = 0" if new.grain == "document" else ""
        connection.execute(f"UPDATE _documents SET status = 'stale' WHERE 1{only_empty}")
        return
    if old.grain != new.grain:
        _expire(connection, new.name)
        _drop(connection, old)
        create_tables(connection, new)
        return
    kept, missing = changed_attributes(old, new)
    rebuild_tables(connection, old, new, kept)
    if missing or old.description.strip() != new.description.strip():
        _expire(connection, new.name)


def _expire(connection: sqlite3.Connection, kind: str) -> None:
    connection.execute(
        "UPDATE _documents SET status = 'stale' "
        "WHERE instr(char(10) || kinds || char(10), char(10) || ? || char(10)) > 0",
        (kind,),
    )
