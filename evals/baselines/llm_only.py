"""LLM-only: the model is asked without a passage."""

from langgraph.graph import END

from evals.baselines.concluding import conclude
from evals.baselines.reading import recall_unread
from evals.baselines.retrieving import begin
from evals.baselines.step import BaselineGraph, baseline_graph

__all__ = ("llm_only",)


def llm_only() -> BaselineGraph:
    """Build begin → recall_unread → conclude."""
    builder = baseline_graph(begin, recall_unread, conclude)
    builder.add_edge("begin", "recall_unread")
    builder.add_edge("recall_unread", "conclude")
    builder.add_edge("conclude", END)
    return builder
