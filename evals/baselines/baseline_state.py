"""The typed state that the baselines' graphs share; a graph uses the fields it needs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from agent.answer import Answer
from agent.cost import Cost
from agent.evidence import Evidence
from agent.history import Step
from agent.question import Interpretation
from agent.value import Value
from graphs.context import Context
from graphs.node import Step as GraphStep
from graphs.node import metered


class Item(Value):
    """A thing that was found, with what proves it."""

    name: str
    evidence: tuple[Evidence, ...] = ()
    """Quotes that stand in their documents."""
    documents: tuple[str, ...] = ()
    """Where it was found, also by quotes that could not be located."""
    value: float | None = None
    """The measured number, where there is one."""


class Task(Value):
    """What one worker of several does."""

    text: str
    query: str
    """What it searches for next."""


@dataclass(frozen=True, kw_only=True)
class BaselineQuestion:
    """What a run starts from."""

    question: str
    """As asked. Written by the caller, read by every node."""


@dataclass(frozen=True, kw_only=True)
class BaselineState(BaselineQuestion):
    """A run at one step; a field's line says who writes it and who reads it."""

    run: str = ""
    """The run's id. `begin` → all after it."""
    query: str = ""
    """What is searched for next. Nodes that plan → nodes that retrieve."""
    queries: tuple[str, ...] = ()
    """What was searched for, in order. `retrieve` → nodes that plan."""
    chunks: tuple[int, ...] = ()
    """All that was retrieved, in the order found. `retrieve` → `read`, routes."""
    latest: tuple[int, ...] = ()
    """What the last search retrieved. `retrieve` → `note`, `assess`."""
    novelty: float = 1.0
    """Share of the last search's chunks that no earlier one found. `retrieve` → routes."""
    quality: float = 0.0
    """How well the last search served, in [0, 1], by the model. `assess` → routes."""
    rounds: int = 0
    """Searches so far. `retrieve` → routes."""
    idle: int = 0
    """Rounds of notes in a row that added nothing. `note` → routes."""
    history: tuple[Step, ...] = ()
    """Tool calls so far. `search`, `narrow` → themselves, routes."""
    candidates: str = ""
    """The id of the chunks that are left, in the run store. `narrow` → itself."""
    finished: bool = False
    """Whether the model has called `finish`. `search`, `narrow` → routes."""
    reading: Interpretation | None = None
    """What is asked, with conditions. `interpret` → `scan`."""
    tasks: tuple[Task, ...] = ()
    """What the workers have still to do. `delegate`, `work` → `work`, routes."""
    useful: bool = True
    """Whether what was retrieved bears on the question. `verify` → routes."""
    shown: frozenset[int] = frozenset()
    """Chunks that a model read. Nodes that ask → `conclude`."""
    failed: frozenset[int] = frozenset()
    """Chunks of requests that brought no usable reply. Nodes that ask → `conclude`."""
    items: tuple[Item, ...] = ()
    """What was found. Nodes that read → `conclude`."""
    value: float | int | None = None
    """The number that was answered. Nodes that read → `conclude`."""
    unit: str | None = None
    """Its unit. Nodes that read → `conclude`."""
    stopped: str = ""
    """The limit that was reached. Any node → routes, `conclude`."""
    warnings: tuple[str, ...] = ()
    """What went wrong on the way. Any node → `conclude`."""
    cost: Cost = Cost()  # noqa: RUF009 - frozen, hence safe to share
    """Spent so far. Every node's wrapper."""
    answer: Answer | None = None
    """The outcome. `conclude` → the caller."""


class BaselineUpdate(TypedDict, total=False):
    """What a node returns: the changed fields of the state, nothing else."""

    run: str
    query: str
    queries: tuple[str, ...]
    chunks: tuple[int, ...]
    latest: tuple[int, ...]
    novelty: float
    quality: float
    rounds: int
    idle: int
    history: tuple[Step, ...]
    candidates: str
    finished: bool
    reading: Interpretation | None
    tasks: tuple[Task, ...]
    useful: bool
    shown: frozenset[int]
    failed: frozenset[int]
    items: tuple[Item, ...]
    value: float | int | None
    unit: str | None
    stopped: str
    warnings: tuple[str, ...]
    cost: Cost
    answer: Answer | None


BaselineGraph = StateGraph[BaselineState, Context, BaselineQuestion, BaselineState]
BaselineNode = GraphStep[BaselineState, BaselineUpdate]
"""A step of a baseline."""


Route = Callable[[BaselineState], str]


def baseline_graph(
    *nodes: BaselineNode, after: Mapping[str, Route | str] | None = None
) -> BaselineGraph:
    """Return a graph that runs nodes, which go by their names, one after another.

    `after` says by name where another node follows: its name, or a route that returns it.
    """
    builder: BaselineGraph = StateGraph(
        BaselineState, context_schema=Context, input_schema=BaselineQuestion
    )
    wrapped: list[Callable[..., BaselineUpdate]] = [
        metered(each, BaselineUpdate.__annotations__, _billed) for each in nodes
    ]
    names = [each.__name__ for each in wrapped]
    for each, name, following in zip(wrapped, names, (*names[1:], END), strict=True):
        builder.add_node(name, each)
        route = (after or {}).get(name, following)
        if isinstance(route, str):
            builder.add_edge(name, route)
        else:
            builder.add_conditional_edges(name, route, names)
    builder.add_edge(START, names[0])
    return builder


def _billed(_: BaselineState, update: dict[str, Any], __: Runtime[Context]) -> dict[str, Any]:
    """Let the answer bear all that was spent."""
    answer = update.get("answer")
    if answer is not None:
        update["answer"] = answer.model_copy(update={"cost": update["cost"]})
    return {}
