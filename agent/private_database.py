"""Databases that only their owner may read: made private, written ahead, closed at the end."""

import contextlib
import os
import re
import sqlite3
from abc import ABC, abstractmethod
from pathlib import Path
from threading import Lock
from typing import Self

from agent.small_files import open_plain

_MAKING = Lock()
_SECONDS = 30.0
_JOURNAL_END = bytes.fromhex("d9d505f920a163d7")
_APART = re.compile(
    r"""("(?:[^"]|"")*"|'(?:[^']|'')*'|`(?:[^`]|``)*`|\[[^]]*\])|\s+|--[^\n]*|/\*.*?(?:\*/|$)""",
    re.DOTALL,
)
_PLAIN = re.compile(
    r"CREATE TABLE (?!.*(\b(CHECK|AS)\b|\bDEFAULT *\()).*"
    r"|CREATE (UNIQUE +)?INDEX +\w+ +ON +\w+ *\( *\w+ *(, *\w+ *)*\) *",
    re.IGNORECASE,
)
"""Of a statement with one word for each quoted one."""


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
    with changing(path):
        connection.execute("PRAGMA journal_mode = WAL")


def changing(path: Path) -> contextlib.AbstractContextManager[object]:
    """Hold the lock beside a database; whoever is to write takes it once, a thread even twice."""
    from filelock import FileLock

    lock = f"{os.path.realpath(path)}.lock"
    return FileLock(lock, timeout=_SECONDS, mode=0o600, is_singleton=True)


def leads_elsewhere(path: Path) -> str:
    """Say what beside a database makes SQLite touch another file or wait; empty where nothing does.

    A rollback journal that ends in the name of another file makes SQLite delete that file when the
    database is opened (https://sqlite.org/fileformat2.html, section 3). Ours are written ahead, and
    what a kill leaves while one is switched names none. Raises CorpusDamaged as `open_plain`.
    """
    place = os.path.realpath(path)
    for each in (Path(place), Path(f"{place}-wal"), Path(f"{place}-shm")):
        if each.exists() and not each.is_file():
            return f"{str(each)!r} is no file"
    journal = Path(f"{place}-journal")
    with contextlib.suppress(FileNotFoundError), open_plain(journal) as file:
        file.seek(-min(len(_JOURNAL_END), file.seek(0, os.SEEK_END)), os.SEEK_END)
        if file.read() == _JOURNAL_END:
            return f"{str(journal)!r} names another file to delete"
    return ""


def foreign_schema(connection: sqlite3.Connection) -> str:
    """Say what a stranger put into a file that acts when it is used; empty where nothing does.

    Views, triggers and virtual tables act (https://sqlite.org/security.html), whatever the file
    calls them; constraints, columns, defaults and indexes that compute run for as long as they
    like. What Headcount and LangGraph make holds none, whichever version made it.
    """
    connection.execute("PRAGMA trusted_schema = OFF")
    query = "SELECT CAST(name AS TEXT), CAST(sql AS TEXT) FROM sqlite_schema WHERE sql <> ''"
    for name, sql in connection.execute(query):
        if not _PLAIN.fullmatch(_APART.sub(lambda found: " q " if found[1] else " ", sql)):
            return f"it holds {name!r}, which is no table of Headcount"
    return ""


class Closing(ABC):
    """Holds files or connections; may be closed by hand, or by a `with` statement's end."""

    @abstractmethod
    def close(self) -> None:
        """Close what is held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
