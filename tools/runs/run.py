"""A run as the store lists it, and the events of its trace."""

from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

__all__ = ("Event", "RunInfo", "RunStatus")

RunStatus = Literal["running", "paused", "answered", "partial", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """What a run was started with, and how far it has come."""

    run: str
    question: str
    corpus_digest: str
    """Digest of the corpus as it was when the run started."""
    graph_version: str
    model: str
    created: str
    """ISO time of the start."""
    status: RunStatus = "running"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One line of a run's trace."""

    sequence: int
    kind: str
    data: JsonValue
