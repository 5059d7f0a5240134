"""The graphs for LangGraph's own server (`langgraph.json`), which brings its own checkpointer.

A run there names its corpus in the context: `{"corpus": "contracts.corpus"}`.
"""

from typing import Any, Self

from langgraph.graph.state import CompiledStateGraph

from graphs.adf import build_adf_graph
from graphs.analyst import build_analyst_graph
from graphs.headcount import build_graph
from graphs.runs.beside import registered

_Graph = CompiledStateGraph[Any, Any, Any, Any]


class _Served(_Graph):
    """A graph that lists the states' types with the checkpointer that a server gives it.

    `LANGGRAPH_STRICT_MSGPACK` in `langgraph.json` has the server's restore what is listed alone;
    LangGraph's own list is lost where a graph is copied, as the server does for each run.
    """

    def copy(self, update: dict[str, Any] | None = None) -> Self:
        """Return a copy as it is updated, its checkpointer with the list."""
        given = update or {}
        return super().copy({**given, "checkpointer": registered(given.get("checkpointer"))})


def _served(graph: _Graph) -> _Graph:
    graph.__class__ = _Served
    return graph


def adf() -> _Graph:
    """Build the graph for ambiguous ordinary questions without a checkpointer."""
    return _served(build_adf_graph())


def analyst() -> _Graph:
    """Build the graph that computes from what it asks of each document, without a checkpointer."""
    return _served(build_analyst_graph())


def headcount() -> _Graph:
    """Build the graph without a checkpointer."""
    return _served(build_graph())
