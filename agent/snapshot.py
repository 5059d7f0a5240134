"""A snapshot: the candidate chunks after a filter call, immutable, never without its parent."""

from typing import Literal

from pydantic import JsonValue

from agent.value import Value

__all__ = ("Outcome", "Snapshot")

Outcome = Literal["kept", "rolled_back"]


class Snapshot(Value):
    """What one filter call made; the ids themselves are in the run store, under `id`."""

    id: str
    """Digest of the set of chunk ids: equal sets have equal ids."""
    parent: str | None
    """The snapshot the call was applied to; None for the whole corpus."""
    tool: str
    arguments: dict[str, JsonValue]
    kept: int
    """Chunks in this snapshot."""
    discarded: int
    """Chunks of the parent that are not in this snapshot; kept in the store, never lost."""
    outcome: Outcome = "kept"
    why: str = ""
