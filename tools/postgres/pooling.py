"""Poolers between us and the server: one that shares connections among transactions is refused."""

from typing import Any

import psycopg
from psycopg.rows import scalar_row

from agent.errors import SettingsError
from tools.postgres.address import ServerAddress

__all__ = ("refuse_shared_connections",)

_LOOKS = 2
"""A pooler that takes its connections in turns gives another one to the second statement."""

Connection = psycopg.Connection[Any]


def refuse_shared_connections(
    address: ServerAddress, connection: Connection, arguments: dict[str, Any]
) -> None:
    """Raise SettingsError where other clients' statements run on the same connection's server side.

    Locks and settings belong to a server process. It tells its number when it is connected to,
    where nobody stands between; else a second connection has to be served by another process.

    Args:
        address: how the message calls the server.
        connection: the connection that is looked at; it is in no transaction.
        arguments: what it was opened with.
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
