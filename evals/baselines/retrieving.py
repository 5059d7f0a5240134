"""Nodes that begin a run and that retrieve chunks for a query."""

from langgraph.runtime import Runtime

from agent.adf_state import Retrieval
from evals.baselines.state import BaselineState, BaselineUpdate
from evals.baselines.step import BaselineNode
from graphs.context import Context
from graphs.runs.run_entry import open_run
from tools.retrieval import retrieve as ranked

__all__ = ("begin", "found", "retrieve")


def begin(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Enter the run in the store, and search for the question as asked first."""
    return {"run": open_run(state.question, "", runtime.context), "query": state.question}


def retrieve(k: int | None, mode: Retrieval = "dense") -> BaselineNode:
    """Return the node that adds the k best chunks for the query; None ranks them all."""

    def search(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
        query, corpus = state.query, runtime.context.corpus
        return found(state, query, ranked(corpus, query, k or len(corpus), mode=mode))

    search.__name__ = "retrieve"
    return search


def found(state: BaselineState, query: str, latest: list[int]) -> BaselineUpdate:
    """Return what changes when a search for a query brings these chunks, best first."""
    known = frozenset(state.chunks)
    new = [chunk for chunk in latest if chunk not in known]
    return {
        "queries": (*state.queries, query),
        "latest": tuple(latest),
        "chunks": (*state.chunks, *new),
        "novelty": len(new) / len(latest) if latest else 0.0,
        "rounds": state.rounds + 1,
    }
