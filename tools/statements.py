"""What SQLite's connections and ours to a server have in common: all that stores of runs need."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

__all__ = ("Rows", "Statements")


class Rows(Protocol):
    """What a statement gives."""

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        ...

    def fetchone(self) -> Any:
        """Return the next row as a tuple, None after the last one."""
        ...

    def fetchall(self) -> list[Any]:
        """Return the rest of the rows."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """Yield the rows."""
        ...


class Statements(Protocol):
    """A connection, perhaps within a transaction.

    Statements are in the SQL that SQLite and PostgreSQL share, with `?` for values: conflicts are
    told by ON CONFLICT, and what JSON holds is read and changed outside.
    """

    @property
    def in_transaction(self) -> bool:
        """Whether what is executed is undone where the transaction fails."""
        ...

    def execute(self, statement: str, values: Sequence[Any] = ..., /) -> Rows:
        """Execute a statement once."""
        ...

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> Rows:
        """Execute a statement once for each row of values."""
        ...
