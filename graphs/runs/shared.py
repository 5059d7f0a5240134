"""Runs kept on a team's server: whoever has the corpus can go on with them, one at a time."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock

import psycopg

from agent.cost import Cost
from agent.errors import RunError
from agent.reasoners.ledger import Bill
from graphs.runs.server_saver import ServerSaver
from tools.postgres.address import ServerAddress
from tools.postgres.advisory import acquire, key_of, release
from tools.postgres.failures import explained
from tools.postgres.tables import ServerTables
from tools.runs.server_database import BILLS, BillRows

__all__ = ("SharedRuns",)


class SharedRuns:
    """The runs of one corpus on a server; satisfies `RunsPlace`.

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

    def saver(self) -> ServerSaver:
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

    def _take(self, saver: ServerSaver, run: str, key: int) -> None:
        with explained(self._address), saver.lock:
            if not self._held:
                saver.reconnect()
            if run in self._held or not acquire(saver.connection, key):
                raise RunError(
                    f"run {run!r} is being worked on by another process, here or on another "
                    "machine: wait until it is done"
                )
        self._held.add(run)
