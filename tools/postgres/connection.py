"""Connections to a team's server, each in the schema of one corpus: their locks and their tables.

The server holds a lock for a connection: it goes when that goes, however its process ends. Tables
are made when first used, safe among threads and machines.
"""

import hashlib
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from threading import RLock
from typing import Any, Final, LiteralString, TypeVar
from weakref import finalize

import psycopg
from psycopg import errors, sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg.rows import RowFactory, TupleRow, scalar_row, tuple_row

from agent.errors import (
    CorpusDamaged,
    CorpusError,
    CorpusLocked,
    CorpusUnreachable,
    HeadcountError,
    RunError,
    SettingsError,
)
from tools.postgres.address import ServerAddress
from tools.sqlite_file import Tables

_RIGHTS = (errors.InsufficientPrivilege, errors.InvalidSchemaName)
"""A schema that the role may not use is to it as none."""
_BUSY = (errors.LockNotAvailable, errors.DeadlockDetected, errors.SerializationFailure)
_DAMAGE = (errors.DataCorrupted, errors.IndexCorrupted, errors.UndefinedTable)
_LOOKS = 2
"""A pooler that takes its connections in turns gives another one to the second statement."""
Connection = psycopg.Connection[Any]
Row = TypeVar("Row")
LOCK_SECONDS: Final = 30
"""How long a transaction waits for another one, in seconds."""
_CONNECT: Final[dict[str, Any]] = {
    "application_name": "headcount",
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
}
"""What the URL need not say; in seconds. A server that is gone is noticed within a minute."""
_SETTINGS: Final[LiteralString] = """
    SELECT set_config(wanted.name, wanted.value, false)
    FROM (VALUES ('search_path', %(schema)s), ('lock_timeout', %(lock)s),
                 ('idle_session_timeout', '0'), ('tcp_keepalives_idle', '30'),
                 ('tcp_keepalives_interval', '10'), ('tcp_keepalives_count', '3'))
         AS wanted (name, value)
    JOIN pg_settings USING (name)
"""
"""The server notices within a minute that a machine is gone, and frees the locks it held."""


@contextmanager
def explained(address: ServerAddress) -> Iterator[None]:
    """Raise the driver's errors as Headcount's, saying what to do."""
    try:
        yield
    except psycopg.Error as error:
        raise _meaning(address, error) from error


def _meaning(address: ServerAddress, error: psycopg.Error) -> HeadcountError:
    store = f"the store {address.shown!r}"
    # Details may quote rows, and the driver's text has many lines.
    lines = (error.diag.message_primary or str(error)).strip().splitlines()
    told = lines[0] if lines else type(error).__name__
    if isinstance(error, _BUSY):
        return CorpusLocked(f"another process is writing {store}; try again")
    if isinstance(error, _RIGHTS):
        return SettingsError(
            f"{store} refuses ({told}): grant the role CREATE on the database; where another role "
            "made the corpus's schema, let the team share that one"
        )
    if isinstance(error, errors.ForeignKeyViolation):
        return RunError(f"what the row belongs to is not in {store}; create it first")
    if isinstance(error, _DAMAGE):
        return CorpusDamaged(f"{store} is damaged ({told}): restore it from its backup")
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return CorpusUnreachable(
            f"{store} cannot be reached ({told}): check server, user and password and try again; "
            "nothing that was written is lost"
        )
    return CorpusError(f"{store} cannot be used ({told})")


def refuse_shared_connections(
    address: ServerAddress, connection: Connection, arguments: dict[str, Any]
) -> None:
    """Raise SettingsError where other clients' statements run on the same connection's server side.

    Locks and settings belong to a server process. It tells its number when it is connected to,
    where nobody stands between; else a second connection has to be served by another process.

    The connection is in no transaction; `arguments` are what it was opened with.
    """
    served = _process(connection)
    if served == connection.info.backend_pid:
        return
    with psycopg.connect(**arguments, autocommit=True) as other:
        mine = {served, *(_process(connection) for _ in range(_LOOKS))}
        others = {_process(other) for _ in range(_LOOKS)}
    if len(mine) == len(others) == 1 and mine.isdisjoint(others):
        return
    raise SettingsError(
        f"the store {address.shown!r} is reached by a pooler that shares connections among "
        "transactions, which loses the locks of runs: name the server itself, or a pooler in "
        "session mode"
    )


