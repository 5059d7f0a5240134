"""The SQLite file of a corpus's records: every access is a transaction that survives a kill."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Final

from agent.errors import CorpusDamaged, CorpusError, CorpusLocked, HeadcountError
from agent.private_file import make_private
from agent.write_ahead import enter_write_ahead
from tools.records.aggregates import register_functions

__all__ = ("StoreFile", "explained")

_FORMAT: Final = 1
_BUSY_SECONDS: Final = 30.0
_DAMAGE: Final = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT")
_BUSY: Final = ("SQLITE_BUSY", "SQLITE_LOCKED")
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


class StoreFile:
    """The connection to one file, opened when first used; one serves all threads behind a lock.

    The file is created with mode 0600: it holds quotes.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = RLock()
        self._connection: sqlite3.Connection | None = None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Hold the connection; raises as `transaction` does."""
        with self._lock, explained(self.path):
            yield self._opened()

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Hold one state of the file while reading; raises as `transaction` does."""
        with self.reading() as connection:
            if connection.in_transaction:
                yield connection
                return
            with connection:
                connection.execute("BEGIN")
                yield connection

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold the write lock; commit at the end, undo everything on an error.

        Raises:
            CorpusDamaged: the file is broken or comes from a newer version.
            CorpusLocked: another process has been writing for half a minute.
            CorpusError: the file cannot be written.
        """
        with self._lock, explained(self.path):
            connection = self._opened()
            if connection.in_transaction:
                yield connection
                return
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection

    def close(self) -> None:
        """Close the file; the next access opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            connection = self._connect()
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _connect(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            make_private(self.path)
        except OSError as error:
            raise CorpusError(
                f"cannot write the records {str(self.path)!r} ({error.strerror}); "
                "make their folder writable"
            ) from error
        return sqlite3.connect(
            self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )

    def _prepare(self, connection: sqlite3.Connection) -> None:
        enter_write_ahead(connection, self.path)
        for pragma in ("synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")
        register_functions(connection, late=lambda: False)
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            self._create(connection)

    def _create(self, connection: sqlite3.Connection) -> None:
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > _FORMAT:
            raise CorpusDamaged(
                f"the records {str(self.path)!r} have format {version}, this Headcount knows up "
                f"to {_FORMAT}; use the newer Headcount that wrote them"
            )
        if version < _FORMAT:
            for statement in _TABLES:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {_FORMAT}")


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Raise SQLite's errors as those of the corpus, saying what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise _meaning(path, error) from error


def _meaning(path: Path, error: sqlite3.Error) -> HeadcountError:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(_DAMAGE):
        return CorpusDamaged(
            f"the records {str(path)!r} are damaged ({error}); move the file away and fill again"
        )
    if name.startswith(_BUSY):
        return CorpusLocked(f"another process is writing the records {str(path)!r}; try again")
    return CorpusError(
        f"the records {str(path)!r} cannot be used ({error}); "
        "check the disk's free space and the folder's permissions"
    )
