"""What keeps a server from holding runs is told before anything is asked."""

import uuid

import pytest
from psycopg.rows import tuple_row

from agent.errors import SettingsError
from tests.postgres.pooler import transaction_pooler
from tests.postgres.server import TestServer
from tools.postgres.address import ServerAddress
from tools.postgres.connection import connect, schema_of
from tools.postgres.server_tables import ServerTables, TableSet


def test_a_schema_of_another_role_is_refused_with_what_to_do(database_server: TestServer):
    corpus = uuid.uuid4().hex[:12]
    for statement in (
        f"CREATE SCHEMA {schema_of(corpus)}",
        "CREATE ROLE colleague LOGIN PASSWORD 'x'",
    ):
        database_server.admin.execute(statement.encode())
    url = f"postgresql://colleague:x@127.0.0.1:{database_server.port}/postgres"
    things = TableSet(name="things", migrations=[["SELECT 1"]])
    tables = ServerTables(ServerAddress.parsed(url), corpus, things)
    with pytest.raises(SettingsError, match="let the team share that one"), tables.reading():
        pass


def test_a_pooler_that_shares_connections_among_transactions_is_refused(
    database_server: TestServer,
):
    with (
        transaction_pooler(database_server) as url,
        pytest.raises(SettingsError, match="shares connections among transactions"),
    ):
        connect(ServerAddress.parsed(url), "", tuple_row)
