"""The schema of the run store as a server has it: the same tables, in PostgreSQL's types."""

import re
from typing import Final

from tools.postgres.tables import TableSet
from tools.runs.migrations import MIGRATIONS

__all__ = ("BILLS", "REPLIES", "RUNS", "in_postgres")

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
