"""Iterative RAG: it goes on searching while that makes progress (ADF, section 5.3.4)."""

from typing import Final, Literal

from langgraph.graph import END
from langgraph.runtime import Runtime

from agent.adf_state import Retrieval
from evals.baselines import prompts
from evals.baselines.asking import ask_each
from evals.baselines.concluding import conclude
from evals.baselines.fitting import SEARCHING, affordable, fitted
from evals.baselines.reading import read
from evals.baselines.replies import AssessReply
from evals.baselines.retrieving import begin, retrieve
from evals.baselines.state import BaselineState, BaselineUpdate
from evals.baselines.step import BaselineGraph, baseline_graph
from graphs.context import Context

__all__ = ("after_assess", "assess", "iterative", "progress")

_ROUNDS: Final = 3
_LEAST: Final = 0.3
_QUALITY: Final = 0.6


def iterative(k: int, mode: Retrieval) -> BaselineGraph:
    """Build begin → retrieve → assess → retrieve … → read → conclude, k chunks a search."""
    builder = baseline_graph(begin, retrieve(k, mode), assess, read, conclude)
    builder.add_edge("begin", "retrieve")
    builder.add_edge("retrieve", "assess")
    builder.add_conditional_edges("assess", after_assess)
    builder.add_edge("read", "conclude")
    builder.add_edge("conclude", END)
    return builder


def assess(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Have the last search graded, and the next query written."""
    told, budget = "\n".join(state.queries), affordable(state, SEARCHING)
    shown = fitted(state.latest, runtime.context, besides=told, budget=budget)
    if not shown.passages:
        return {"query": "", "quality": 0.0, "stopped": state.stopped or shown.stopped}
    prompt = prompts.assess(question=state.question, queries=state.queries, passages=shown.passages)
    received = ask_each(state, runtime, [(prompt, shown)], AssessReply)
    (reply,) = received.replies
    if reply is None:
        return received.update | {"query": "", "quality": 0.0}
    quality = min(1.0, max(0.0, reply.quality))
    return received.update | {"query": (reply.query or "").strip(), "quality": quality}


def after_assess(state: BaselineState) -> Literal["retrieve", "read"]:
    """Search again while it makes progress, at most three times."""
    spent = state.stopped or state.rounds >= _ROUNDS or not state.query
    return "read" if spent or progress(state) < _LEAST else "retrieve"


def progress(state: BaselineState) -> float:
    """Return 0.6 · quality + 0.4 · novelty of the last search."""
    return _QUALITY * state.quality + (1 - _QUALITY) * state.novelty
