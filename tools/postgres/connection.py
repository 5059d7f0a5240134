"""Connections to a team's server, each in the schema of one corpus."""

import logging
from typing import Any, Final, LiteralString, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import RowFactory

from agent.errors import SettingsError
from tools.postgres.address import ServerAddress
from tools.postgres.failures import explained
from tools.postgres.pooling import refuse_shared_connections

__all__ = ("LOCK_SECONDS", "connect", "schema_of")

Row = TypeVar("Row")

logging.getLogger("psycopg").addHandler(logging.NullHandler())
"""What goes wrong is raised: a program that has no log is not told of it a second time."""

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


def schema_of(corpus: str) -> str:
    """Return the schema that holds the tables of a corpus, by the corpus's id.

    >>> schema_of("c0ffee123456")
    'headcount_c0ffee123456'
    """
    return f"headcount_{corpus}"


def connect(address: ServerAddress, corpus: str, rows: RowFactory[Row]) -> psycopg.Connection[Row]:
    """Connect; every statement is a transaction of its own unless one is begun.

    Args:
        address: the server.
        corpus: the id of the corpus whose tables are meant where a statement names one; empty for
            locks alone.
        rows: what a row comes back as.

    Raises:
        SettingsError: the URL has a part that the driver does not know, or leads to a pooler that
            shares connections among transactions.
        CorpusUnreachable: the server does not answer or refuses the login.
    """
    values = {"schema": schema_of(corpus), "lock": f"{LOCK_SECONDS}s"}
    arguments = _arguments(address)
    with explained(address):
        connection = psycopg.connect(**arguments, autocommit=True, row_factory=rows)
        try:
            refuse_shared_connections(address, connection, arguments)
            connection.execute(_SETTINGS, values)
        except BaseException:
            connection.close()
            raise
    return connection


def _arguments(address: ServerAddress) -> dict[str, Any]:
    try:
        return _CONNECT | conninfo_to_dict(address.url)
    except psycopg.ProgrammingError:  # its text quotes the URL
        raise SettingsError(
            f"the store {address.shown!r} cannot be read: check its options, and that every "
            "reserved character of the password is percent-encoded"
        ) from None
