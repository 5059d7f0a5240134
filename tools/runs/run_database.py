"""Where a corpus's runs are written down, in numbered steps: a released one is never edited."""

from typing import Final

from tools.sqlite_file import FileForm

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
    ("ALTER TABLE runs ADD COLUMN told TEXT NOT NULL DEFAULT ''",),
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
