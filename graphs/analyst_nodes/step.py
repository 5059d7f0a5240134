"""A step of the analyst: its answer bears all that the run cost, and is stored so."""

from typing import Any

from langgraph.runtime import Runtime

from agent.records.analysis import AnalystState, AnalystUpdate
from graphs.context import Context
from graphs.node import Step, metered
from tools.runs.store import RunStatus

__all__ = ("AnalystNode", "step")

AnalystNode = Step[AnalystState, AnalystUpdate]
"""A step of the analyst."""


def step(function: AnalystNode) -> AnalystNode:
    """Wrap a step, as `graphs.node.metered` does."""
    return metered(function, AnalystUpdate.__annotations__, _stored)


def _stored(_: AnalystState, update: dict[str, Any], runtime: Runtime[Context]) -> dict[str, Any]:
    answer = update.get("answer")
    if answer is not None:
        update["answer"] = answer = answer.model_copy(update={"cost": update["cost"]})
        runtime.context.store.put_answer(answer.run, answer)
        status: RunStatus = "partial" if answer.status == "partial" else "answered"
        runtime.context.store.set_status(answer.run, status)
    return {}
