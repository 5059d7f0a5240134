"""One SQLite file: opened when first used, safe among threads and processes, durable."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

from agent.errors import CorpusDamaged, CorpusError, CorpusLocked, HeadcountError, RunError
from agent.private_file import make_private
from agent.write_ahead import enter_write_ahead
from tools.runs.migrations import MIGRATIONS

__all__ = ("Database",)

_BUSY_SECONDS = 30.0
_DAMAGE = {"SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT"}
_BUSY = {"SQLITE_BUSY", "SQLITE_LOCKED"}


class Database:
    """The connection to one file; every access is a transaction.

    One connection serves all threads behind a lock, since SQLite has one writer at a time anyway.
    The file is created with mode 0600: it holds questions and quotes.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = RLock()
        self._connection: sqlite3.Connection | None = None

    def read(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return all rows of a query; raises as `transaction` does."""
        with self._lock, self._explaining():
            return self._opened().execute(query, values).fetchall()

    def write(self, statement: str, *rows: Sequence[object]) -> int:
        """Execute a statement once for each row of values; return how many rows it changed."""
        with self.transaction() as connection:
            return connection.executemany(statement, rows).rowcount

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold the write lock; commit at the end, undo everything on an error.

        Transactions nest: inner ones are part of the outermost.

        Raises:
            CorpusDamaged: the file is broken or comes from a newer version.
            CorpusLocked: another process has been writing for half a minute.
            CorpusError: the file cannot be written.
            RunError: a row belongs to a run that does not exist.
        """
        with self._lock, self._explaining():
            connection = self._opened()
            if connection.in_transaction:
                yield connection
                return
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection

    def close(self) -> None:
        """Close the file; the next transaction opens it again."""
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
                f"cannot write the run store {str(self.path)!r} ({error.strerror}); "
                "make its folder writable"
            ) from error
        return sqlite3.connect(
            self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )

    def _prepare(self, connection: sqlite3.Connection) -> None:
        enter_write_ahead(connection, self.path)
        for pragma in ("synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")
        verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise self._damaged(verdict)
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            self._migrate(connection)

    def _migrate(self, connection: sqlite3.Connection) -> None:
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > len(MIGRATIONS):
            raise CorpusDamaged(
                f"the run store {str(self.path)!r} has format {version}, this Headcount knows "
                f"up to {len(MIGRATIONS)}; use the newer Headcount that wrote it"
            )
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._explained(error) from error

    def _explained(self, error: sqlite3.Error) -> HeadcountError:
        name = getattr(error, "sqlite_errorname", "")
        if name == "SQLITE_CONSTRAINT_FOREIGNKEY":
            return RunError("the run is not in the store; create it first")
        if any(name.startswith(kind) for kind in _DAMAGE):
            return self._damaged(str(error))
        if any(name.startswith(kind) for kind in _BUSY):
            return CorpusLocked(
                f"another process is writing the run store {str(self.path)!r}; try again"
            )
        return CorpusError(
            f"the run store {str(self.path)!r} cannot be used ({error}); "
            "check the disk's free space and the folder's permissions"
        )

    def _damaged(self, reason: str) -> CorpusDamaged:
        return CorpusDamaged(
            f"the run store {str(self.path)!r} is damaged ({reason}); move the file away: "
            "its runs are lost, the corpus is not, and the question can be asked again"
        )
