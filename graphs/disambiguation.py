"""Readings of a question: made executable, served by one search, or grounded in clusters (ADF)."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from langgraph.runtime import Runtime

import prompts
from agent.adf_state import AdfOptions, SubQuestion
from agent.ambiguity import Ambiguity, Clarification, Coherence, Exchange, Option, Reading, Reply
from agent.errors import LimitReached, MalformedReply, ModelError, ProviderError, QuestionError
from agent.interpretation import alike, changed, interpretation_from, order_of, spelt_out, together
from agent.languages import stems
from agent.prompt_values import DecomposeValues, RewriteValues
from agent.question import Interpretation
from agent.reasoner import Failure, Prompt
from agent.replies import DecomposeReply, InterpretReply, RewriteReply
from agent.state import State
from graphs.asking import Received, ask, ask_all, limit_of, trace_prompt
from graphs.context import Context
from tools.corpus.words.lexicon import words
from tools.decisions import reading_the_untold, with_bare_limits
from tools.passage_windows import passages
from tools.retrieval import measure, relevant_clusters, thresholds
from tools.retrieval import retrieve as ranked


def grouped(readings: Sequence[Interpretation]) -> list[list[int]]:
    """Return the numbers of the readings that one search serves, in order of their first."""
    groups: list[list[int]] = []
    for place, reading in enumerate(readings):
        for group in groups:
            if together(readings[group[0]], reading):
                group.append(place)
                break
        else:
            groups.append([place])
    return groups


def searched_with(readings: Sequence[Reading], first: int) -> tuple[Interpretation, ...]:
    """Return the readings that one search serves, from the first of them on."""
    every = [each.interpretation for each in readings if each.interpretation is not None]
    (members, *_) = [group for group in grouped(every) if group[0] == first]
    return tuple(every[each] for each in members)


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One reading that the search at hand answers."""

    number: int
    question: str
    interpretation: Interpretation


def served(state: State) -> tuple[Served, ...]:
    """Return the readings that the search at hand answers, in order; raises QuestionError.

    Where words of the question were settled, assumed, or taken from the conversation, the reading
    says them; else the question itself is the most exact wording.
    """
    if not state.readings:
        settled = bool(state.exchanges or state.codes or state.conversation)
        question = state.interpreted.text if settled else state.question
        return (Served(number=0, question=question, interpretation=state.interpreted),)
    members = searched_with(state.readings, state.reading)
    return tuple(
        Served(number=number, question=state.readings[number].question, interpretation=each)
        for number, each in enumerate(members, start=state.reading)
    )


def usable(reply: InterpretReply, context: Context) -> Interpretation:
    """Check an interpretation against the corpus's fields; name all items where all are wanted.

    Where the reasoner cannot judge, words alone decide a mention; where it can, it reads the few
    documents that lack a field which decides a condition.

    Raises MalformedReply: the reading cannot be executed.
    """
    fields, literal = context.corpus.fields, "judge" not in context.reasoner.abilities
    names = [field.name for field in fields]
    reading = interpretation_from(spelt_out(reply, fields), names, literal=literal)
    reading = with_bare_limits(context.corpus, reading)
    return reading if literal else reading_the_untold(context.corpus, reading)


def given_criteria(criteria: InterpretReply, context: Context) -> Interpretation:
    """Return the interpretation that a person's criteria are; raises QuestionError."""
    try:
        return usable(criteria, context)
    except MalformedReply as error:
        raise QuestionError(f"the criteria cannot be used: {error}") from error


def asking_about(ambiguity: Ambiguity, question: str = "") -> Clarification:
    """Offer the readings as options, with what they came to where they were tried."""
    options = tuple(
        Option(
            label=each.label,
            meaning=each.question,
            estimate=each.estimate.in_words if each.estimate else "",
        )
        for each in ambiguity.readings
    )
    return Clarification(
        code=ambiguity.code,
        span=ambiguity.span,
        question=question or f"What is meant by “{ambiguity.span}”?",
        options=options,
    )


def choosing(ambiguity: Ambiguity, choice: int) -> Exchange:
    """Return the exchange in which a person would have chosen a reading, counted from 1."""
    return Exchange(asked=asking_about(ambiguity), reply=Reply(choice=choice))


def executable(
    ambiguities: Sequence[Ambiguity], state: State, runtime: Runtime[Context]
) -> tuple[tuple[Ambiguity, ...], str]:
    """Interpret the question in the sense of every reading; return the limit reached, too.

    A small change is made here; only for others the reasoner is asked, side by side. Of readings
    that would be executed alike the first stays; one that could not be interpreted is a sentence.
    """
    ambiguities = [
        each.reading_as([_slightly_changed(one, state, runtime.context) for one in each.readings])
        for each in ambiguities
    ]
    open_ = [
        choosing(each, number)
        for each in ambiguities
        for number, one in enumerate(each.readings, start=1)
        if one.interpretation is None
    ]
    sent = [_rewriting(each, state, runtime.context) for each in open_]
    if sent:
        trace_prompt(runtime, sent[0])
    replies = runtime.context.reasoner.ask_many(sent, RewriteReply)
    read = (_read(*each, state, runtime) for each in zip(replies, open_, strict=True))

    def made(one: Reading) -> Reading:
        known = one.interpretation or next(read)
        return one.model_copy(update={"interpretation": known})

    found = tuple(each.reading_as(different([*map(made, each.readings)])) for each in ambiguities)
    return found, limit_of(replies)


