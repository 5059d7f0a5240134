"""What a team's server keeps of a corpus: its runs, their bills, and the replies that were paid."""

import re
from collections.abc import Sequence
from typing import Final

from tools.postgres.address import ServerAddress
from tools.postgres.connection import ServerTables, TableSet
from tools.runs.file_replies import RESPONSES, StoredReplies
from tools.runs.store import MIGRATIONS, RunStore

_TYPES: Final = {
    "TEXT": 'TEXT COLLATE "C"',  # sorted by code point, as SQLite does
    "INTEGER": "BIGINT",
    "BLOB": "BYTEA",
    " WITHOUT ROWID": "",
}
_WORD: Final = re.compile("|".join(rf"{re.escape(each)}\b" for each in _TYPES))


def in_postgres(statement: str) -> str:
    """Translate a statement of the migrations; runs are numbered as SQLite numbers rows unasked."""
    translated = _WORD.sub(lambda found: _TYPES[found[0]], statement)
    if statement.startswith("CREATE TABLE runs "):
        return translated.removesuffix(")") + ", rowid BIGINT GENERATED ALWAYS AS IDENTITY)"
    return translated


def _tables(name: str, migrations: Sequence[Sequence[str]]) -> TableSet:
    """Return the tables of a SQLite file as a server keeps them."""
    translated = tuple(tuple(map(in_postgres, step)) for step in migrations)
    return TableSet(name=name, migrations=translated)


RUNS: Final = _tables("runs", MIGRATIONS)
REPLIES: Final = _tables("replies", RESPONSES.migrations)
BILLS: Final = TableSet(
    name="bills",
    migrations=(
        (
            """CREATE TABLE bills (
                number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                run TEXT NOT NULL, line TEXT NOT NULL)""",
            "CREATE INDEX bills_by_run ON bills (run, number)",
        ),
    ),
)


def server_store(address: ServerAddress, corpus: str) -> RunStore:
    """Return the runs of one corpus, whatever machine they are on."""
    return RunStore(ServerTables(address, corpus, RUNS))


def server_replies(address: ServerAddress, corpus: str) -> StoredReplies:
    """Return the replies about one corpus."""
    return StoredReplies(ServerTables(address, corpus, REPLIES))


class BillRows:
    """The lines of one run's bill; satisfies `agent.reasoners.ledger.BillLines`."""

    def __init__(self, tables: ServerTables, run: str) -> None:
        self._tables = tables
        self._run = run

    def read(self) -> list[bytes]:
        """Return the lines, oldest first."""
        query = "SELECT line FROM bills WHERE run = ? ORDER BY number"
        return [line.encode() for (line,) in self._tables.read(query, self._run)]

    def add(self, line: bytes) -> None:
        """Add a line, which the server has on disk when this returns."""
        statement = "INSERT INTO bills (run, line) VALUES (?, ?)"
        with self._tables.reading() as statements:
            statements.execute(statement, (self._run, line.decode()))
