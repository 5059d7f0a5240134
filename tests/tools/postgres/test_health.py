"""What keeps a server from holding runs is told before anything is asked."""

import uuid
from collections.abc import Callable

import pytest

from agent.errors import SettingsError
from tests.postgres.pooler import transaction_pooler
from tests.postgres.server import TestServer
from tools.postgres.address import ServerAddress
from tools.postgres.connection import inspect_store, schema_of
from tools.postgres.server_tables import ServerTables, TableSet

CORPUS = uuid.uuid4().hex[:12]
READING = "?options=-cdefault_transaction_read_only%3Don"
"""As on a standby."""


@pytest.fixture(scope="module")
def server(database_server: TestServer) -> TestServer:
    """A server with a schema of its owner's, two more roles, and a database of another encoding."""
    for statement in (
        f"CREATE SCHEMA {schema_of(CORPUS)}",
        "CREATE ROLE colleague LOGIN PASSWORD 'x'",
        "GRANT CREATE ON DATABASE postgres TO colleague",
        "CREATE ROLE visitor LOGIN PASSWORD 'x'",
        "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0",
    ):
        database_server.admin.execute(statement.encode())
    return database_server


def as_role(name: str) -> Callable[[TestServer], str]:
    return lambda server: f"postgresql://{name}:x@127.0.0.1:{server.port}/postgres"


@pytest.mark.parametrize(
    ("url", "corpus", "problem"),
    [
        (TestServer.url, CORPUS, ""),
        (TestServer.url, "", ""),
        (as_role("colleague"), "", ""),
        (as_role("colleague"), CORPUS, "another role made"),
        (as_role("visitor"), "", "grant it CREATE on the database"),
        (lambda server: server.url() + READING, "", "primary"),
        (lambda server: server.url().replace("/postgres", "/latin"), "", "keeps texts as LATIN1"),
    ],
    ids=["sound", "no corpus", "may make", "another's", "no rights", "standby", "encoding"],
)
def test_what_is_wrong_is_told(
    server: TestServer, url: Callable[[TestServer], str], corpus: str, problem: str
):
    health = inspect_store(ServerAddress.parsed(url(server)), corpus)
    assert health.schema == (schema_of(corpus) if corpus else None)
    assert len(health.problems) == bool(problem)
    assert problem in "".join(health.problems)


def test_a_schema_of_another_role_is_refused_with_what_to_do(server: TestServer):
    address = ServerAddress.parsed(as_role("colleague")(server))
    tables = ServerTables(address, CORPUS, TableSet(name="things", migrations=[["SELECT 1"]]))
    with pytest.raises(SettingsError, match="let the team share that one"), tables.reading():
        pass


def test_a_pooler_that_shares_connections_among_transactions_is_refused(
    database_server: TestServer,
):
    with (
        transaction_pooler(database_server) as url,
        pytest.raises(SettingsError, match="shares connections among transactions"),
    ):
        inspect_store(ServerAddress.parsed(url))
