"""The lock that forbids two writers on one corpus, whatever machines they are on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from psycopg.rows import tuple_row

from agent.errors import CorpusLocked
from tools.postgres.address import ServerAddress
from tools.postgres.advisory import acquire, key_of
from tools.postgres.connection import connect
from tools.postgres.failures import explained

__all__ = ("writing_on",)


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
