"""What a chat model's reasoner needs of the place where replies are kept."""

from contextlib import AbstractContextManager
from typing import Protocol

from agent.reasoners.usage import Usage

__all__ = ("ReplyCache",)


class ReplyCache(Protocol):
    """Replies by request key; safe in several threads."""

    def get(self, key: str) -> str | None:
        """Return the reply stored under a key, or None."""
        ...

    def put(self, key: str, reply: str, usage: Usage) -> None:
        """Store a complete, parsed reply with the tokens it cost; it is durable afterwards."""
        ...

    def flight(self, key: str) -> AbstractContextManager[None]:
        """Let one thread at a time work on a key: the next one finds its reply stored."""
        ...
