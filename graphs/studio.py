"""The graphs for LangGraph's own server (`langgraph.json`), which brings its own checkpointer.

A run there names its corpus in the context: `{"corpus": "contracts.corpus"}`.
"""

from langgraph.graph.state import CompiledStateGraph

from agent.adf_state import AdfQuestion
from agent.records.analysis import AnalystQuestion
from agent.state import Question
from graphs.adf import AdfRunState, build_adf_graph
from graphs.analyst import AnalystRunState, build_analyst_graph
from graphs.context import Context
from graphs.conversation import RunState
from graphs.headcount import build_graph


def adf() -> CompiledStateGraph[AdfRunState, Context, AdfQuestion, AdfRunState]:
    """Build the graph for ambiguous ordinary questions without a checkpointer."""
    return build_adf_graph()


def analyst() -> CompiledStateGraph[AnalystRunState, Context, AnalystQuestion, AnalystRunState]:
    """Build the graph that computes from what it asks of each document, without a checkpointer."""
    return build_analyst_graph()


def headcount() -> CompiledStateGraph[RunState, Context, Question, RunState]:
    """Build the graph without a checkpointer."""
    return build_graph()
