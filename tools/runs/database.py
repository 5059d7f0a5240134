"""Where the runs of a corpus are written down: a SQLite file, or tables on a team's server."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final, Protocol

from agent.errors import RunError
from tools.runs.migrations import MIGRATIONS
from tools.sqlite_file import FileForm, SQLiteFile
from tools.statements import Statements

__all__ = ("NO_RUN", "Database", "FileDatabase")

NO_RUN: Final = "the run is not in the store; create it first"
_FORM: Final = FileForm(
    name="run store",
    migrations=MIGRATIONS,
    remedy=(
        "move the file away: its runs are lost, the corpus is not, and the question can be asked "
        "again"
    ),
    checked=True,
)


class Database(Protocol):
    """Tables of runs; every access is a transaction."""

    def read(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return all rows of a query; raises as `transaction` does."""
        ...

    def write(self, statement: str, *rows: Sequence[object]) -> int:
        """Execute a statement once for each row of values; return how many rows it changed."""
        ...

    def transaction(self) -> AbstractContextManager[Statements]:
        """Hold the write lock; commit at the end, undo everything on an error.

        Transactions nest: inner ones are part of the outermost.

        Raises:
            CorpusDamaged: the tables are broken or come from a newer version.
            CorpusLocked: another process has been writing for half a minute.
            CorpusUnreachable: the server does not answer.
            CorpusError: the tables cannot be written.
            RunError: a row belongs to a run that does not exist.
        """
        ...

    def close(self) -> None:
        """Close file or connection; the next transaction opens it again."""
        ...


class FileDatabase:
    """The SQLite file of a corpus's runs."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = SQLiteFile(path, _FORM)

    def read(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        with self._file.reading() as connection:
            return connection.execute(query, values).fetchall()

    def write(self, statement: str, *rows: Sequence[object]) -> int:
        """Execute a statement once for each row of values; return how many rows it changed."""
        with self.transaction() as connection:
            return connection.executemany(statement, rows).rowcount

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold the write lock; commit at the end, undo everything on an error."""
        with self._file.transaction() as connection:
            try:
                yield connection
            except sqlite3.IntegrityError as error:
                if error.sqlite_errorname == "SQLITE_CONSTRAINT_FOREIGNKEY":
                    raise RunError(NO_RUN) from error
                raise

    def close(self) -> None:
        """Close the file; the next transaction opens it again."""
        self._file.close()
