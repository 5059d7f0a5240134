"""Tables on a server: made once, by whoever comes first; cut connections and refusals are told."""

import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from unittest.mock import Mock

import psycopg
import pytest

from agent.errors import CorpusDamaged, CorpusUnreachable, SettingsError
from tests.postgres.server import PASSWORD, TestServer
from tools.postgres import connection
from tools.postgres.address import ServerAddress
from tools.postgres.connection import ServerTables, TableSet, schema_of

pytestmark = pytest.mark.faults

TABLES = TableSet(name="things", migrations=[["CREATE TABLE things (name TEXT PRIMARY KEY)"]])
ADD = "INSERT INTO things VALUES (?)"


@pytest.fixture
def corpus() -> str:
    return uuid.uuid4().hex[:12]


@pytest.fixture
def tables(address: ServerAddress, corpus: str) -> Iterator[ServerTables]:
    made = ServerTables(address, corpus, TABLES)
    yield made
    made.close()


def names(tables: ServerTables) -> list[str]:
    with tables.reading() as statements:
        return [name for (name,) in statements.execute("SELECT name FROM things ORDER BY name")]


def test_many_that_come_at_once_make_them_once_and_another_corpus_does_not_see_them(
    address: ServerAddress, corpus: str
):
    openers = [ServerTables(address, corpus, TABLES) for _ in range(6)]

    def add(tables: ServerTables, name: str) -> None:
        with tables.transaction() as statements:
            statements.execute(ADD, (name,))

    with ThreadPoolExecutor(len(openers)) as pool:
        list(pool.map(add, openers, "012345"))
    other = ServerTables(address, uuid.uuid4().hex[:12], TABLES)
    assert (names(openers[0]), names(other)) == (["0", "1", "2", "3", "4", "5"], [])
    for tables in (*openers, other):
        tables.close()


def test_a_cut_connection_undoes_the_transaction_and_the_next_one_goes_on(
    tables: ServerTables, database_server: TestServer
):
    def add_and_be_cut() -> None:
        with tables.transaction() as statements:
            statements.execute(ADD, ("lost",))
            database_server.cut()
            statements.execute(ADD, ("never",))

    with pytest.raises(CorpusUnreachable, match="cannot be reached"):
        add_and_be_cut()
    assert names(tables) == []


def test_a_newer_format_is_refused(tables: ServerTables):
    with tables.transaction() as statements:
        statements.execute("UPDATE formats SET format = 99")
    tables.close()
    with pytest.raises(CorpusDamaged, match="use the newer Headcount"):
        names(tables)


@pytest.mark.parametrize("password", ["wrong-s3cret", ""])
def test_a_refused_login_says_nothing_of_the_password(
    database_server: TestServer, corpus: str, password: str
):
    tables = ServerTables(ServerAddress.parsed(database_server.url(password)), corpus, TABLES)
    with pytest.raises(CorpusUnreachable, match="password") as caught:
        names(tables)
    assert "wrong-s3cret" not in f"{caught.value} {caught.value.__cause__}"


def test_options_that_the_driver_does_not_know_are_not_repeated(
    database_server: TestServer, corpus: str
):
    url = f"{database_server.url()}?passwrd={PASSWORD[:4]}"
    with pytest.raises(SettingsError, match="check its options") as caught:
        names(ServerTables(ServerAddress.parsed(url), corpus, TABLES))
    assert PASSWORD[:4] not in str(caught.value)


def test_a_server_that_is_not_there_is_one_clear_error(corpus: str):
    address = ServerAddress.parsed("postgresql://jo:s3cret@127.0.0.1:9/team")
    with pytest.raises(CorpusUnreachable, match=r"postgresql://127\.0\.0\.1:9/team.*refused"):
        names(ServerTables(address, corpus, TABLES))


@pytest.mark.parametrize(
    ("role", "has_schema", "told"),
    [("guest", False, "grant the role CREATE"), ("colleague", True, "let the team share that one")],
)
def test_a_role_without_rights_is_told_what_it_needs(
    database_server: TestServer, corpus: str, role: str, has_schema: bool, told: str
):
    if has_schema:
        database_server.admin.execute(f"CREATE SCHEMA {schema_of(corpus)}".encode())
    database_server.admin.execute(f"CREATE ROLE {role} LOGIN PASSWORD 'x'".encode())
    url = f"postgresql://{role}:x@127.0.0.1:{database_server.port}/postgres"
    with pytest.raises(SettingsError, match=told):
        names(ServerTables(ServerAddress.parsed(url), corpus, TABLES))


@pytest.mark.parametrize(
    ("mine", "others", "told"),
    [("777", "88", ""), ("787", "87", "pooler in session mode"), ("777", "77", "loses the locks")],
    ids=["a process each", "taken in turns", "the same"],
)
def test_a_pooler_that_shares_connections_among_transactions_is_refused(
    mine: str, others: str, told: str, monkeypatch: pytest.MonkeyPatch
):
    processes = map(int, mine + others)
    monkeypatch.setattr(connection, "_process", lambda _: next(processes))
    monkeypatch.setattr(psycopg, "connect", lambda **_: nullcontext())
    opened = Mock()
    with pytest.raises(SettingsError, match=told) if told else nullcontext():
        connection.refuse_shared_connections(
            ServerAddress.parsed("postgresql://db/team"), opened, {}
        )
    assert next(processes, None) is None
