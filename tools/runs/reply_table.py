"""Replies of models on a team's server: what one machine paid for, no other one pays for."""

from contextlib import AbstractContextManager

from agent.reasoners.flights import Flights
from agent.reasoners.usage import Usage
from tools.postgres.address import ServerAddress
from tools.postgres.tables import ServerTables
from tools.runs.schema import REPLIES

__all__ = ("ServerReplies",)


class ServerReplies:
    """The replies about one corpus; satisfies `agent.reasoners.reply_cache.ReplyCache`.

    Two machines that ask the same at the same moment both pay, and one reply is kept.
    """

    def __init__(self, address: ServerAddress, corpus: str) -> None:
        self._tables = ServerTables(address, corpus, REPLIES)
        self._flights = Flights()

    def get(self, key: str) -> str | None:
        """Return the reply stored under a key, or None."""
        query = "SELECT reply FROM replies WHERE key = ?"
        with self._tables.reading() as statements:
            row = statements.execute(query, (key,)).fetchone()
        return None if row is None else str(row[0])

    def put(self, key: str, reply: str, usage: Usage) -> None:
        """Store a complete, parsed reply with the tokens it cost."""
        statement = (
            "INSERT INTO replies VALUES (?, ?, ?, ?) "
            "ON CONFLICT (key) DO UPDATE SET reply = excluded.reply"
        )
        row = (key, reply, usage.input_tokens, usage.output_tokens)
        with self._tables.reading() as statements:
            statements.execute(statement, row)

    def flight(self, key: str) -> AbstractContextManager[None]:
        """Let one thread at a time work on a key: the next one finds its reply stored."""
        return self._flights.of(key)

    def close(self) -> None:
        """Close the connection; the next access opens another one."""
        self._tables.close()
