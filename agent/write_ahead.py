"""Entering SQLite's write-ahead mode without a race between processes."""

import sqlite3
from pathlib import Path

__all__ = ("enter_write_ahead",)

_SECONDS = 30.0


def enter_write_ahead(connection: sqlite3.Connection, path: Path) -> None:
    """Switch a database to WAL, one process at a time.

    SQLite answers `database is locked` at once, whatever its busy time-out, when two connections
    switch the same new file (https://sqlite.org/wal.html, section 4).

    Raises:
        sqlite3.DatabaseError: the file cannot be switched.
        TimeoutError: another process has held the switch for half a minute.
        OSError: the lock beside the file cannot be made.
    """
    from filelock import FileLock

    with FileLock(f"{path}.lock", timeout=_SECONDS, mode=0o600):
        connection.execute("PRAGMA journal_mode = WAL")
