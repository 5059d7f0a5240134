"""What the agent makes of a question before it searches: ambiguities, readings, what it asks."""

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agent.ambiguity import Ambiguity, Clarification
from agent.cost import Cost
from agent.question import Interpretation
from evals.ambiguity.gates import gates_skipping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graphs.sessions import Event, Session

__all__ = ("Found", "find")

_SEARCHING = frozenset(("route", "decide", "plan"))
"""The nodes with which searching begins: what follows tells nothing of ambiguity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was found of one question."""

    codes: tuple[str, ...] = ()
    """All that were found, also those that made no difference."""
    ambiguities: tuple[Ambiguity, ...] = ()
    asked: Clarification | None = None
    """What the person is asked first; None where nothing is asked."""
    cost: Cost = field(default_factory=Cost)
    seconds: float = 0.0
    skips: frozenset[str] = frozenset()
    """The gates that would have taken the question for clear."""
    error: str = ""
    """Why nothing is known."""


def find(session: "Session", question: str) -> Found:
    """Ask the question, and stop where the person is asked or searching begins.

    Raises:
        HeadcountError: whatever the graph raises.
    """
    from graphs.context import new_run_id

    run = new_run_id()
    began = time.perf_counter()
    told = _told(session.start(question, run=run))
    seconds = time.perf_counter() - began
    state = session.state(run)
    return Found(
        codes=state.codes,
        ambiguities=tuple(told.ambiguities.values()),
        skips=gates_skipping(question, told.reading, state.coherence, session.context),
        asked=state.clarification,
        cost=state.cost,
        seconds=seconds,
    )


@dataclass(slots=True, kw_only=True)
class _Told:
    """What the events of a run told."""

    reading: Interpretation | None = None
    """As the question was first read."""
    ambiguities: dict[tuple[str, str], Ambiguity] = field(default_factory=dict)
    """Every ambiguity as it was last told of, in the order in which they were found."""


def _told(events: "Iterator[Event]") -> _Told:
    told = _Told()
    for event in events:
        if event["kind"] == "update":
            update: dict[str, Any] = event["update"]
            told.reading = told.reading or update.get("interpretation")
            for each in update.get("ambiguities", ()):
                told.ambiguities[each.code, each.span] = each
            if event["node"] in _SEARCHING:
                break
    return told
