"""hypothesise: a passage that would answer each sub-question (HyDE; ADF, section 4.4)."""

from langgraph.runtime import Runtime

import prompts
from agent.adf import AdfState, AdfUpdate
from agent.adf_replies import HypothesiseReply
from graphs.adf_nodes.step import noted
from graphs.asking_many import ask_all
from graphs.context import Context
from tools.passage_windows import passages

__all__ = ("hypothesise",)


def hypothesise(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
    """Ask for one hypothetical passage a sub-question, side by side.

    A sub-question without one is searched for directly, and only so.
    """
    corpus = runtime.context.corpus
    sent = [
        (
            each.label,
            prompts.hypothesise(
                reading=each,
                form=state.options.form,
                passages=passages(corpus, each.chunks),
                corpus=corpus,
            ),
        )
        for each in state.intents
    ]
    received = ask_all(runtime, sent, HypothesiseReply)
    written = [reply.passage.strip() if reply else "" for reply in received.replies]
    intents = tuple(
        each.model_copy(update={"hypothesis": passage})
        for each, passage in zip(state.intents, written, strict=True)
    )
    why = f"{sum(map(bool, written))} hypothetical passages for {len(intents)} sub-questions"
    return {
        "intents": intents,
        "failures": (*state.failures, *received.failures),
        "stopped": received.stopped or state.stopped,
        "steps": noted(state, "hypothesise", why),
    }
