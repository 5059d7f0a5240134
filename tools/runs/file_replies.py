"""The replies that were paid for, in one file: not paid for again, not even after a crash."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from agent.private_database import Closing
from agent.reasoners.concurrency import Flights
from agent.reasoners.ledger import Usage
from tools.sqlite_file import FileForm, SQLiteFile, Tables

RESPONSES: Final = FileForm(
    name="response cache",
    migrations=(
        (
            """CREATE TABLE replies (
                key TEXT PRIMARY KEY, reply TEXT NOT NULL,
                input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL) WITHOUT ROWID""",
        ),
    ),
    remedy="delete it; only replies already paid for are lost",
)
_Row = tuple[str, str, int, int]
"""Key, reply, input tokens, output tokens."""


class StoredReplies(Closing):
    """Replies by request key; with `put` it satisfies `agent.reasoners.reply_cache.ReplyCache`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._flights = Flights()

    def get(self, key: str) -> str | None:
        """Return the reply stored under a key, or None."""
        query = "SELECT reply FROM replies WHERE key = ?"
        with self._tables.reading() as statements:
            row = statements.execute(query, (key,)).fetchone()
        return None if row is None else str(row[0])

    def flight(self, key: str) -> AbstractContextManager[object]:
        """Let one thread at a time work on a key: the next one finds its reply stored."""
        return self._flights.of(key)

    def close(self) -> None:
        """Close the file or the connection; the next access opens it again."""
        self._tables.close()


class FileReplies(StoredReplies):
    """Replies in a file.

    Every reply is on disk when `put` returns. Safe in several threads, whose replies share a commit
    where they come while another one is written; other processes may use the file meanwhile.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(SQLiteFile(path, RESPONSES))
        self._waiting: dict[str, _Row] = {}

    def put(self, key: str, reply: str, usage: Usage) -> None:
        """Store a complete, parsed reply with the tokens it cost.

        What any thread has put is written in one commit; what cannot be written goes on waiting.
        """
        row = (key, reply, usage.input_tokens, usage.output_tokens)
        self._waiting[key] = row
        with self._tables.reading():
            if self._waiting.get(key) is not row:
                return
            rows = list(self._waiting.values())
            with self._tables.transaction() as connection:
                connection.executemany("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)", rows)
            for each in rows:
                if self._waiting.get(each[0]) is each:
                    del self._waiting[each[0]]
