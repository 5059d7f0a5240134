"""ground: the readings that the collection itself suggests for what it does not define."""

import numpy as np
from langgraph.runtime import Runtime

from agent.adf_state import SubQuestion
from agent.ambiguity import Ambiguity, Reading
from agent.state import State, Update
from agent.taxonomy import settling
from graphs.context import Context
from graphs.disambiguation import grounding

_MOST = 4
"""Readings of one ambiguity at most, as of one retrieval (ADF, equation 4)."""
_LABELS = settling("label")


def ground(state: State, runtime: Runtime[Context]) -> Update:
    """Add what clusters of a first retrieval suggest that an unknown label means (ADF, 4.3).

    The words of a question tell the readings of every other kind; only the documents tell these.
    A coherent retrieval is on one topic, so that nothing is paid for it.
    """
    coherence = state.coherence
    unknown = any(each.code in _LABELS for each in state.ambiguities)
    coherent = coherence is None or coherence.state == "clear"
    able = "write" in runtime.context.reasoner.abilities
    if not unknown or not able or state.stopped or coherent:
        return {}
    retrieved = _retrieved(state, runtime.context)
    found = grounding.grounded(state.question, retrieved, runtime)
    runtime.stream_writer({"kind": "grounding", "why": found.why})
    told = tuple(f"a reading could not be looked up: {each.error}" for each in found.failures)
    senses = found.sub_questions
    grounded = (_with(each, senses) if each.code in _LABELS else each for each in state.ambiguities)
    return {
        "ambiguities": tuple(grounded),
        "warnings": (*state.warnings, *dict.fromkeys(told)),
    }


def _retrieved(state: State, context: Context) -> grounding.Retrieved:
    first = context.corpus.ranked(state.question, 2 * context.policy.retrieval)
    chunks = np.array([chunk for chunk, _ in first], dtype=np.int64)
    return grounding.recalled(state.question, chunks.tolist(), state.coherence, context)


def _with(ambiguity: Ambiguity, found: tuple[SubQuestion, ...]) -> Ambiguity:
    """Put the clusters' readings behind the taxonomy's; the same question is one reading."""
    readings = {each.question.casefold(): each for each in ambiguity.readings}
    for each in found:
        readings.setdefault(
            each.question.casefold(), Reading(label=each.label, question=each.question)
        )
    return ambiguity.model_copy(update={"readings": tuple(readings.values())[:_MOST]})
