"""The graph for LangGraph's own server (`langgraph.json`), which brings its own checkpointer.

A run there names its corpus in the context: `{"corpus": "contracts.corpus"}`.
"""

from langgraph.graph.state import CompiledStateGraph

from agent.state import Question
from graphs.context import Context
from graphs.headcount import RunState, build_graph

__all__ = ("headcount",)


def headcount() -> CompiledStateGraph[RunState, Context, Question, RunState]:
    """Build the graph without a checkpointer."""
    return build_graph()
