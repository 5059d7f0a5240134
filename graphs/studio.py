"""The graphs for LangGraph's own server (`langgraph.json`), which brings its own checkpointer.

A run there names its corpus in the context: `{"corpus": "contracts.corpus"}`. What the context has
besides, the server drops without a word; a graph is told of all of it when it is made for a run.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Self

from langgraph.graph.state import CompiledStateGraph

from graphs.adf import build_adf_graph
from graphs.analyst import build_analyst_graph
from graphs.context import ContextInJson, refuse_unknown
from graphs.headcount import build_graph
from graphs.runs.beside import registered

_Graph = CompiledStateGraph[Any, Any, Any, Any]


class _Served(_Graph):
    """A graph that lists the states' types with the checkpointer that a server gives it.

    LangGraph's own list is lost where a graph is copied, as the server does for each run.
    """

    def copy(self, update: dict[str, Any] | None = None) -> Self:
        """Return a copy as it is updated, its checkpointer with the list."""
        given = update or {}
        return super().copy({**given, "checkpointer": registered(given.get("checkpointer"))})


if TYPE_CHECKING:
    from langgraph_sdk.runtime import ServerRuntime

_MAKE: Final[Mapping[str, Callable[[], _Graph]]] = {
    "adf": build_adf_graph,
    "analyst": build_analyst_graph,
    "headcount": build_graph,
}
_OWN = {"thread_id", "run_id", "graph_id", "assistant_id", "cron_id", "user_id"}
_BEGIN = ("_", "langgraph_", "checkpoint_")
"""What the server itself may put into a context, and how other such names begin."""


@cache
def _made(name: str) -> _Graph:
    graph: _Graph = _MAKE[name]()
    graph.__class__ = _Served
    return graph


def _served(name: str, runtime: "ServerRuntime[Any] | None") -> _Graph:
    """Return a graph; raise SettingsError where the context of its run has an unknown key."""
    run = runtime and runtime.execution_runtime
    given = (run and run.context) or {}
    own = (each for each in given if each not in _OWN and not each.startswith(_BEGIN))
    refuse_unknown(own, ContextInJson.model_fields)
    return _made(name)


def adf(runtime: "ServerRuntime[Any] | None" = None) -> _Graph:
    """Build the graph for ambiguous ordinary questions without a checkpointer."""
    return _served("adf", runtime)


def analyst(runtime: "ServerRuntime[Any] | None" = None) -> _Graph:
    """Build the graph that computes from what it asks of each document, without a checkpointer."""
    return _served("analyst", runtime)


def headcount(runtime: "ServerRuntime[Any] | None" = None) -> _Graph:
    """Build the graph without a checkpointer."""
    return _served("headcount", runtime)
