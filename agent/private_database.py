"""Databases that only their owner may read: made private, written ahead, closed at the end."""

import contextlib
import os
import sqlite3
from abc import ABC, abstractmethod
from pathlib import Path
from threading import Lock
from typing import Self

_MAKING = Lock()
_SECONDS = 30.0


def make_private(path: Path) -> None:
    """Make an empty file with mode 0600 where there is none.

    A file that is there is not opened: closing it would drop all locks that SQLite holds on it in
    this process, and another process could then delete the write-ahead log in use
    (https://sqlite.org/howtocorrupt.html, section 2.2). Raises OSError where it cannot be made.
    """
    with _MAKING, contextlib.suppress(FileExistsError):
        if not path.exists():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


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


def foreign_schema(connection: sqlite3.Connection) -> str:
    """Say what a stranger put into a file that acts when it is used; empty where nothing does.

    Views, triggers and virtual tables have no page of their own (https://sqlite.org/security.html).
    """
    connection.execute("PRAGMA trusted_schema = OFF")
    query = "SELECT name FROM sqlite_schema WHERE rootpage IS NULL OR rootpage = 0"
    found = connection.execute(query).fetchone()
    return f"it holds {found[0]!r}, which is no table of Headcount" if found else ""


class Closing(ABC):
    """Holds files or connections; may be closed by hand, or by a `with` statement's end."""

    @abstractmethod
    def close(self) -> None:
        """Close what is held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
