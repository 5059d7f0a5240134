"""gate: whether the question is clear, so that it is answered at once (ADF, section 7.1)."""

from langgraph.runtime import Runtime

import prompts
from agent.adf import AdfState, AdfUpdate
from agent.adf_replies import GateReply
from agent.ambiguity import CoherenceState
from graphs.adf_nodes.step import noted
from graphs.asking_many import ask_all
from graphs.context import Context

__all__ = ("gate",)


def gate(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
    """Take the question for clear, uncertain or ambiguous; only a clear one skips the rest.

    Without a verdict of the classifier the question is uncertain.
    """
    if state.options.gate == "off":
        return _taken(state, "ambiguous", "no gate: every question is decomposed")
    if state.options.gate == "coherence":
        measured = state.coherence
        verdict = measured.state if measured else "clear"
        return _taken(state, verdict, "by the coherence of the first retrieval")
    sent = [("the question", prompts.gate(question=state.question))]
    received = ask_all(runtime, sent, GateReply)
    (reply,) = received.replies
    if reply is not None:
        return _taken(state, reply.verdict, f"by its words: {reply.reason}")
    update = _taken(state, "uncertain", "no verdict on its words")
    update["failures"] = (*state.failures, *received.failures)
    update["stopped"] = received.stopped
    return update


def _taken(state: AdfState, verdict: CoherenceState, why: str) -> AdfUpdate:
    return {"verdict": verdict, "steps": noted(state, "gate", f"{verdict}: {why}")}
