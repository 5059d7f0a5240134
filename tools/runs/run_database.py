"""Where the runs of a corpus are written down: a SQLite file, or tables on a team's server.

The schema is a list of numbered steps; a step that was released is never edited.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Final

from tools.sqlite_file import FileForm, Statements, Tables

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE runs (
            run TEXT PRIMARY KEY, question TEXT NOT NULL, corpus_digest TEXT NOT NULL,
            graph_version TEXT NOT NULL, model TEXT NOT NULL, created TEXT NOT NULL,
            status TEXT NOT NULL)""",
        "CREATE TABLE id_sets (id TEXT PRIMARY KEY, ids BLOB NOT NULL)",
        """CREATE TABLE snapshots (
            run TEXT NOT NULL REFERENCES runs, position INTEGER NOT NULL, data TEXT NOT NULL,
            PRIMARY KEY (run, position)) WITHOUT ROWID""",
        """CREATE TABLE findings (
            run TEXT NOT NULL REFERENCES runs, digest TEXT NOT NULL, document TEXT NOT NULL,
            start INTEGER NOT NULL, condition TEXT NOT NULL, entity TEXT NOT NULL,
            data TEXT NOT NULL, PRIMARY KEY (run, digest))""",
        "CREATE INDEX findings_in_order ON findings (run, document, start, condition, entity)",
        """CREATE TABLE batches (
            run TEXT NOT NULL REFERENCES runs, position INTEGER NOT NULL, chunks TEXT NOT NULL,
            PRIMARY KEY (run, position)) WITHOUT ROWID""",
        "CREATE TABLE entities (run TEXT PRIMARY KEY REFERENCES runs, data TEXT NOT NULL)",
        "CREATE TABLE answers (run TEXT PRIMARY KEY REFERENCES runs, data TEXT NOT NULL)",
        """CREATE TABLE events (
            run TEXT NOT NULL REFERENCES runs, sequence INTEGER NOT NULL, kind TEXT NOT NULL,
            data TEXT NOT NULL, PRIMARY KEY (run, sequence)) WITHOUT ROWID""",
        """CREATE TABLE ledgers (
            run TEXT PRIMARY KEY REFERENCES runs, chunks INTEGER NOT NULL,
            conditions TEXT NOT NULL, version INTEGER NOT NULL)""",
        """CREATE TABLE ledger_cells (
            run TEXT NOT NULL REFERENCES ledgers, condition TEXT NOT NULL, state TEXT NOT NULL,
            detail INTEGER NOT NULL, ids BLOB NOT NULL,
            PRIMARY KEY (run, condition, state, detail))""",
    ),
    (
        """CREATE TABLE ledger_notes (
            run TEXT NOT NULL REFERENCES ledgers, number INTEGER NOT NULL, text TEXT NOT NULL,
            PRIMARY KEY (run, number), UNIQUE (run, text)) WITHOUT ROWID""",
        """CREATE TABLE ledger_moves (
            run TEXT NOT NULL REFERENCES ledgers, sequence INTEGER NOT NULL,
            position INTEGER NOT NULL, condition TEXT NOT NULL, source TEXT NOT NULL,
            source_detail INTEGER NOT NULL, target TEXT NOT NULL, target_detail INTEGER NOT NULL,
            step INTEGER, ids BLOB NOT NULL, PRIMARY KEY (run, sequence, position))""",
        """CREATE TABLE past_batches (
            run TEXT NOT NULL REFERENCES runs, plan INTEGER NOT NULL, position INTEGER NOT NULL,
            chunks TEXT NOT NULL, PRIMARY KEY (run, plan, position)) WITHOUT ROWID""",
    ),
    ("CREATE TABLE doubts (run TEXT PRIMARY KEY REFERENCES runs, data TEXT NOT NULL)",),
    (
        """CREATE TABLE scores (
            run TEXT NOT NULL REFERENCES runs, round INTEGER NOT NULL, condition TEXT NOT NULL,
            data TEXT NOT NULL, PRIMARY KEY (run, round, condition)) WITHOUT ROWID""",
    ),
    ("CREATE TABLE passages (corpus_digest TEXT PRIMARY KEY, data BLOB NOT NULL)",),
)
"""Statements that lead from version i to version i + 1 (`PRAGMA user_version`)."""


RUN_STORE: Final = FileForm(
    name="run store",
    migrations=MIGRATIONS,
    remedy=(
        "move the file away: its runs are lost, the corpus is not, and the question can be asked "
        "again"
    ),
    checked=True,
)


class Database:
    """Tables of runs; every access is a transaction."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def read(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return all rows of a query; raises as `transaction` does."""
        with self.reading() as statements:
            return statements.execute(query, values).fetchall()

    def write(self, statement: str, *rows: Sequence[object]) -> int:
        """Execute a statement once for each row of values; return how many rows it changed."""
        with self.transaction() as statements:
            return statements.executemany(statement, rows).rowcount

    def reading(self) -> AbstractContextManager[Statements]:
        """Hold the connection; raises as `transaction` does."""
        return self._tables.reading()

    def transaction(self) -> AbstractContextManager[Statements]:
        """Hold the write lock; commit at the end, undo everything on an error.

        Transactions nest: inner ones are part of the outermost.

        Raises:
            CorpusDamaged: the tables are broken or come from a newer version.
            CorpusLocked: another process has been writing for half a minute.
            CorpusUnreachable: the server does not answer.
            CorpusError: the tables cannot be written.
            RunError: a row belongs to a run that does not exist.
        """
        return self._tables.transaction()

    def close(self) -> None:
        """Close file or connection; the next transaction opens it again."""
        self._tables.close()
