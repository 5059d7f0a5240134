"""classify: which ambiguities the question shows, by its words and by a first retrieval."""

import numpy as np
from langgraph.runtime import Runtime

import prompts
from agent.ambiguity import Ambiguity, Coherence, Reading
from agent.errors import AmbiguousQuestion, LimitReached, ModelError, QuestionError
from agent.question import Interpretation
from agent.replies import ClassifyReply, FoundAmbiguity, InterpretReply
from agent.state import State, Update
from graphs.asking import ask
from graphs.context import Context
from graphs.nodes.interpret import chosen, usable
from tools.calibration import thresholds_of
from tools.coherence import measure

__all__ = ("assume", "classify", "coherence_of")


def classify(state: State, runtime: Runtime[Context]) -> Update:
    """Find ambiguities; both signals are recorded, the wording decides whether to ask.

    Raises:
        AmbiguousQuestion: the question is ambiguous and the policy is to fail.
    """
    context = runtime.context
    reading = state.interpretation
    if reading is None:
        raise QuestionError("nothing to classify: the question was never read")
    coherence = coherence_of(state.question, context)
    try:
        found = _found(state.question, reading, coherence, runtime)
    except LimitReached as limit:
        return {"coherence": coherence, "stopped": str(limit)}
    except ModelError as error:
        told = f"whether the question is ambiguous could not be told: {error}"
        return {"coherence": coherence, "warnings": (*state.warnings, told)}
    if found and context.policy.on_ambiguity == "fail":
        raise AmbiguousQuestion(_explained(found))
    readings = found[0].readings if found and context.policy.on_ambiguity == "branch" else ()
    return {
        "coherence": coherence,
        "ambiguities": found,
        "codes": tuple(dict.fromkeys(ambiguity.code for ambiguity in found)),
        "readings": readings,
    }


def assume(state: State, runtime: Runtime[Context]) -> Update:
    """Read the question in the likeliest sense of each ambiguity, and say so."""
    context, reading = runtime.context, state.interpretation
    if reading is None:
        raise QuestionError("nothing to assume: the question was never read")
    taken: tuple[str, ...] = ()
    for ambiguity in state.ambiguities:
        prompt = prompts.rewrite(
            question=state.question,
            interpretation=reading,
            exchange=chosen(ambiguity.readings[0], ambiguity.readings),
            corpus=context.corpus,
        )
        try:
            reading = ask(runtime, prompt, InterpretReply, lambda reply: usable(reply, context))
        except LimitReached as limit:
            return {"interpretation": _assuming(reading, taken), "stopped": str(limit)}
        taken = (*taken, f"“{ambiguity.span}” was read as: {ambiguity.readings[0].question}")
    return {"interpretation": _assuming(reading, taken), "ambiguities": ()}


def coherence_of(question: str, context: Context) -> Coherence | None:
    """Measure the first retrieval of 2k chunks (ADF); None in an empty corpus."""
    retrieved = 2 * context.policy.retrieval
    ranked = context.corpus.ranked(question, retrieved)
    if not ranked:
        return None
    rows = context.corpus.vectors.rows(np.array([chunk for chunk, _ in ranked]))
    return measure(rows, thresholds_of(context.corpus, retrieved))


def _found(
    question: str,
    reading: Interpretation,
    coherence: Coherence | None,
    runtime: Runtime[Context],
) -> tuple[Ambiguity, ...]:
    prompt = prompts.classify(
        question=question,
        interpretation=reading,
        corpus=runtime.context.corpus,
        coherence=coherence,
    )
    return ask(runtime, prompt, ClassifyReply, lambda reply: _in_question(reply, question))


def _in_question(reply: ClassifyReply, question: str) -> tuple[Ambiguity, ...]:
    """Keep what is shown by words of the question and opens at least two readings."""
    folded = question.casefold()
    return tuple(
        _ambiguity(found)
        for found in reply.ambiguities
        if found.span.casefold() in folded and len(found.readings) >= 2
    )


def _ambiguity(found: FoundAmbiguity) -> Ambiguity:
    readings = tuple(
        Reading(label=reading.label, question=reading.question) for reading in found.readings
    )
    return Ambiguity(code=found.code, span=found.span, why=found.why, readings=readings)


def _explained(found: tuple[Ambiguity, ...]) -> str:
    first = found[0]
    readings = " | ".join(reading.question for reading in first.readings)
    return f"the question is ambiguous ({first.code}, {first.span!r}); ask one of: {readings}"


def _assuming(reading: Interpretation, taken: tuple[str, ...]) -> Interpretation:
    return reading.model_copy(update={"assumptions": reading.assumptions + taken})