def _process(connection: Connection) -> int:
    """Return the number of the server's process that carries a statement out."""
    with connection.cursor(row_factory=scalar_row) as cursor:
        # prepared statements stay behind on a connection that is shared
        told = cursor.execute("SELECT pg_backend_pid()", prepare=False).fetchone()
    return int(told or 0)


logging.getLogger("psycopg").addHandler(logging.NullHandler())
"""What goes wrong is raised: a program that has no log is not told of it a second time."""


def schema_of(corpus: str) -> str:
    """Return the schema that holds the tables of a corpus, by the corpus's id.

    >>> schema_of("c0ffee123456")
    'headcount_c0ffee123456'
    """
    return f"headcount_{corpus}"


def connect(address: ServerAddress, corpus: str, rows: RowFactory[Row]) -> psycopg.Connection[Row]:
    """Connect; every statement is a transaction of its own unless one is begun.

    `corpus` is the id of the one whose tables are meant, empty for locks alone. Raises
    SettingsError for an option or a pooler that cannot be used, CorpusUnreachable.
    """
    values = {"schema": schema_of(corpus), "lock": f"{LOCK_SECONDS}s"}
    try:
        arguments = _CONNECT | conninfo_to_dict(address.url)
    except psycopg.ProgrammingError:  # its text quotes the URL
        raise SettingsError(
            f"the store {address.shown!r} cannot be read: check its options, and that every "
            "reserved character of the password is percent-encoded"
        ) from None
    with explained(address):
        connection = psycopg.connect(**arguments, autocommit=True, row_factory=rows)
        try:
            refuse_shared_connections(address, connection, arguments)
            connection.execute(_SETTINGS, values)
        except BaseException:
            connection.close()
            raise
    return connection


_POLL_SECONDS: Final = 0.05


def key_of(*names: str) -> int:
    """Return the number by which the server knows a lock: 64 bits of a digest, signed.

    >>> key_of("run", "r1") == key_of("run", "r1") != key_of("run", "r2")
    True
    """
    digest = hashlib.sha256("\0".join(("headcount", *names)).encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def acquire(connection: psycopg.Connection[Any], key: int) -> bool:
    """Take a lock for the connection if nobody holds it; tell whether it was taken."""
    with connection.cursor(row_factory=scalar_row) as cursor:
        return bool(cursor.execute("SELECT pg_try_advisory_lock(%s)", (key,)).fetchone())


def release(connection: psycopg.Connection[Any], key: int) -> None:
    """Give a lock back; a connection that is gone holds none."""
    if not connection.closed:
        connection.execute("SELECT pg_advisory_unlock(%s)", (key,))


@contextmanager
def waiting_for(connection: psycopg.Connection[Any], key: int, seconds: float) -> Iterator[None]:
    """Hold a lock, waiting for it between statements; raises CorpusLocked after so many seconds.

    A statement that waited for it would hold a snapshot, and building an index concurrently waits
    for all snapshots: the two would wait for one another.
    """
    last = time.monotonic() + seconds
    while not acquire(connection, key):
        if time.monotonic() > last:
            raise CorpusLocked("another process prepares the store for this corpus; try again")
        time.sleep(_POLL_SECONDS)
    try:
        yield
    finally:
        release(connection, key)


@contextmanager
def writing_on(address: ServerAddress, name: str, shown: str) -> Iterator[Callable[[], None]]:
    """Hold a corpus's write lock on a server; raises CorpusLocked at once where it is taken.

    What is yielded is called before the corpus changes: CorpusUnreachable where the lock was lost.
    """
    connection = connect(address, "", tuple_row)
    try:
        with explained(address):
            taken = acquire(connection, key_of("writer", name))
        if not taken:
            raise CorpusLocked(
                f"{shown!r} is being indexed by another process, here or on another machine: "
                "wait until it is done, then run the command again"
            )

        def check() -> None:
            with explained(address):
                connection.execute("SELECT 1")

        yield check
    finally:
        connection.close()


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
