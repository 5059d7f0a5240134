"""What every step of a baseline is wrapped in: keys checked, cost added up."""

from collections.abc import Callable
from functools import wraps
from typing import Protocol

from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime

from evals.baselines.state import BaselineQuestion, BaselineState, BaselineUpdate
from graphs.context import Context
from graphs.node import Meter, check_keys

__all__ = ("BaselineGraph", "BaselineNode", "baseline_graph", "step")

BaselineGraph = StateGraph[BaselineState, Context, BaselineQuestion, BaselineState]
_KEYS = frozenset(BaselineUpdate.__annotations__)


class BaselineNode(Protocol):
    """A step of a baseline: reads the state, returns what it changes."""

    __name__: str

    def __call__(self, state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
        """Run the step."""
        ...


def step(function: BaselineNode) -> BaselineNode:
    """Wrap a node, as `graphs.node.node` does for the main graph.

    Raises:
        KeyError: the update has a key that the state does not have.
        SettingsError: the graph was invoked without a context.
    """

    @wraps(function)
    def wrapped(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
        meter = Meter(runtime)
        update = function(state, runtime)
        check_keys(function.__name__, update, _KEYS)
        cost = update["cost"] = state.cost + meter.spent()
        answer = update.get("answer")
        if answer is not None:
            update["answer"] = answer.model_copy(update={"cost": cost})
        return update

    return wrapped


def baseline_graph(first: BaselineNode, *others: BaselineNode) -> BaselineGraph:
    """Return a builder with the nodes, by name, that starts with the first."""
    builder: BaselineGraph = StateGraph(
        BaselineState, context_schema=Context, input_schema=BaselineQuestion
    )
    wrapped: list[Callable[..., BaselineUpdate]] = [step(each) for each in (first, *others)]
    for each in wrapped:
        builder.add_node(each.__name__, each)
    builder.add_edge(START, first.__name__)
    return builder
