"""interpret: make a question executable; classify and ground: what of it is ambiguous."""

from dataclasses import replace

import numpy as np
from langgraph.runtime import Runtime

import prompts
from agent.adf_state import AdfOptions, SubQuestion
from agent.ambiguity import Ambiguity, Change, Reading
from agent.errors import LimitReached, ModelError
from agent.evidence import Passage
from agent.prompt_values import ClassifyValues, InterpretValues
from agent.question import CRITERIA
from agent.reasoner import Prompt
from agent.replies import ClassifyReply, InterpretReply, ReadingReply
from agent.state import State, Update
from agent.taxonomy import settling
from graphs.asking import ask, trace_prompt
from graphs.context import Context
from graphs.disambiguation import assuming, grounded, likeliest, usable
from graphs.disambiguation import retrieve as first_retrieval
from graphs.records.available_records import tables_of
from graphs.runs.run_entry import open_run
from graphs.scope import open_conditions
from tools.decisions import chunks_of, possible
from tools.retrieval import retrieve

_SHOWN = 600
"""Characters of a document's beginning."""
_BEGINNINGS = 3
_NEAREST = 20
"""Chunks nearest to the question, whose documents' beginnings are shown first."""


def interpret(state: State, runtime: Runtime[Context]) -> Update:
    """Read the question; open the run in the run store."""
    context = runtime.context
    run = open_run(state.question, state.run, context)
    if state.criteria is not None:
        return {"run": run, "interpretation": state.criteria}
    prompt = prompts.interpret(
        InterpretValues(
            question=state.question,
            conversation=state.conversation,
            beginnings=_beginnings(state.question, context),
            tables=tables_of(context),
            corpus=context.corpus,
        )
    )
    reading = ask(runtime, prompt, InterpretReply, lambda reply: usable(reply, context))
    return {"run": run, "interpretation": reading}


