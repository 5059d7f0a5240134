"""What is wrong with a team's server, for `headcount doctor`; nothing is made or changed there."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, LiteralString

from psycopg.rows import class_row

from tools.postgres.address import ServerAddress
from tools.postgres.connection import connect, schema_of
from tools.postgres.failures import explained

__all__ = ("StoreHealth", "inspect_store")

_OLDEST: Final = 140_000
"""PostgreSQL 14, as the server numbers itself."""
_LOOK: Final[LiteralString] = """
    SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
           current_setting('server_version_num')::int AS number,
           current_setting('server_encoding') AS encoding,
           current_setting('transaction_read_only')::bool AS read_only,
           has_database_privilege(current_database(), 'CREATE') AS creates,
           found.oid IS NOT NULL AS made,
           coalesce(has_schema_privilege(found.oid, 'USAGE')
                    AND has_schema_privilege(found.oid, 'CREATE'), true) AS enters,
           coalesce((SELECT bool_and(has_table_privilege(pg_class.oid, right_to))
                     FROM pg_class, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'])
                          AS right_to
                     WHERE relnamespace = found.oid AND relkind = 'r'), true) AS writes
    FROM (VALUES (to_regnamespace(%(schema)s))) AS found (oid)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreHealth:
    """The state of a server, and of one corpus's tables on it."""

    version: str
    """Of PostgreSQL: `16.2`."""
    schema: str | None
    """What holds the corpus's tables; None where nothing was kept there yet."""
    problems: tuple[str, ...]
    """What must be mended; empty for a sound store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What the server tells of itself and of the role that asks."""

    version: str
    number: int
    encoding: str
    read_only: bool
    creates: bool
    """Whether the role may make schemas."""
    made: bool
    """Whether the corpus has one."""
    enters: bool
    """Whether the role may use it and make tables in it."""
    writes: bool
    """Whether the role may read and write all tables in it."""


def inspect_store(address: ServerAddress, corpus: str = "") -> StoreHealth:
    """Look a server over.

    Args:
        address: the server.
        corpus: the id of the corpus whose tables are meant; empty where none is.

    Raises:
        CorpusUnreachable: the server does not answer or refuses the login.
        SettingsError: the address cannot be used, or leads to a pooler that shares connections.
    """
    connection = connect(address, corpus, class_row(_Look))
    try:
        with explained(address):
            (look,) = connection.execute(_LOOK, {"schema": schema_of(corpus)}).fetchall()
    finally:
        connection.close()
    return StoreHealth(
        version=look.version,
        schema=schema_of(corpus) if look.made else None,
        problems=tuple(_problems(f"the store {address.shown!r}", schema_of(corpus), look)),
    )


def _problems(store: str, schema: str, look: _Look) -> Iterator[str]:
    if look.number < _OLDEST:
        yield f"{store} is PostgreSQL {look.version}: 14 or later is needed"
    if look.read_only:
        yield f"{store} can only be read: name the primary server"
    if look.encoding != "UTF8":
        yield f"{store} keeps texts as {look.encoding}: make a database with ENCODING 'UTF8'"
    if not (look.made or look.creates):
        yield f"{store} lets the role make no schema: grant it CREATE on the database"
    if not (look.enters and look.writes):
        yield (
            f"{store}: another role made {schema!r}, which this one may not write: let the team "
            "share one role"
        )
