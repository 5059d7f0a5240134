"""The ADF graph: an ambiguous question answered in every reading that the corpus supports.

Coherence → gate → decomposition → hypothetical passages → dual-pathway retrieval → synthesis (ADF,
section 4.1 and algorithm 1). It is a graph of its own, for ordinary questions: it counts nothing.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from langgraph.channels import UntrackedValue
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from agent.adf_state import AdfAnswer, AdfQuestion, AdfState
from graphs.adf_nodes import ALL, step
from graphs.context import Context

__all__ = ("AdfRunState", "after_decompose", "after_gate", "build_adf_graph")


@dataclass(frozen=True, kw_only=True)
class AdfRunState(AdfState):
    """The state as LangGraph keeps it: the answer holds quotes and is never checkpointed."""

    answer: Annotated[AdfAnswer | None, UntrackedValue(AdfAnswer)] = None


def build_adf_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
) -> CompiledStateGraph[AdfRunState, Context, AdfQuestion, AdfRunState]:
    """Build and compile the graph.

    It takes `{"question": …}`, optionally with `"options": AdfOptions(…)`, and
    `context=Context(corpus=…, reasoner=…)`; the outcome is `out["answer"]`, an `AdfAnswer`.
    """
    builder = StateGraph(AdfRunState, context_schema=Context, input_schema=AdfQuestion)
    for function in ALL:
        builder.add_node(function.__name__, step(function))
    builder.add_edge(START, "coherence")
    builder.add_edge("coherence", "gate")
    builder.add_conditional_edges("gate", after_gate)
    builder.add_conditional_edges("decompose", after_decompose)
    builder.add_edge("hypothesise", "retrieve")
    builder.add_edge("retrieve", "synthesise")
    builder.add_edge("synthesise", END)
    return builder.compile(checkpointer=checkpointer, name="adf")


def after_gate(state: AdfState) -> Literal["decompose", "retrieve"]:
    """Decompose what is not clear, unless a limit was reached."""
    return "retrieve" if state.verdict == "clear" or state.stopped else "decompose"


def after_decompose(state: AdfState) -> Literal["hypothesise", "retrieve"]:
    """Follow several readings with hypothetical passages; one is the question as asked."""
    return "hypothesise" if state.intents and not state.stopped else "retrieve"