def _beginnings(question: str, context: Context) -> tuple[Passage, ...]:
    """Return how some documents, the nearest first, begin; none to a reader without a fee."""
    corpus = context.corpus
    if not (context.reasoner.paid and corpus.documents):
        return ()
    count = len(corpus.documents)
    nearest = corpus.chunk_document[retrieve(corpus, question, _NEAREST, mode="bm25")].tolist()
    likely = (*dict.fromkeys(nearest),)[: _BEGINNINGS - 1]
    chosen = (*dict.fromkeys((*likely, count // 2, 0, count - 1)),)[:_BEGINNINGS]
    return tuple(
        Passage(
            chunk=0,
            document=corpus.documents[place],
            title=corpus.titles[place],
            start=0,
            text=corpus.document_text(place)[:_SHOWN],
        )
        for place in sorted(chosen)
    )


def classify(state: State, runtime: Runtime[Context]) -> Update:
    """Find ambiguities; both signals are recorded, the wording decides what is weighed.

    A limit leaves the run unfinished unless code decides the rest and nobody wants to be asked.
    """
    context = runtime.context
    reading = state.interpreted
    options = AdfOptions(k=context.policy.retrieval, thresholds="calibrated", retrieval="dense")
    _, coherence = first_retrieval(state.question, context, options)
    if context.policy.disambiguation in {"none", "direct"} or state.criteria is not None:
        return {"coherence": coherence}
    prompt = prompts.classify(
        ClassifyValues(
            question=state.question,
            conversation=state.conversation,
            interpretation=reading,
            beginnings=_beginnings(state.question, context),
            corpus=context.corpus,
            coherence=coherence,
            tables=tables_of(context),
        )
    )
    found, told, stopped = _found(prompt, state.question, runtime)
    update: Update = {
        "coherence": coherence,
        "ambiguities": found,
        "codes": tuple(dict.fromkeys(ambiguity.code for ambiguity in found)),
        "warnings": (*state.warnings, *told),
    }
    unfinished = context.policy.on_ambiguity != "assume" or open_conditions(state)
    return {**update, "stopped": stopped} if stopped and unfinished else update


def assume(state: State, runtime: Runtime[Context]) -> Update:
    """Read the question in the likeliest sense of each ambiguity, and say so."""
    taken: tuple[str, ...] = ()
    reading = state.interpreted
    for number, ambiguity in enumerate(state.ambiguities):
        first = ambiguity.readings[0].interpretation if number == 0 else None
        now = replace(state, interpretation=reading)
        try:
            reading = first or likeliest(ambiguity, now, runtime)
        except LimitReached as limit:
            return {"interpretation": assuming(reading, *taken), "stopped": str(limit)}
        taken = (*taken, assumed(ambiguity))
    return {"interpretation": assuming(reading, *taken), "ambiguities": ()}


def assumed(ambiguity: Ambiguity) -> str:
    """Say how a span was read, and what it would come to otherwise."""
    first, *others = ambiguity.readings
    told = f"“{ambiguity.span}” was read as: {first.question}"
    known = [f"{each.label}: {each.estimate.in_words}" for each in others if each.estimate]
    if first.estimate is None or not known:
        return told
    return f"{told} ({first.estimate.in_words}; {'; '.join(known)})"


def _found(
    prompt: Prompt, question: str, runtime: Runtime[Context]
) -> tuple[tuple[Ambiguity, ...], tuple[str, ...], str]:
    """Return the ambiguities of all kinds, why none could be looked for, and the limit reached."""
    trace_prompt(runtime, prompt)
    try:
        reply = runtime.context.reasoner.ask(prompt, ClassifyReply)
    except LimitReached as limit:
        return (), ("a limit left it open whether the question is ambiguous",), str(limit)
    except ModelError as error:
        return (), (f"whether the question is ambiguous could not be told: {error}",), ""
    return _in_question(reply, question), (), ""


def _in_question(reply: ClassifyReply, question: str) -> tuple[Ambiguity, ...]:
    """Keep what words of the question show and what opens several readings."""
    folded = question.casefold()
    return tuple(
        Ambiguity(
            code=found.code,
            span=found.span,
            why=found.why,
            readings=tuple(
                Reading(label=each.label, question=each.question, change=_change(each))
                for each in found.readings
            ),
        )
        for found in reply.ambiguities
        if found.span.strip() and found.span.casefold() in folded and len(found.readings) >= 2
    )


def _change(reading: ReadingReply) -> Change | None:
    """Return the small change that a reading is said to be; None where it is more."""
    match reading.change:
        case "nothing":
            return Change()
        case "condition" if reading.condition and reading.text:
            told = {"condition", "text", "values", "drops", *CRITERIA}
            return Change.model_validate(reading.model_dump(include=told))
        case "merging" if reading.merge:
            return Change(merge=reading.merge, drops=tuple(reading.drops))
        case _:
            return None


_MOST = 4
"""Readings of one ambiguity at most, as of one retrieval (ADF, equation 4)."""
_LABELS = settling("label")


def ground(state: State, runtime: Runtime[Context]) -> Update:
    """Add what clusters of a first retrieval suggest that an unknown label means (ADF, 4.3).

    A coherent retrieval is on one topic, so that nothing is paid for it.
    """
    coherence = state.coherence
    unknown = any(each.code in _LABELS for each in state.ambiguities)
    coherent = coherence is None or coherence.state == "clear"
    able = "write" in runtime.context.reasoner.abilities
    if not unknown or not able or state.stopped or coherent:
        return {}
    senses, received = grounded(state.question, _retrieved(state, runtime.context), runtime)
    told = tuple(f"a reading could not be looked up: {each.error}" for each in received.failures)
    return {
        "ambiguities": tuple(
            _with(each, senses) if each.code in _LABELS else each for each in state.ambiguities
        ),
        "warnings": (*state.warnings, *dict.fromkeys(told)),
    }


def _retrieved(state: State, context: Context) -> list[int]:
    """Retrieve the first chunks of the documents that fields leave possible."""
    corpus = context.corpus
    likely = chunks_of(corpus, possible(corpus, state.interpreted.wanted))
    chunks = np.array(likely, dtype=np.int64)
    likeness = corpus.vectors.similarity(corpus.embedder.embed([state.question])[0])
    nearest = np.argsort(-likeness[chunks], kind="stable")[: 2 * context.policy.retrieval]
    first: list[int] = chunks[nearest].tolist()
    return first


def _with(ambiguity: Ambiguity, found: tuple[SubQuestion, ...]) -> Ambiguity:
    """Put the clusters' readings behind the taxonomy's; the same question is one reading."""
    readings = {each.question.casefold(): each for each in ambiguity.readings}
    for each in found:
        made = Reading(label=each.label, question=each.question)
        readings.setdefault(each.question.casefold(), made)
    return ambiguity.reading_as(list(readings.values())[:_MOST])
