"""The steps of a baseline, and the graph that they are put into."""

from collections.abc import Callable
from typing import Any

from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime

from evals.baselines.state import BaselineQuestion, BaselineState, BaselineUpdate
from graphs.context import Context
from graphs.node import Step, metered

__all__ = ("BaselineGraph", "BaselineNode", "baseline_graph", "step")

BaselineGraph = StateGraph[BaselineState, Context, BaselineQuestion, BaselineState]
BaselineNode = Step[BaselineState, BaselineUpdate]
"""A step of a baseline."""


def step(function: BaselineNode) -> BaselineNode:
    """Wrap a step, as `graphs.node.metered` does; the answer bears all that was spent."""
    return metered(function, BaselineUpdate.__annotations__, _billed)


def _billed(_: BaselineState, update: dict[str, Any], __: Runtime[Context]) -> dict[str, Any]:
    answer = update.get("answer")
    if answer is not None:
        update["answer"] = answer.model_copy(update={"cost": update["cost"]})
    return {}


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
