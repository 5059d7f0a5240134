"""What every step of the graphs of records is wrapped in: keys checked, cost added up, traced."""

from functools import wraps
from typing import Any, Protocol

from langgraph.runtime import Runtime

from agent.cost import Cost
from agent.records.filling import FillState, FillUpdate
from agent.records.induction import InductionState, InductionUpdate
from graphs.context import Context
from graphs.node import Meter, check_keys

__all__ = ("FillingNode", "InductionNode", "filling_step", "induction_step")


class InductionNode(Protocol):
    """A step of the induction: reads the state, returns what it changes."""

    __name__: str

    def __call__(self, state: InductionState, runtime: Runtime[Context]) -> InductionUpdate:
        """Run the step."""
        ...


class FillingNode(Protocol):
    """A step of the filling."""

    __name__: str

    def __call__(self, state: FillState, runtime: Runtime[Context]) -> FillUpdate:
        """Run the step."""
        ...


def induction_step(function: InductionNode) -> InductionNode:
    """Wrap a step, as `graphs.node.node` does for the main graph."""

    @wraps(function)
    def wrapped(state: InductionState, runtime: Runtime[Context]) -> InductionUpdate:
        meter = Meter(runtime)
        update = function(state, runtime)
        check_keys(function.__name__, update, InductionUpdate.__annotations__)
        update["cost"] = state.cost + meter.spent()
        told: dict[str, Any] = {"history": [each.model_dump() for each in _news(state, update)]}
        _trace(function.__name__, update["cost"], runtime, told)
        return update

    return wrapped


def filling_step(function: FillingNode) -> FillingNode:
    """Wrap a step, as `graphs.node.node` does for the main graph."""

    @wraps(function)
    def wrapped(state: FillState, runtime: Runtime[Context]) -> FillUpdate:
        meter = Meter(runtime)
        update = function(state, runtime)
        check_keys(function.__name__, update, FillUpdate.__annotations__)
        update["cost"] = state.cost + meter.spent()
        filled = update.get("filled", state.filled)
        _trace(function.__name__, update["cost"], runtime, {"filled": filled.model_dump()})
        return update

    return wrapped


def _news(state: InductionState, update: InductionUpdate) -> tuple[Any, ...]:
    return update.get("history", state.history)[len(state.history) :]


def _trace(name: str, cost: Cost, runtime: Runtime[Context], told: dict[str, Any]) -> None:
    runtime.stream_writer({"kind": "node", "node": name, "cost": cost.model_dump(), **told})
