"""The store of records: one SQLite file in the corpus directory, kept document by document."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, Literal, NamedTuple

from agent.errors import ProgramFault
from agent.records.record import Failure, Record
from agent.records.record_schema import Attribute, Kind, Link, Schema, Tables
from tools.records.record_values import column_unit
from tools.records.sql_terms import register_functions
from tools.records.table_facts import compute, is_computed, stored_tables
from tools.sqlite_file import FileForm, SQLiteFile

_ReadStatus = Literal["read", "partial", "failed", "stale"]
"""read: nothing failed; partial: records and failures; failed: only failures; stale: to be read
again, since the schema changed; its records are kept until then."""


class DocumentState(NamedTuple):
    """What is known of one document."""

    document: str
    digest: str
    status: _ReadStatus
    kinds: tuple[str, ...]
    """For which kinds it was read."""


_TABLES: Final = (
    """CREATE TABLE _kinds (
        kind TEXT PRIMARY KEY, position INTEGER NOT NULL, data TEXT NOT NULL) WITHOUT ROWID""",
    "CREATE TABLE _links (position INTEGER PRIMARY KEY, data TEXT NOT NULL)",
    """CREATE TABLE _documents (
        document TEXT PRIMARY KEY, digest TEXT NOT NULL, status TEXT NOT NULL,
        kinds TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE _records (
        record INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,
        document TEXT NOT NULL REFERENCES _documents, data TEXT NOT NULL)""",
    "CREATE INDEX _records_of_document ON _records (document, kind)",
    """CREATE TABLE _failures (
        number INTEGER PRIMARY KEY, document TEXT NOT NULL REFERENCES _documents,
        data TEXT NOT NULL)""",
    "CREATE INDEX _failures_of_document ON _failures (document)",
    """CREATE TABLE _facts (
        kind TEXT PRIMARY KEY, data TEXT NOT NULL) WITHOUT ROWID""",
    "CREATE TABLE _state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)


class RecordStore:
    """Records of all kinds, each cell with its quote.

    A document's records are replaced as a whole, in one transaction: after a kill a document is
    either as it was or as it shall be. Safe among threads and processes.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = SQLiteFile(self.path, FORM)

    def close(self) -> None:
        """Close the file; the next access opens it again."""
        self._file.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make all that is written within one transaction: a wave of documents."""
        with self._file.transaction():
            yield

    def schema(self) -> Schema:
        """Return the schema as written last, with its declared links only."""
        with self._file.reading() as connection:
            return _read_schema(connection)

    def write_schema(self, schema: Schema) -> tuple[str, ...]:
        """Write a schema; return the documents to be read again.

        Values of attributes that did not change are kept. Stale become documents that were read for
        a kind with a new or changed attribute, were one record of a kind that is gone, or may hold
        a new kind: all for a kind of rows, those without a record for a kind of documents.
        """
        with self._file.transaction() as connection:
            old = _read_schema(connection)
            if old == schema:
                return ()
            _change_schema(connection, old, schema)
            _touch(connection)
            rows = connection.execute("SELECT document FROM _documents WHERE status = 'stale'")
            return tuple(sorted(document for (document,) in rows))

    def put(
        self,
        document: str,
        digest: str,
        records: Sequence[Record],
        failures: Sequence[Failure] = (),
        kinds: Sequence[str] | None = None,
    ) -> None:
        """Replace all that is known of a document, and keep its text's digest.

        Values are as `normalise` returns them. Without `kinds` the document counts as read for all.

        Raises ProgramFault: a record is of another document or of no known kind.
        """
        with self._file.transaction() as connection:
            schema = _read_schema(connection)
            _remove(connection, document)
            status = "read" if not failures else "partial" if records else "failed"
            for_ = "\n".join(kinds or [kind.name for kind in schema.kinds])
            state = (document, digest, status, for_)
            connection.execute("INSERT INTO _documents VALUES (?, ?, ?, ?)", state)
            for record in records:
                _insert(connection, schema, document, record)
            connection.executemany(
                "INSERT INTO _failures (document, data) VALUES (?, ?)",
                [(document, each.model_dump_json(exclude_defaults=True)) for each in failures],
            )
            _touch(connection)

    def forget(self, document: str) -> None:
        """Remove all that is known of a document."""
        with self._file.transaction() as connection:
            _remove(connection, document)
            _touch(connection)

    def documents(self) -> Mapping[str, DocumentState]:
        """Return what is known of each document, by name."""
        with self._file.reading() as connection:
            rows = connection.execute("SELECT * FROM _documents ORDER BY document").fetchall()
        return {
            name: DocumentState(name, digest, status, tuple(filter(None, kinds.split("\n"))))
            for name, digest, status, kinds in rows
        }

    def failures(self, document: str | None = None) -> tuple[Failure, ...]:
        """Return what could not be read, of one document or of all."""
        query = "SELECT data FROM _failures WHERE document = IFNULL(?, document)"
        with self._file.reading() as connection:
            rows = connection.execute(f"{query} ORDER BY document, number", (document,)).fetchall()
        return tuple(Failure.model_validate_json(data) for (data,) in rows)

    def records(self, ids: Iterable[int]) -> Mapping[int, Record]:
        """Return records by id, each with its cells and their quotes."""
        query = "SELECT data FROM _records WHERE record = ?"
        with self._file.reading() as connection:
            rows = {each: connection.execute(query, (each,)).fetchone() for each in ids}
        return {each: Record.model_validate_json(row[0]) for each, row in rows.items() if row}

    def records_of(self, document: str) -> tuple[Record, ...]:
        """Return what was read from a document, in its order."""
        with self._file.reading() as connection:
            rows = connection.execute(
                "SELECT data FROM _records WHERE document = ? ORDER BY record", (document,)
            ).fetchall()
        return tuple(Record.model_validate_json(data) for (data,) in rows)

    def tables(self) -> Tables:
        """Return the schema with inferred links and units, and statistics, as they are now."""
        with self._file.snapshot() as connection:
            if is_computed(connection):
                return stored_tables(connection)
        with self._file.transaction() as connection:
            compute(connection, _read_schema(connection))
            return stored_tables(connection)


def _meaning(attribute: Attribute) -> tuple[object, ...]:
    """Return what, if it changes, has values read again: not labels, order or most examples."""
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


def _read_schema(connection: sqlite3.Connection) -> Schema:
    kinds = connection.execute("SELECT data FROM _kinds ORDER BY position").fetchall()
    links = connection.execute("SELECT data FROM _links ORDER BY position").fetchall()
    return Schema(
        kinds=tuple(Kind.model_validate_json(data) for (data,) in kinds),
        links=tuple(Link.model_validate_json(data) for (data,) in links),
    )


def _change_schema(connection: sqlite3.Connection, old: Schema, new: Schema) -> None:
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


def _touch(connection: sqlite3.Connection) -> None:
    """Mark the tables as out of date."""
    connection.execute("DELETE FROM _state WHERE name = 'computed'")


def _remove(connection: sqlite3.Connection, document: str) -> None:
    for table in ("_records", "_failures", "_documents"):
        connection.execute(f"DELETE FROM {table} WHERE document = ?", (document,))


def _insert(connection: sqlite3.Connection, schema: Schema, document: str, record: Record) -> None:
    if schema.kind(record.kind) is None or record.document != document:
        raise ProgramFault(
            f"a record of kind {record.kind!r} in {record.document!r} cannot be stored as one of "
            f"{document!r}: kinds are {', '.join(each.name for each in schema.kinds)}"
        )
    told = (record.kind, document, record.model_dump_json(exclude_defaults=True))
    connection.execute("INSERT INTO _records (kind, document, data) VALUES (?, ?, ?)", told)


FORM: Final = FileForm(
    name="file of records",
    migrations=(*[()] * 3, _TABLES),  # formats before the fourth were of no release
    remedy="move the file away and fill again",
    checked=True,
    prepare=partial(register_functions, late=lambda: False),
)
