"""Diversify, verify, adapt: several readings are searched for, and what serves none is left out.

After DIVA (ADF, section 5.3.4): three readings, five chunks for each and for the question itself.
"""

from typing import Final, Literal

from langgraph.graph import END
from langgraph.runtime import Runtime

from agent.adf_state import Retrieval
from evals.baselines import prompts
from evals.baselines.asking import ask_each
from evals.baselines.concluding import conclude
from evals.baselines.fitting import SEARCHING, affordable, fitted
from evals.baselines.reading import read, recall_unread
from evals.baselines.replies import DiversifyReply, VerifyReply
from evals.baselines.retrieving import begin
from evals.baselines.state import BaselineState, BaselineUpdate
from evals.baselines.step import BaselineGraph, BaselineNode, baseline_graph
from graphs.context import Context
from tools.retrieval import retrieve as ranked

__all__ = ("after_verify", "diversify", "diversify_verify_adapt", "verify")

_READINGS: Final = 3


def diversify_verify_adapt(k: int, mode: Retrieval) -> BaselineGraph:
    """Build begin → diversify → gather → verify → read or recall_unread → conclude."""
    builder = baseline_graph(
        begin, diversify, _gathering(k, mode), verify, read, recall_unread, conclude
    )
    builder.add_edge("begin", "diversify")
    builder.add_edge("diversify", "gather")
    builder.add_edge("gather", "verify")
    builder.add_conditional_edges("verify", after_verify)
    builder.add_edge("read", "conclude")
    builder.add_edge("recall_unread", "conclude")
    builder.add_edge("conclude", END)
    return builder


def diversify(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Have the question written in several senses; it is searched for as asked besides."""
    prompt = prompts.diversify(question=state.question, number=_READINGS)
    received = ask_each(state, runtime, [(prompt, None)], DiversifyReply)
    (reply,) = received.replies
    told = [each.strip() for each in reply.readings if each.strip()] if reply else []
    queries = dict.fromkeys([state.question, *told[:_READINGS]])
    return received.update | {"queries": tuple(queries)}


def verify(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Keep the passages that serve the question; without a verdict, all of them."""
    told, budget = "\n".join(state.queries), affordable(state, SEARCHING)
    shown = fitted(state.chunks, runtime.context, besides=told, budget=budget)
    if not shown.passages:
        stopped = state.stopped or shown.stopped
        return {"useful": bool(shown.stopped), "stopped": stopped}
    prompt = prompts.verify(
        question=state.question, readings=state.queries, passages=shown.passages
    )
    received = ask_each(state, runtime, [(prompt, shown)], VerifyReply)
    (reply,) = received.replies
    if reply is None:
        return received.update
    useful = frozenset(reply.useful)
    kept = [each.chunk for at, each in enumerate(shown.passages, start=1) if at in useful]
    return received.update | {
        "chunks": tuple(kept),
        "useful": bool(kept) and reply.verdict != "useless",
    }


def after_verify(state: BaselineState) -> Literal["read", "recall_unread"]:
    """Answer from the passages, or from what the model knows where none serves."""
    return "read" if state.useful else "recall_unread"


def _gathering(k: int, mode: Retrieval) -> BaselineNode:
    """Return the node that retrieves for all readings."""

    def gather(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
        corpus = runtime.context.corpus
        rankings = [ranked(corpus, query, k, mode=mode) for query in state.queries]
        return {"chunks": tuple(dict.fromkeys(chunk for each in rankings for chunk in each))}

    return gather
