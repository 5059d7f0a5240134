"""The replies that were paid for: not paid for again, not even after a crash."""

import threading
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

from agent.private_database import Closing
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


class StoredReplies(Closing):
    """Replies by request key; satisfies `agent.reasoners.chat_reasoner.ReplyCache`.

    Every reply is on disk when `put` returns. Two machines that ask the same at the same moment
    both pay, and one reply is kept.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._lock = threading.Lock()
        self._flights: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    def get(self, key: str) -> str | None:
        """Return the reply stored under a key, or None."""
        rows = self._tables.read("SELECT reply FROM replies WHERE key = ?", key)
        return str(rows[0][0]) if rows else None

    def put(self, key: str, reply: str, usage: Usage) -> None:
        """Store a complete, parsed reply with the tokens it cost."""
        statement = (
            "INSERT INTO replies VALUES (?, ?, ?, ?) "
            "ON CONFLICT (key) DO UPDATE SET reply = excluded.reply"
        )
        row = (key, reply, usage.input_tokens, usage.output_tokens)
        with self._tables.reading() as statements:
            statements.execute(statement, row)

    def flight(self, key: str) -> AbstractContextManager[object]:
        """Let one thread at a time work on a key: the next one finds its reply stored."""
        with self._lock:
            return self._flights.setdefault(key, threading.Lock())

    def close(self) -> None:
        """Close the file or the connection; the next access opens it again."""
        self._tables.close()


class FileReplies(StoredReplies):
    """Replies in a file; safe in several threads and processes."""

    def __init__(self, path: Path) -> None:
        super().__init__(SQLiteFile(path, RESPONSES))

    def put(self, key: str, reply: str, usage: Usage) -> None:
        """Store a reply as others do, in a transaction: whatever writes a file begins one."""
        with self._tables.transaction():
            super().put(key, reply, usage)
