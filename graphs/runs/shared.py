"""Runs kept on a team's server: whoever has the corpus can resume them, one at a time."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock

import psycopg
from langgraph.checkpoint.postgres import PostgresSaver
from psycopg import Cursor
from psycopg.rows import DictRow, dict_row

from agent.cost import Cost
from agent.errors import RunError
from agent.reasoners.ledger import Bill
from graphs.runs.beside import serializer
from tools.postgres.address import ServerAddress
from tools.postgres.connection import (
    LOCK_SECONDS,
    ServerTables,
    acquire,
    connect,
    explained,
    key_of,
    make_schema,
    release,
    waiting_for,
)
from tools.runs.server_database import BILLS, BillRows


class SharedRuns:
    """The checkpoints, locks and bills of one corpus's runs on a server.

    The locks of runs are the connection's that writes the checkpoints. Whoever loses it loses the
    locks, which another process may take then, and cannot save another step.
    """

    def __init__(self, address: ServerAddress, corpus: str) -> None:
        self._address = address
        self._corpus = corpus
        self._saver: ServerSaver | None = None
        self._bills = ServerTables(address, corpus, BILLS)
        self._held: set[str] = set()
        self._guard = Lock()

    def saver(self) -> "ServerSaver":
        """Return the checkpoints, connected to when first asked for."""
        if self._saver is None:
            self._saver = ServerSaver(self._address, self._corpus)
        return self._saver

    @contextmanager
    def working_on(self, run: str) -> Iterator[None]:
        """Hold a run's lock; the server frees it when the connection ends."""
        saver, key = self.saver(), key_of("run", self._corpus, run)
        with self._guard:
            self._take(saver, run, key)
        try:
            yield
        finally:
            with self._guard:
                self._held.discard(run)
                with suppress(psycopg.OperationalError), saver.lock:  # cut: it holds no lock
                    release(saver.connection, key)

    def bill(self, run: str, since: Cost) -> Bill:
        """Open a run's bill where its last checkpoint left it."""
        return Bill(BillRows(self._bills, run), since)

    def close(self) -> None:
        """Close the connections."""
        self._bills.close()
        if self._saver is not None:
            self._saver.connection.close()

    def _take(self, saver: "ServerSaver", run: str, key: int) -> None:
        with explained(self._address), saver.lock:
            if not self._held:
                saver.reconnect()
            if run in self._held or not acquire(saver.connection, key):
                raise RunError(
                    f"run {run!r} is being worked on by another process, here or on another "
                    "machine: wait until it is done"
                )
        self._held.add(run)


class ServerSaver(PostgresSaver):
    """LangGraph's own saver over one connection; its methods raise as `explained` does."""

    def __init__(self, address: ServerAddress, corpus: str) -> None:
        self.address = address
        self._corpus = corpus
        self.connection = connect(address, corpus, dict_row)
        super().__init__(self.connection, serde=serializer())
        try:
            with explained(address):
                self._prepare()
        except BaseException:
            self.connection.close()
            raise

    def reconnect(self) -> None:
        """Connect anew where the connection was cut; locks that it held are gone."""
        if self.connection.closed:
            self.conn = self.connection = connect(self.address, self._corpus, dict_row)

    @contextmanager
    def _cursor(self, *, pipeline: bool = False) -> Iterator[Cursor[DictRow]]:
        """Open a cursor, as every method of LangGraph's saver does."""
        with explained(self.address), super()._cursor(pipeline=pipeline) as cursor:
            yield cursor

    def _prepare(self) -> None:
        """Make LangGraph's tables, or bring them up to date, where this was not done yet."""
        newest = len(self.MIGRATIONS) - 1
        if _version(self.connection) >= newest:
            return
        make_schema(self.connection, self._corpus)
        key = key_of("checkpoints", self._corpus)
        with waiting_for(self.connection, key, LOCK_SECONDS):
            self.setup()


def _version(connection: psycopg.Connection[DictRow]) -> int:
    """Return which of LangGraph's migrations was the last, -1 where there was none."""
    made = connection.execute("SELECT to_regclass('checkpoint_migrations')::text AS name")
    if made.fetchone() == {"name": None}:
        return -1
    query = "SELECT coalesce(max(v), -1) AS v FROM checkpoint_migrations"
    row = connection.execute(query).fetchone()
    return -1 if row is None else int(row["v"])
