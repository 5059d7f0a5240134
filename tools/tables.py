"""Tables that a corpus's runs are kept in, in a file or on a server."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from agent.private_database import Closing


class Rows(Protocol):
    """What a statement gives."""

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""

    def fetchone(self) -> Any:
        """Return the next row as a tuple, None after the last one."""

    def fetchall(self) -> list[Any]:
        """Return the rest of the rows."""

    def __iter__(self) -> Iterator[Any]:
        """Yield the rows."""


class Statements(Protocol):
    """A connection, perhaps within a transaction.

    Statements are in the SQL that SQLite and PostgreSQL share, with `?` for values: conflicts are
    told by ON CONFLICT, and what JSON holds is read and changed outside.
    """

    @property
    def in_transaction(self) -> bool:
        """Whether what is executed is undone where the transaction fails."""

    def execute(self, statement: str, values: Sequence[Any] = ..., /) -> Rows:
        """Execute a statement once."""

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> Rows:
        """Execute a statement once for each row of values."""


class Tables(Closing):
    """What keeps tables, in a file or on a server; every access is a transaction."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Statements]:
        """Hold the connection; raises as `transaction` does."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[Statements]:
        """Hold the write lock; commit at the end, undo everything on an error.

        Transactions nest: inner ones are part of the outermost.

        Raises:
            CorpusDamaged: the tables are broken or come from a newer version.
            CorpusLocked: another process has been writing for half a minute.
            CorpusUnreachable: the server does not answer.
            CorpusError: the tables cannot be written.
            RunError: a row belongs to another that does not exist, such as its run.
        """

    def read(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return all rows of a query; raises as `transaction` does."""
        with self.reading() as statements:
            return statements.execute(query, values).fetchall()

    def write(self, statement: str, *rows: Sequence[object]) -> int:
        """Execute a statement once for each row of values; return how many rows it changed."""
        with self.transaction() as statements:
            return statements.executemany(statement, rows).rowcount
