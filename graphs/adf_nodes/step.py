"""A step of the ADF graph: its answer bears all that was spent."""

from typing import Any

from langgraph.runtime import Runtime

from agent.adf import AdfState, AdfStep, AdfUpdate
from graphs.context import Context
from graphs.node import Step, metered

__all__ = ("AdfNode", "noted", "step")

AdfNode = Step[AdfState, AdfUpdate]
"""A step of the graph."""


def step(function: AdfNode) -> AdfNode:
    """Wrap a step, as `graphs.node.metered` does."""
    return metered(function, AdfUpdate.__annotations__, _billed)


def _billed(_: AdfState, update: dict[str, Any], __: Runtime[Context]) -> dict[str, Any]:
    answer = update.get("answer")
    if answer is not None:
        update["answer"] = answer.model_copy(update={"cost": update["cost"]})
    return {}


def noted(state: AdfState, name: str, why: str) -> tuple[AdfStep, ...]:
    """Return the history with one more step."""
    return (*state.steps, AdfStep(step=name, why=why))
