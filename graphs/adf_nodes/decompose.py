"""decompose: sub-questions that the first retrieval supports (ADF, section 4.3)."""

from langgraph.runtime import Runtime

from agent.adf import AdfState, AdfUpdate, Intent
from graphs.adf_nodes.step import noted
from graphs.context import Context
from graphs.disambiguation.grounding import grounded, recalled

__all__ = ("decompose",)


def decompose(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
    """Cluster the first chunks and ask for a sub-question for each cluster near the question."""
    retrieved = recalled(state.question, state.first, state.coherence, runtime.context)
    found = grounded(state.question, retrieved, runtime, relevance=state.options.relevance)
    return {
        "intents": tuple(Intent(**each.model_dump()) for each in found.sub_questions),
        "failures": (*state.failures, *found.failures),
        "stopped": found.stopped,
        "steps": noted(state, "decompose", found.why),
    }
