"""Single-step RAG: the k best chunks are retrieved once and read in one request."""

from langgraph.graph import END

from agent.adf_state import Retrieval
from evals.baselines.concluding import conclude
from evals.baselines.reading import read
from evals.baselines.retrieving import begin, retrieve
from evals.baselines.step import BaselineGraph, baseline_graph

__all__ = ("single_step",)


def single_step(k: int | None, mode: Retrieval) -> BaselineGraph:
    """Build begin → retrieve → read → conclude.

    Args:
        k: how many chunks; None is as many as the budget and the reasoner's context hold.
        mode: `dense` is naive RAG, `hybrid` fuses it with BM25 by reciprocal ranks.
    """
    builder = baseline_graph(begin, retrieve(k, mode), read, conclude)
    builder.add_edge("begin", "retrieve")
    builder.add_edge("retrieve", "read")
    builder.add_edge("read", "conclude")
    builder.add_edge("conclude", END)
    return builder
