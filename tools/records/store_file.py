"""The SQLite file of a corpus's records: its tables beside those of the kinds."""

import sqlite3
from pathlib import Path
from typing import Final

from tools.records.aggregates import register_functions
from tools.sqlite_file import FileForm, SQLiteFile

__all__ = ("FORM", "store_file")

_TABLES: Final = (
    """CREATE TABLE _kinds (
        kind TEXT PRIMARY KEY, position INTEGER NOT NULL, data TEXT NOT NULL) WITHOUT ROWID""",
    "CREATE TABLE _links (position INTEGER PRIMARY KEY, data TEXT NOT NULL)",
    """CREATE TABLE _documents (
        document TEXT PRIMARY KEY, digest TEXT NOT NULL, status TEXT NOT NULL,
        kinds TEXT NOT NULL, records INTEGER NOT NULL, failures INTEGER NOT NULL) WITHOUT ROWID""",
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
    """CREATE TABLE _values (
        kind TEXT NOT NULL, attribute TEXT NOT NULL, folded TEXT NOT NULL, value TEXT NOT NULL,
        rows INTEGER NOT NULL)""",
    "CREATE INDEX _values_by_text ON _values (folded)",
    "CREATE TABLE _state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)

_WITHOUT_INFERRED: Final = ("DROP TABLE IF EXISTS _inferred",)
"""What is found in the tables stands under `_state` since the second format."""


def store_file(path: Path) -> SQLiteFile:
    """Return the file, which is opened when first used."""
    return SQLiteFile(path, FORM)


def _register(connection: sqlite3.Connection) -> None:
    register_functions(connection, late=lambda: False)


FORM: Final = FileForm(
    name="file of records",
    migrations=(_TABLES, _WITHOUT_INFERRED),
    remedy="move the file away and fill again",
    prepare=_register,
)
