"""What a team's server keeps of a corpus: its runs, their bills, and the replies that were paid.

The tables of runs are those of the SQLite file in PostgreSQL's types.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from psycopg.errors import ForeignKeyViolation

from agent.errors import RunError
from agent.reasoners.ledger import Usage
from tools.postgres.address import ServerAddress
from tools.postgres.server_tables import ServerTables, TableSet
from tools.runs.file_replies import StoredReplies
from tools.runs.run_database import MIGRATIONS, NO_RUN, Database
from tools.sqlite_file import Statements

_TYPES: Final = {
    "TEXT": 'TEXT COLLATE "C"',  # sorted by code point, as SQLite does
    "INTEGER": "BIGINT",
    "BLOB": "BYTEA",
    " WITHOUT ROWID": "",
}
_WORD: Final = re.compile("|".join(rf"{re.escape(each)}\b" for each in _TYPES))


def in_postgres(statement: str) -> str:
    """Translate a statement of the migrations.

    Rows of runs are numbered in the order they came, as SQLite does unasked.

    >>> in_postgres("CREATE TABLE t (a TEXT NOT NULL, b BLOB) WITHOUT ROWID")
    'CREATE TABLE t (a TEXT COLLATE "C" NOT NULL, b BYTEA)'
    """
    translated = _WORD.sub(lambda found: _TYPES[found[0]], statement)
    if statement.startswith("CREATE TABLE runs "):
        return translated.removesuffix(")") + ", rowid BIGINT GENERATED ALWAYS AS IDENTITY)"
    return translated


RUNS: Final = TableSet(
    name="runs",
    migrations=tuple(tuple(in_postgres(each) for each in step) for step in MIGRATIONS),
)
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
REPLIES: Final = TableSet(
    name="replies",
    migrations=(
        (
            """CREATE TABLE replies (
                key TEXT PRIMARY KEY, reply TEXT NOT NULL,
                input_tokens BIGINT NOT NULL, output_tokens BIGINT NOT NULL)""",
        ),
    ),
)


class ServerDatabase(Database):
    """The runs of one corpus, whatever machine they are on."""

    def __init__(self, address: ServerAddress, corpus: str) -> None:
        super().__init__(ServerTables(address, corpus, RUNS))

    @contextmanager
    def transaction(self) -> Iterator[Statements]:
        """Hold the write lock; commit at the end, undo everything on an error."""
        with self._tables.transaction() as statements:
            try:
                yield statements
            except ForeignKeyViolation as error:
                raise RunError(NO_RUN) from error


class BillRows:
    """The lines of one run's bill; satisfies `agent.reasoners.ledger.BillLines`."""

    def __init__(self, tables: ServerTables, run: str) -> None:
        self._tables = tables
        self._run = run

    def read(self) -> list[bytes]:
        """Return the lines, oldest first."""
        query = "SELECT line FROM bills WHERE run = ? ORDER BY number"
        with self._tables.reading() as statements:
            return [line.encode() for (line,) in statements.execute(query, (self._run,))]

    def add(self, line: bytes) -> None:
        """Add a line, which the server has on disk when this returns."""
        statement = "INSERT INTO bills (run, line) VALUES (?, ?)"
        with self._tables.reading() as statements:
            statements.execute(statement, (self._run, line.decode()))


class ServerReplies(StoredReplies):
    """The replies about one corpus.

    Two machines that ask the same at the same moment both pay, and one reply is kept.
    """

    def __init__(self, address: ServerAddress, corpus: str) -> None:
        super().__init__(ServerTables(address, corpus, REPLIES))

    def put(self, key: str, reply: str, usage: Usage) -> None:
        """Store a complete, parsed reply with the tokens it cost."""
        statement = (
            "INSERT INTO replies VALUES (?, ?, ?, ?) "
            "ON CONFLICT (key) DO UPDATE SET reply = excluded.reply"
        )
        row = (key, reply, usage.input_tokens, usage.output_tokens)
        with self._tables.reading() as statements:
            statements.execute(statement, row)
