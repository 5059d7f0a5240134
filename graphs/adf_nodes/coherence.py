"""coherence: the first 2k chunks, and whether they are of one topic (ADF, section 4.2)."""

from langgraph.runtime import Runtime

from agent.adf import AdfState, AdfUpdate
from agent.counted import counted
from agent.errors import QuestionError
from graphs.adf_nodes.step import noted
from graphs.context import Context
from graphs.disambiguation.grounding import retrieve

__all__ = ("coherence",)


def coherence(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
    """Retrieve for the question as asked and measure dispersion and separability."""
    if not state.question.strip():
        raise QuestionError("the question is empty")
    options = state.options
    found = retrieve(
        state.question,
        runtime.context,
        k=options.k,
        mode=options.retrieval,
        eta=options.eta,
        calibration=options.thresholds,
    )
    measured = found.coherence
    if measured is None:
        why = "no passage has a word of the question"
    else:
        why = (
            f"{counted(len(found.chunks), 'passage')}: σ²var {measured.dispersion:.3f}, "
            f"σsep {measured.separability:.3f}: {measured.state} "
            f"by the {options.thresholds} thresholds"
        )
    return {
        "first": found.chunks,
        "coherence": measured,
        "steps": noted(state, "coherence", why),
    }
