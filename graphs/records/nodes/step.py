"""A step of the graphs of records: the trace is told what it changed."""

from typing import Any

from langgraph.runtime import Runtime

from agent.records.induction import InductionState, InductionUpdate
from agent.records.record import FillState, FillUpdate
from graphs.context import Context
from graphs.node import Step, metered

__all__ = ("FillingNode", "InductionNode", "filling_step", "induction_step")

InductionNode = Step[InductionState, InductionUpdate]
"""A step of the induction."""
FillingNode = Step[FillState, FillUpdate]
"""A step of the filling."""


def induction_step(function: InductionNode) -> InductionNode:
    """Wrap a step, as `graphs.node.metered` does."""
    return metered(function, InductionUpdate.__annotations__, _drawn)


def filling_step(function: FillingNode) -> FillingNode:
    """Wrap a step, as `graphs.node.metered` does."""
    return metered(function, FillUpdate.__annotations__, _filled)


def _drawn(state: InductionState, update: dict[str, Any], _: Runtime[Context]) -> dict[str, Any]:
    news = update.get("history", state.history)[len(state.history) :]
    return {"history": [each.model_dump() for each in news]}


def _filled(state: FillState, update: dict[str, Any], _: Runtime[Context]) -> dict[str, Any]:
    return {"filled": update.get("filled", state.filled).model_dump()}
