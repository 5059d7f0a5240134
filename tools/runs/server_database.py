"""The tables of a corpus's runs on a team's server."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from psycopg.errors import ForeignKeyViolation

from agent.errors import RunError
from tools.postgres.address import ServerAddress
from tools.postgres.tables import ServerStatements, ServerTables
from tools.runs.database import NO_RUN
from tools.runs.schema import RUNS

__all__ = ("ServerDatabase",)


class ServerDatabase:
    """The runs of one corpus, whatever machine they are on; satisfies `Database`."""

    def __init__(self, address: ServerAddress, corpus: str) -> None:
        self._tables = ServerTables(address, corpus, RUNS)

    def read(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        with self._tables.reading() as statements:
            return statements.execute(query, values).fetchall()

    def write(self, statement: str, *rows: Sequence[object]) -> int:
        """Execute a statement once for each row of values; return how many rows it changed."""
        with self.transaction() as statements:
            return statements.executemany(statement, rows).rowcount

    @contextmanager
    def transaction(self) -> Iterator[ServerStatements]:
        """Hold the write lock; commit at the end, undo everything on an error."""
        with self._tables.transaction() as statements:
            try:
                yield statements
            except ForeignKeyViolation as error:
                raise RunError(NO_RUN) from error

    def close(self) -> None:
        """Close the connection; the next transaction opens another one."""
        self._tables.close()
