"""What a step of the graphs of records tells a person while it happens."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent.value import counted

__all__ = ("trace_line",)

_NAMES = 6


def trace_line(event: Mapping[str, Any]) -> str:
    """Say an event in words; empty where it tells a person nothing.

    >>> change = {"step": "refine", "group": 0, "round": 1, "added": ["hotel.city"],
    ...           "removed": [], "changed": [], "why": "Questions ask for it."}
    >>> trace_line({"kind": "node", "node": "draw", "history": [change]})
    'refine (group 1): added hotel.city. Questions ask for it.'
    """
    if event.get("kind") != "node":
        return ""
    if event.get("history"):
        return "\n".join(_change(each) for each in event["history"])
    filled = event.get("filled")
    if event["node"] == "survey" and filled:
        return f"to be read: {filled['left']} of {counted(filled['documents'], 'document')}"
    if event["node"] == "keep" and filled:
        records = counted(filled["records"], "record")
        return f"{filled['read']} read, {filled['left']} left, {records}"
    return ""


def _change(change: Mapping[str, Any]) -> str:
    parts = [
        f"{what} {_names(change[what])}" for what in ("added", "removed", "changed") if change[what]
    ]
    told = "; ".join(parts)
    head = f"{change['step']} (group {change['group'] + 1})"
    return f"{head}: {told}{'. ' if told else ''}{change['why']}".strip()


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return ", ".join(names[:_NAMES]) + more
