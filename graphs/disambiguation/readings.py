"""From an ambiguity to readings that can be executed: each is read in its own sense."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

import prompts
from agent.ambiguity import Ambiguity, Clarification, Exchange, Option, Reading, Reply
from agent.deduplication import ruled
from agent.errors import LimitReached, MalformedReply, ModelError, ProviderError
from agent.interpretation import alike, interpretation_from, spelt_out
from agent.prompt_values import RewriteValues
from agent.question import Interpretation
from agent.reasoner import Failure, Prompt
from agent.replies import InterpretReply
from agent.state import State
from graphs.asking import ask, trace_prompt
from graphs.context import Context


def usable(reply: InterpretReply, context: Context) -> Interpretation:
    """Check an interpretation against the corpus's fields; name all items where all are wanted.

    A mention is decided by its words alone where the reasoner cannot judge what they mean.

    Raises:
        MalformedReply: the reading cannot be executed.
    """
    fields = context.corpus.fields
    literal = "judge" not in context.reasoner.abilities
    names = [field.name for field in fields]
    return interpretation_from(spelt_out(reply, fields), names, literal=literal)


def choosing(ambiguity: Ambiguity, choice: int) -> Exchange:
    """Return the exchange in which a person would have chosen a reading, counted from 1."""
    options = tuple(Option(label=each.label, meaning=each.question) for each in ambiguity.readings)
    asked = Clarification(
        code=ambiguity.code,
        span=ambiguity.span,
        question=f"What is meant by “{ambiguity.span}”?",
        options=options,
    )
    return Exchange(asked=asked, reply=Reply(choice=choice))


def executable(
    ambiguities: Sequence[Ambiguity], state: State, runtime: Runtime[Context]
) -> tuple[tuple[Ambiguity, ...], str]:
    """Read the question in the sense of every reading, side by side.

    Readings that would be executed alike are one, called by the first; one that could not be read
    in its sense stays a sentence.

    Returns:
        The ambiguities, and the limit that was reached; empty where none was.
    """
    places = [
        (place, number)
        for place, ambiguity in enumerate(ambiguities)
        for number, reading in enumerate(ambiguity.readings, start=1)
        if reading.interpretation is None
    ]
    sent = [_rewriting(choosing(ambiguities[p], n), state, runtime.context) for p, n in places]
    if sent:
        trace_prompt(runtime, sent[0])
    replies = runtime.context.reasoner.ask_many(sent, InterpretReply)
    stopped = next(
        (
            str(reply.error)
            for reply in replies
            if isinstance(reply, Failure) and isinstance(reply.error, LimitReached)
        ),
        "",
    )
    read = {
        place: _read(reply, choosing(ambiguities[place[0]], place[1]), state, runtime)
        for place, reply in zip(places, replies, strict=True)
    }
    made = (
        ambiguity.model_copy(
            update={
                "readings": different(
                    [
                        _as_read(reading, read.get((place, number)), choosing(ambiguity, number))
                        for number, reading in enumerate(ambiguity.readings, start=1)
                    ]
                )
            }
        )
        for place, ambiguity in enumerate(ambiguities)
    )
    return tuple(made), stopped


def reread_as(exchange: Exchange, state: State, runtime: Runtime[Context]) -> Interpretation:
    """Read the question again in the sense of a reply.

    Raises:
        MalformedReply: no usable reading came back, twice.
    """
    context = runtime.context
    prompt = _rewriting(exchange, state, context)
    reading = ask(runtime, prompt, InterpretReply, lambda reply: usable(reply, context))
    return ruled(reading, exchange)


def assuming(reading: Interpretation, *taken: str) -> Interpretation:
    """Return the reading with more of what was settled."""
    return reading.model_copy(update={"settled": (*reading.settled, *taken)})


def carried(before: Interpretation | None, reading: Interpretation) -> Interpretation:
    """Take over what was settled before, and how names are merged."""
    if before is None:
        return reading
    reading = reading.model_copy(update={"merge": reading.merge or before.merge})
    return assuming(reading, *(each for each in before.settled if each not in reading.granted))


def _rewriting(exchange: Exchange, state: State, context: Context) -> Prompt:
    if state.interpretation is None:
        raise MalformedReply("nothing to rewrite: the question was never read")
    return prompts.rewrite(
        RewriteValues(
            question=state.question,
            interpretation=state.interpretation,
            exchange=exchange,
            corpus=context.corpus,
        )
    )


def _read(
    reply: InterpretReply | Failure, exchange: Exchange, state: State, runtime: Runtime[Context]
) -> Interpretation | None:
    """Return the reading, asked for once more where it makes no sense; None where none came."""
    if isinstance(reply, Failure):
        if isinstance(reply.error, LimitReached):
            return None
        if not isinstance(reply.error, ModelError | ProviderError):
            raise reply.error
        return _again(exchange, state, runtime)
    try:
        return usable(reply, runtime.context)
    except MalformedReply:
        return _again(exchange, state, runtime)


def _again(exchange: Exchange, state: State, runtime: Runtime[Context]) -> Interpretation | None:
    try:
        return reread_as(exchange, state, runtime)
    except (ModelError, ProviderError, LimitReached):
        return None


def _as_read(
    reading: Reading, interpretation: Interpretation | None, exchange: Exchange
) -> Reading:
    if interpretation is None:
        return reading
    return reading.model_copy(update={"interpretation": ruled(interpretation, exchange)})


def different(readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """Return the readings, of those that would be executed alike the first."""
    kept: list[Reading] = []
    for reading in readings:
        if not any(_same(reading, each) for each in kept):
            kept.append(reading)
    return tuple(kept)


def _same(one: Reading, other: Reading) -> bool:
    both = one.interpretation, other.interpretation
    return both[0] is not None and both[1] is not None and alike(both[0], both[1])
