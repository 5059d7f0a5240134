"""The tables of one corpus on a server: made when first used, safe among threads and machines."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from threading import RLock
from typing import Any, LiteralString
from weakref import finalize

import psycopg
from psycopg import sql
from psycopg.pq import TransactionStatus
from psycopg.rows import TupleRow, tuple_row

from agent.errors import CorpusDamaged
from tools.postgres.address import ServerAddress
from tools.postgres.connection import connect, explained, key_of, schema_of
from tools.sqlite_file import Tables

_NUL = "␀"
"""Stands for the character that no text of PostgreSQL may hold."""


def lock_tables(connection: psycopg.Connection[Any], corpus: str) -> None:
    """Wait half a minute until nobody else writes the corpus's tables; ours in this transaction."""
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (key_of("tables", corpus),))


def make_schema(connection: psycopg.Connection[Any], corpus: str) -> None:
    """Make the schema where it is missing; raises InsufficientPrivilege where the role may not."""
    schema = sql.Identifier(schema_of(corpus))
    with connection.transaction():
        lock_tables(connection, corpus)
        connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(schema))


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSet:
    """Tables that are kept up to date together."""

    name: str
    """A word of lower-case letters: its format is known under it."""
    migrations: Sequence[Sequence[str]]
    """PostgreSQL's statements by which each format comes from the one before."""


class ServerStatements:
    """A connection that takes the statements which SQLite takes; satisfies `Statements`."""

    def __init__(self, connection: psycopg.Connection[TupleRow]) -> None:
        self.connection = connection

    @property
    def in_transaction(self) -> bool:
        """Whether what is executed is undone where the transaction fails."""
        return self.connection.info.transaction_status != TransactionStatus.IDLE

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> psycopg.Cursor[TupleRow]:
        """Execute a statement once."""
        return self.connection.execute(_with_placeholders(statement), _storable(values))

    def executemany(
        self, statement: str, rows: Iterable[Sequence[Any]], /
    ) -> psycopg.Cursor[TupleRow]:
        """Execute a statement once for each row of values."""
        cursor = self.connection.cursor()
        cursor.executemany(_with_placeholders(statement), map(_storable, rows))
        return cursor


class ServerTables(Tables):
    """The connection to one corpus's tables; every access is a transaction that survives a kill.

    One connection serves all threads behind a lock, and one transaction at a time writes the
    tables of a corpus, whatever machine it runs on; other corpora are not held up.
    """

    def __init__(self, address: ServerAddress, corpus: str, tables: TableSet) -> None:
        self._address = address
        self._corpus = corpus
        self._tables = tables
        self._lock = RLock()
        self._opened: ServerStatements | None = None
        self._forgotten: finalize[..., ServerTables] | None = None

    @contextmanager
    def reading(self) -> Iterator[ServerStatements]:
        """Hold the connection."""
        with self._lock, explained(self._address):
            try:
                yield self._connection()
            except psycopg.OperationalError:
                if self._opened is not None and self._opened.connection.broken:
                    self.close()
                raise

    @contextmanager
    def transaction(self) -> Iterator[ServerStatements]:
        """Hold the write lock; raises what `explained` raises."""
        with self.reading() as statements:
            if statements.in_transaction:
                yield statements
                return
            with statements.connection.transaction():
                lock_tables(statements.connection, self._corpus)
                yield statements

    def close(self) -> None:
        """Close the connection; the next access opens another one."""
        with self._lock:
            if self._opened is not None:
                self._opened.connection.close()
                self._opened = None
            if self._forgotten is not None:
                self._forgotten.detach()

    def _connection(self) -> ServerStatements:
        if self._opened is None:
            opened = ServerStatements(connect(self._address, self._corpus, tuple_row))
            try:
                self._prepare(opened)
            except BaseException:
                opened.connection.close()
                raise
            self._opened = opened
            self._forgotten = finalize(self, opened.connection.close)
        return self._opened

    def _prepare(self, statements: ServerStatements) -> None:
        """Make the tables, or bring them up to date, where this was not done yet."""
        newest = len(self._tables.migrations)
        if self._format(statements) == newest:
            return
        with statements.connection.transaction():
            make_schema(statements.connection, self._corpus)
            statements.execute(
                "CREATE TABLE IF NOT EXISTS formats (name TEXT PRIMARY KEY, format INT NOT NULL)"
            )
            for step in self._tables.migrations[self._format(statements) :]:
                for statement in step:
                    statements.execute(statement)
            statements.execute(
                "INSERT INTO formats VALUES (?, ?) "
                "ON CONFLICT (name) DO UPDATE SET format = excluded.format",
                (self._tables.name, newest),
            )

    def _format(self, statements: ServerStatements) -> int:
        """Return which format the tables have, 0 where there are none."""
        if statements.execute("SELECT to_regclass('formats')::text").fetchone() == (None,):
            return 0
        query = "SELECT format FROM formats WHERE name = ?"
        row = statements.execute(query, (self._tables.name,)).fetchone()
        found = 0 if row is None else int(row[0])
        if found > (newest := len(self._tables.migrations)):
            raise CorpusDamaged(
                f"the store {self._address.shown!r}: the format of its {self._tables.name} is "
                f"{found}, this Headcount knows up to {newest}; use the newer Headcount"
            )
        return found


@cache
def _with_placeholders(statement: str) -> LiteralString:
    """Write `?` as the driver does; our statements are constants without `?` or `%` in strings."""
    return statement.replace("?", "%s")


def _storable(values: Sequence[Any]) -> list[Any]:
    return [
        each.replace("\0", _NUL) if isinstance(each, str) and "\0" in each else each
        for each in values
    ]
