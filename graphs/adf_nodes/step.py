"""What every step of the ADF graph is wrapped in: keys checked, cost added up, traced."""

from functools import wraps
from typing import Any, Protocol

from langgraph.runtime import Runtime

from agent.adf import AdfState, AdfStep, AdfUpdate
from graphs.context import Context
from graphs.node import Meter, check_keys

__all__ = ("AdfNode", "noted", "step")

_KEYS = frozenset(AdfUpdate.__annotations__)


class AdfNode(Protocol):
    """A step of the graph: reads the state, returns what it changes."""

    __name__: str

    def __call__(self, state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
        """Run the step."""
        ...


def step(function: AdfNode) -> AdfNode:
    """Wrap a node, as `graphs.node.node` does for the main graph.

    Raises:
        KeyError: the update has a key that the state does not have.
        SettingsError: the graph was invoked without a context.
    """

    @wraps(function)
    def wrapped(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
        meter = Meter(runtime)
        update = function(state, runtime)
        check_keys(function.__name__, update, _KEYS)
        cost = update["cost"] = state.cost + meter.spent()
        answer = update.get("answer")
        if answer is not None:
            update["answer"] = answer.model_copy(update={"cost": cost})
        told: dict[str, Any] = {"kind": "node", "node": function.__name__}
        runtime.stream_writer(told | {"cost": cost.model_dump()})
        return update

    return wrapped


def noted(state: AdfState, name: str, why: str) -> tuple[AdfStep, ...]:
    """Return the history with one more step."""
    return (*state.steps, AdfStep(step=name, why=why))
