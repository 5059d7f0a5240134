"""The graph's version: what a stored run must match to be resumed."""

import hashlib
from dataclasses import fields
from functools import cache

from agent.records.analysis import AnalystState
from agent.state import State

__all__ = ("NODES", "graph_version")

NODES = (
    "interpret",
    "classify",
    "clarify",
    "ask",
    "rewrite",
    "assume",
    "reread",
    "route",
    "records",
    "decide",
    "narrow",
    "plan",
    "apply",
    "observe",
    "feedback",
    "batch",
    "judge",
    "audit",
    "verify",
    "align",
    "answer",
)


@cache
def graph_version() -> str:
    """Return a digest of the node names and the states' fields with their types."""
    kept = (*fields(State), *fields(AnalystState))
    told = [*NODES, *(f"{field.name}: {field.type}" for field in kept)]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:12]
