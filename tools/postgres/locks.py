"""Locks that a server holds for a connection: they go when it goes, however its process ends."""

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from psycopg.rows import scalar_row, tuple_row

from agent.errors import CorpusLocked
from tools.postgres.address import ServerAddress
from tools.postgres.connection import connect, explained

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

    Args:
        address: the server.
        name: the corpus's id, or its URL.
        shown: how a message calls it.

    Yields what is called before the corpus is changed for its readers. It raises CorpusUnreachable
    where the connection, and with it the lock, was lost.
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
