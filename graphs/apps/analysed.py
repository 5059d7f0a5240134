"""The trace of an analysis in words: which documents were chosen and why, how many were read."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent.records.analysis import Analysis
from agent.records.record import Filled
from agent.value import counted
from graphs.apps.predicates import predicate_text

__all__ = ("extracted", "outlined")

_NAMES = 8


def outlined(update: Mapping[str, Any]) -> str:
    """Say which documents are read and what is copied out of each."""
    analysis: Analysis = update["analysis"]
    tests = " and ".join(predicate_text(each.model_dump()) for each in analysis.restrictions)
    chosen = f"{counted(len(analysis.documents), 'document')}{f' with {tests}' if tests else ''}"
    copied = "; ".join(
        f"{kind.name}: {_names([each.name for each in kind.attributes])}"
        for kind in analysis.copied.kinds
    )
    return f"{chosen}. {analysis.why.strip()}\n  of each {copied}".replace("..", ".")


def extracted(update: Mapping[str, Any]) -> str:
    """Say how far the reading came."""
    filled: Filled = update["filled"]
    parts = [f"{counted(filled.read, 'document')} read, {counted(filled.records, 'record')}"]
    if filled.current:
        parts.append(f"{filled.current} had been read before")
    if filled.failed:
        parts.append(f"{len(filled.failed)} could not be read: {_names(filled.failed)}")
    if filled.refused:
        parts.append(f"{counted(filled.refused, 'value')} could not be taken")
    if filled.stopped:
        parts.append(f"stopped: {filled.stopped} {filled.left} not read")
    return "; ".join(parts)


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return ", ".join(names[:_NAMES]) + more
