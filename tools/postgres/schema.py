"""The schema of a corpus on a server: no statement names the corpus, and corpora do not meet."""

from typing import Any

import psycopg
from psycopg import sql

from tools.postgres.advisory import key_of
from tools.postgres.connection import schema_of

__all__ = ("lock_tables", "make_schema")


def lock_tables(connection: psycopg.Connection[Any], corpus: str) -> None:
    """Wait until nobody else writes the corpus's tables; they are ours until the transaction ends.

    Raises LockNotAvailable after half a minute.
    """
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (key_of("tables", corpus),))


def make_schema(connection: psycopg.Connection[Any], corpus: str) -> None:
    """Make the schema where it is missing; raises InsufficientPrivilege where the role may not."""
    schema = sql.Identifier(schema_of(corpus))
    with connection.transaction():
        lock_tables(connection, corpus)
        connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(schema))
