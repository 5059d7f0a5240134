"""What keeps replies that were paid for, and the key that a request has there."""

import hashlib
import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from pydantic import JsonValue

from agent.reasoners.ledger import Usage


class ReplyCache(Protocol):
    """Replies by request key; safe in several threads."""

    def get(self, key: str) -> str | None:
        """Return the reply stored under a key, or None."""

    def put(self, key: str, reply: str, usage: Usage) -> None:
        """Store a complete, parsed reply with the tokens it cost; it is durable afterwards."""

    def flight(self, key: str) -> AbstractContextManager[object]:
        """Let one thread at a time work on a key: the next one finds its reply stored."""


def response_key(request: Mapping[str, JsonValue]) -> str:
    """Return the SHA-256 of a request's canonical JSON, in hex."""
    canonical = json.dumps(request, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
