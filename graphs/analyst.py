"""The analyst: a question that no table answers yet is computed from what it asks of each document.

outline → extract → compute (MuDABench, section 3): sub-questions from the metadata, each document
read by itself, its facts normalised into flat records, and code that computes. Records are made for
the one question and kept with its run.
"""

from dataclasses import dataclass
from typing import Annotated, Any

from langgraph.channels import UntrackedValue
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from agent.answer import Answer
from agent.records.analysis import AnalystQuestion, AnalystState
from graphs.analyst_nodes import computing, extract, outline, step
from graphs.context import Context

__all__ = ("AnalystRunState", "build_analyst_graph")


@dataclass(frozen=True, kw_only=True)
class AnalystRunState(AnalystState):
    """The state as LangGraph keeps it: the answer holds quotes and is never checkpointed."""

    answer: Annotated[Answer | None, UntrackedValue(Answer)] = None


def build_analyst_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
) -> CompiledStateGraph[AnalystRunState, Context, AnalystQuestion, AnalystRunState]:
    """Build and compile the graph.

    It takes `{"question": …}` and `context=Context(corpus=…, reasoner=…)`; the outcome is
    `out["answer"]`, an `Answer` as the main graph gives it, with `out["analysis"]` and
    `out["filled"]`.
    """
    builder = StateGraph(AnalystRunState, context_schema=Context, input_schema=AnalystQuestion)
    for function in (outline, extract, computing(checkpointer)):
        builder.add_node(function.__name__, step(function))
    builder.add_edge(START, "outline")
    builder.add_edge("outline", "extract")
    builder.add_edge("extract", "compute")
    builder.add_edge("compute", END)
    return builder.compile(checkpointer=checkpointer, name="analyst")
