"""A database from a dump: SQL that somebody else wrote, run in memory, fenced in and limited."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import JsonValue

__all__ = ("opened", "select")

_BUILDING = frozenset(
    (
        sqlite3.SQLITE_CREATE_INDEX,
        sqlite3.SQLITE_CREATE_TABLE,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_INSERT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_REINDEX,
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_TRANSACTION,
        sqlite3.SQLITE_UPDATE,
    )
)
_READING = frozenset(
    (
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_PRAGMA,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_RECURSIVE,
        sqlite3.SQLITE_SELECT,
    )
)
_LONGEST = 16_000_000
"""Characters of one statement, and bytes of one value, at most."""
_PAGES = 16_000
"""Pages of 4 KiB: 64 MB at most."""
_STEPS = 20_000_000
"""Steps of SQLite's machine that one statement may take."""
_ROWS = 10_000
_LOOKS = frozenset(("foreign_key_list", "table_info"))
"""What may be asked about a table."""
_FAILED = (sqlite3.Error, sqlite3.Warning, ValueError)


@contextmanager
def opened(sql: str) -> Iterator[sqlite3.Connection]:
    """Build the database and give it for reading; what a dump may not do is not done.

    A statement that fails is passed over, as the shell of SQLite does: the rest is there.
    """
    database = sqlite3.connect(":memory:", isolation_level=None)
    try:
        _limit(database)
        _allow(database, _BUILDING)
        for statement in _statements(sql):
            _run(database, statement)
        _allow(database, _READING)
        yield database
    finally:
        database.close()


def select(database: sqlite3.Connection, sql: str) -> list[list[JsonValue]] | None:
    """Return the rows that a query selects; None where it does not run, or selects very many."""
    try:
        rows = database.execute(sql).fetchmany(_ROWS + 1)
    except _FAILED:
        return None
    return None if len(rows) > _ROWS else [[_plain(cell) for cell in row] for row in rows]


def _statements(sql: str) -> Iterator[str]:
    """Yield the statements one by one: a semicolon within quotes ends none."""
    held: list[str] = []
    for part in sql.replace("\x00", "").split(";"):
        held.append(part)
        statement = ";".join(held) + ";"
        if sqlite3.complete_statement(statement):
            yield statement
            held = []


def _run(database: sqlite3.Connection, statement: str) -> None:
    try:
        database.execute(statement)
    except _FAILED:
        if database.in_transaction:
            database.rollback()


def _limit(database: sqlite3.Connection) -> None:
    database.execute(f"PRAGMA max_page_count = {_PAGES}")
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    database.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, _LONGEST)
    database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    database.set_progress_handler(lambda: 1, _STEPS)


def _allow(database: sqlite3.Connection, actions: frozenset[int]) -> None:
    def verdict(action: int, first: str | None, second: str | None, *_: object) -> int:
        if action not in actions:
            return sqlite3.SQLITE_DENY
        unheard = action == sqlite3.SQLITE_PRAGMA and first not in _LOOKS
        loading = action == sqlite3.SQLITE_FUNCTION and second == "load_extension"
        return sqlite3.SQLITE_DENY if unheard or loading else sqlite3.SQLITE_OK

    database.set_authorizer(verdict)


def _plain(cell: object) -> JsonValue:
    return cell if isinstance(cell, str | int | float) or cell is None else str(cell)