def likeliest(ambiguity: Ambiguity, state: State, runtime: Runtime[Context]) -> Interpretation:
    """Interpret the question in the sense of the first reading; raises as `reread_as`."""
    made = _slightly_changed(ambiguity.readings[0], state, runtime.context).interpretation
    return made or reread_as(choosing(ambiguity, 1), state, runtime)


def reread_as(exchange: Exchange, state: State, runtime: Runtime[Context]) -> Interpretation:
    """Interpret the question in the sense of a reply; raises MalformedReply after two bad ones."""
    context = runtime.context
    prompt = _rewriting(exchange, state, context)
    return ask(runtime, prompt, RewriteReply, lambda reply: _rewritten(reply, state, context))


def _slightly_changed(reading: Reading, state: State, context: Context) -> Reading:
    """Give a reading its interpretation, where that takes nobody; else leave it as it is."""
    before, change = state.interpretation, reading.change
    if reading.interpretation is not None or change is None or before is None:
        return reading
    try:
        made = usable(changed(before, change), context)
    except MalformedReply:
        return reading
    made = made.model_copy(update={"text": reading.question, "settled": before.settled})
    return reading.model_copy(update={"interpretation": made})


def _rewritten(reply: RewriteReply, state: State, context: Context) -> Interpretation:
    return usable(reply.applied_to(order_of(state.interpreted)), context)


def assuming(reading: Interpretation, *taken: str) -> Interpretation:
    """Return the reading with more of what was settled."""
    return reading.model_copy(update={"settled": (*reading.settled, *taken)})


def carried(before: Interpretation, reading: Interpretation) -> Interpretation:
    """Take over what was settled before, and how names are merged."""
    reading = reading.model_copy(update={"merge": reading.merge or before.merge})
    return assuming(reading, *(each for each in before.settled if each not in reading.granted))


def _rewriting(exchange: Exchange, state: State, context: Context) -> Prompt:
    values = RewriteValues(
        question=state.question,
        interpretation=state.interpreted,
        exchange=exchange,
        corpus=context.corpus,
    )
    return prompts.rewrite(values)


def _read(
    reply: RewriteReply | Failure, exchange: Exchange, state: State, runtime: Runtime[Context]
) -> Interpretation | None:
    """Return the reading, asked for once more where it makes no sense; None where none came."""
    try:
        if not isinstance(reply, Failure):
            with suppress(MalformedReply):
                return _rewritten(reply, state, runtime.context)
        elif not isinstance(reply.error, ModelError | ProviderError):
            raise reply.error
        return reread_as(exchange, state, runtime)
    except (ModelError, ProviderError, LimitReached):
        return None


def different(readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """Return the readings, of those that would be executed alike the first."""
    kept: list[Reading] = []
    for reading in readings:
        known = (each.interpretation for each in kept)
        made = reading.interpretation
        if made is None or not any(each is not None and alike(made, each) for each in known):
            kept.append(reading)
    return tuple(kept)


def retrieve(
    question: str, context: Context, options: AdfOptions
) -> tuple[tuple[int, ...], Coherence | None]:
    """Retrieve the first 2k chunks, best first, and measure how coherent they are; None of none.

    Source: ADF, section 4.2; of `grounded` 4.3, and its algorithm 1 to line 16.
    """
    corpus, size = context.corpus, 2 * options.k
    chunks = ranked(corpus, question, size, mode=options.retrieval)
    if not chunks:
        return (), None
    own = thresholds(options.thresholds, corpus, size, options.retrieval)
    return tuple(chunks), measure(corpus.vectors.rows(np.array(chunks)), own)


def grounded(
    question: str, retrieved: Sequence[int], runtime: Runtime[Context]
) -> tuple[tuple[SubQuestion, ...], Received[DecomposeReply]]:
    """Part a retrieval into clusters and ask for a sub-question for each that is near enough.

    With fewer than two such clusters nothing is asked; of fewer than two different sub-questions
    none is returned. Raises ProviderRejected: the server serves no request.
    """
    corpus = runtime.context.corpus
    (query,) = corpus.embedder.embed([question])
    near = relevant_clusters(query, corpus.vectors.rows(np.array(retrieved, dtype=np.int64)))
    clusters = [tuple(retrieved[place] for place in members) for members in near]
    if len(clusters) < 2:
        return (), Received(replies=())
    shown = [passages(corpus, cluster) for cluster in clusters]
    values = [
        DecomposeValues(
            question=question, passages=own, others=[each for each in shown if each is not own]
        )
        for own in shown
    ]
    sent = [
        (f"cluster {number} of {len(shown)}", prompts.decompose(each))
        for number, each in enumerate(values, start=1)
    ]
    received = ask_all(runtime, sent, DecomposeReply)
    asked, different = {_stems(question)}, list[SubQuestion]()
    for chunks, reply in zip(clusters, received.replies, strict=True):
        text = " ".join((reply.question or "").split()) if reply is not None else ""
        # The same words in another order or inflection ask the same.
        if reply is None or not text or _stems(text) in asked:
            continue
        asked.add(_stems(text))
        label = " ".join(reply.label.split()) or text
        different.append(SubQuestion(label=label, question=text, chunks=chunks, why=reply.reason))
    return tuple(different) if len(different) > 1 else (), received


def _stems(question: str) -> frozenset[str]:
    return frozenset(stems(words(question)))
