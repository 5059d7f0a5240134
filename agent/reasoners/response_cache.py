"""The response cache: what was paid for once is not paid for again, not even after a crash."""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from pydantic import JsonValue

from agent.errors import CorpusDamaged, SettingsError
from agent.private_database import Closing, enter_write_ahead, make_private
from agent.reasoners.concurrency import Flights
from agent.reasoners.ledger import Usage

_Row = tuple[str, str, int, int]
"""Key, reply, input tokens, output tokens."""
_VERSION = 1
_SCHEMA = """
create table replies (
    key text primary key,
    reply text not null,
    input_tokens integer not null,
    output_tokens integer not null
) without rowid
"""


class ReplyCache(Protocol):
    """Replies by request key; safe in several threads."""

    def get(self, key: str) -> str | None:
        """Return the reply stored under a key, or None."""

    def put(self, key: str, reply: str, usage: Usage) -> None:
        """Store a complete, parsed reply with the tokens it cost; it is durable afterwards."""

    def flight(self, key: str) -> AbstractContextManager[object]:
        """Let one thread at a time work on a key: the next one finds its reply stored."""


class ResponseCache(Closing):
    """Replies by request key in one SQLite file, readable by its owner only: a `ReplyCache`.

    Every reply is on disk when `put` returns (WAL, synchronous=FULL). Safe in several threads,
    whose replies share a commit where they come while another one is written; other processes may
    use the file at the same time.

    Raises:
        CorpusDamaged: the file is not a response cache that can be read.
        SettingsError: the file cannot be opened or written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._flights = Flights()
        self._waiting: dict[str, _Row] = {}
        with self._explained():
            make_private(path)
            self._connection = sqlite3.connect(
                path, timeout=30, check_same_thread=False, isolation_level=None
            )
        try:
            with self._explained():
                self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def get(self, key: str) -> str | None:
        """Return the reply stored under a key, or None."""
        with self._lock, self._explained():
            row = self._connection.execute(
                "select reply from replies where key = ?", (key,)
            ).fetchone()
        return None if row is None else str(row[0])

    def put(self, key: str, reply: str, usage: Usage) -> None:
        """Store a complete, parsed reply with the tokens it cost."""
        row = (key, reply, usage.input_tokens, usage.output_tokens)
        self._waiting[key] = row
        with self._lock, self._explained():
            if self._waiting.get(key) is row:
                self._write_waiting()

    def flight(self, key: str) -> AbstractContextManager[object]:
        """Let one thread at a time work on a key: the next one finds its reply stored."""
        return self._flights.of(key)

    def _write_waiting(self) -> None:
        """Write what any thread has put, in one commit; what cannot be written goes on waiting."""
        rows = list(self._waiting.values())
        with self._connection:
            self._connection.execute("begin immediate")
            self._connection.executemany("insert or replace into replies values (?, ?, ?, ?)", rows)
        for row in rows:
            if self._waiting.get(row[0]) is row:
                del self._waiting[row[0]]

    def _prepare(self) -> None:
        execute = self._connection.execute
        enter_write_ahead(self._connection, self._path)
        execute("pragma synchronous = full")
        execute("begin immediate")
        (version,) = execute("pragma user_version").fetchone()
        if version == 0:
            if execute("select count(*) from sqlite_master").fetchone() != (0,):
                raise self._damaged("it is another program's database")
            execute(_SCHEMA)
            execute(f"pragma user_version = {_VERSION}")
        elif version != _VERSION:
            raise self._damaged(f"it has version {version}, not {_VERSION}")
        execute("commit")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn the errors of SQLite and the file system into ours, with what to do."""
        try:
            yield
        except (sqlite3.OperationalError, sqlite3.ProgrammingError, OSError) as error:
            text = f"The response cache {str(self._path)!r} cannot be used: {error}."
            raise SettingsError(f"{text} Make room or access for it, or switch it off.") from error
        except sqlite3.DatabaseError as error:
            raise self._damaged(str(error)) from error

    def _damaged(self, reason: str) -> CorpusDamaged:
        return CorpusDamaged(
            f"The response cache {str(self._path)!r} is damaged: {reason}. "
            "Delete it; only replies already paid for are lost."
        )


def response_key(request: Mapping[str, JsonValue]) -> str:
    """Return the SHA-256 of a request's canonical JSON, in hex."""
    canonical = json.dumps(request, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
