"""What every step of the analyst is wrapped in: keys checked, cost added up, traced."""

from functools import wraps
from typing import Protocol

from langgraph.runtime import Runtime

from agent.records.analysis import AnalystState, AnalystUpdate
from graphs.context import Context
from graphs.node import Meter, check_keys
from tools.runs.run import RunStatus

__all__ = ("AnalystNode", "step")

_KEYS = frozenset(AnalystUpdate.__annotations__)


class AnalystNode(Protocol):
    """A step of the analyst: reads the state, returns what it changes."""

    __name__: str

    def __call__(self, state: AnalystState, runtime: Runtime[Context]) -> AnalystUpdate:
        """Run the step."""
        ...


def step(function: AnalystNode) -> AnalystNode:
    """Wrap a step, as `graphs.node.node` does for the main graph.

    The answer bears all that the run cost, and is stored so.

    Raises:
        KeyError: the update has a key that the state does not have.
        SettingsError: the graph was invoked without a context.
    """

    @wraps(function)
    def wrapped(state: AnalystState, runtime: Runtime[Context]) -> AnalystUpdate:
        meter = Meter(runtime)
        update = function(state, runtime)
        check_keys(function.__name__, update, _KEYS)
        cost = update["cost"] = state.cost + meter.spent()
        answer = update.get("answer")
        if answer is not None:
            update["answer"] = answer = answer.model_copy(update={"cost": cost})
            runtime.context.store.put_answer(answer.run, answer)
            status: RunStatus = "partial" if answer.status == "partial" else "answered"
            runtime.context.store.set_status(answer.run, status)
        told = {"kind": "node", "node": function.__name__, "cost": cost.model_dump()}
        runtime.stream_writer(told)
        return update

    return wrapped
