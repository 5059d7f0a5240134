"""The baselines: each a few steps that search, and one that answers from what was found."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from pyroaring import BitMap

import prompts
from agent.errors import (
    LimitReached,
    ModelError,
    ProviderError,
    ProviderRejected,
    ToolArgumentError,
)
from agent.evidence import Entity, Evidence, Finding, Passage
from agent.history import Step
from agent.prompt_values import InterpretValues
from agent.question import Interpretation
from agent.reasoner import ToolCall, ToolSpec
from agent.replies import InterpretReply
from evals.baselines.attempt import (
    Attempt,
    combined,
    decided_by_reading,
    proven,
    snapshot_of,
    unaided,
)
from evals.baselines.baseline_prompts import (
    AssessReply,
    BaselineValues,
    DiversifyReply,
    NoteReply,
    VerifyReply,
    baseline_prompt,
)
from graphs.asking import ask
from graphs.disambiguation import usable
from graphs.search.judging_batches import Bench
from tools.filters.arguments import Arguments, Words
from tools.filters.filter_calls import same_call
from tools.filters.registry import CONTROLS, FILTERS, apply
from tools.retrieval import by_words

Method = Callable[[Attempt], None]


def single_step(attempt: Attempt, *, k: int | None, times: float = 0) -> None:
    """Retrieve once and answer from that; without a k it is as many as the context holds.

    `times` takes so many chunks a document of the collection instead.
    """
    k = math.ceil(times * len(attempt.context.corpus.documents)) or k
    attempt.search(attempt.question, k, "dense")
    attempt.answer_read()


def full_corpus(attempt: Attempt) -> None:
    """Put the documents into the context in their order until it is full, and answer from that.

    `single_step` without a k fills it too, with the passages that are most like the question first.
    """
    attempt.chunks = [*range(len(attempt.context.corpus))]
    attempt.answer_read()


_SEARCHES: Final = 3
_LEAST: Final = 0.3
_QUALITY: Final = 0.6


def iterative(attempt: Attempt, *, k: int) -> None:
    """Retrieve k chunks, have them graded, and search again while that makes progress; then answer.

    Three searches are the most. Progress is 0.6 · quality + 0.4 · novelty of a search: quality is
    the model's grade, novelty the share of chunks that no earlier search found.
    """
    query = attempt.question
    for _ in range(_SEARCHES):
        latest, new = attempt.search(query, k, "hybrid")
        reply, _ = attempt.read("assess", AssessReply, latest)
        if reply is None:
            break
        query = (reply.query or "").strip()
        quality = min(1.0, max(0.0, reply.quality))
        progress = _QUALITY * quality + (1 - _QUALITY) * new / len(latest)
        if attempt.stopped or not query or progress < _LEAST:
            break
    attempt.answer_read()


_NOTE_ROUNDS: Final = 4
"""The first search, and `max_step` = 3 of DFA, appendix A.7.1."""
_IDLE: Final = 2
"""`max_fail_step`: rounds in a row that add nothing to the notes."""


def note_taking(attempt: Attempt, *, k: int) -> None:
    """Search for what the notes lack, k chunks a search; then answer from the notes (DeepNote)."""
    query, idle = attempt.question, 0
    for _ in range(_NOTE_ROUNDS):
        found, _ = attempt.search(query, k, "dense")
        reply, shown = attempt.read("note", NoteReply, found, notes=attempt.items)
        if reply is None:
            break
        known = len(attempt.items)
        for each in proven(reply.items, shown):
            if each not in attempt.items:
                attempt.items = (*attempt.items, each)
        idle = 0 if len(attempt.items) > known else idle + 1
        query = (reply.query or "").strip()
        if attempt.stopped or not query or idle >= _IDLE:
            break
    attempt.answer_noted()


_SENSES: Final = 3


def diversify_verify_adapt(attempt: Attempt, *, k: int) -> None:
    """Search for the question in several senses; answer from what serves it, or unread."""
    reply = attempt.ask("diversify", DiversifyReply, senses=_SENSES)
    written = [each.strip() for each in reply.readings if each.strip()] if reply else []
    for sense in dict.fromkeys([attempt.question, *written[:_SENSES]]):
        attempt.search(sense, k, "hybrid")
    if _verified(attempt):
        attempt.answer_read()
    else:
        attempt.answer_unread()


def _verified(attempt: Attempt) -> bool:
    """Keep the passages that serve the question, all without a verdict; tell whether any does."""
    reply, shown = attempt.read("verify", VerifyReply, attempt.chunks)
    if reply is None:
        return bool(shown)
    useful = frozenset(reply.useful)
    attempt.chunks = [each.chunk for at, each in enumerate(shown, start=1) if at in useful]
    return bool(attempt.chunks) and reply.verdict != "useless"


_FINISH: Final = "finish"
_CALLS: Final = 10
"""Calls at most (DFA, appendix A.7.1)."""
_SEARCH: Final = "search"
_NOTHING: Final = "it would keep nothing"
_ALL: Final = "it would change nothing: the candidates are these already"
_OFFERED_FINISH: Final = ToolSpec(
    name=_FINISH,
    description="Stop searching and answer from what was found. {}",
    arguments=CONTROLS[_FINISH].arguments,
)


class SearchArguments(Arguments):
    """A query."""

    query: Words
    """What to search for, in words that documents would use."""


def react(attempt: Attempt, *, k: int) -> None:
    """Have the model search until it finishes, k chunks a search; answer from all it found."""
    offered = ToolSpec(
        name=_SEARCH,
        description=f'Find the {k} passages that are most like a query: {{"query": "…"}}.',
        arguments=SearchArguments,
    )
    history: list[Step] = []
    while len(history) < _CALLS:
        shown, taken = attempt.fitted(attempt.chunks), BitMap(attempt.chunks)
        call = _chosen(attempt, history, taken, (offered, _OFFERED_FINISH), shown)
        attempt.shown.update(each.chunk for each in shown)
        if call.tool == _FINISH:
            break
        query = SearchArguments.model_validate(call.arguments).query
        if query in attempt.queries:
            history.append(_step(attempt, history, call, taken, "this was searched for"))
        else:
            _, new = attempt.search(query, k, "dense")
            after = BitMap(attempt.chunks)
            history.append(_step(attempt, history, call, taken, after=after, kept=new))
    attempt.answer_read()


def tool_agent(attempt: Attempt) -> None:
    """Have the model choose filters until it finishes; answer from what is left, best first.

    There is no way back, and of what is left the best by the question's words is read where not all
    fits.
    """
    corpus = attempt.context.corpus
    history: list[Step] = []
    left = BitMap(range(len(corpus)))
    while len(history) < _CALLS:
        call = _chosen(attempt, history, left, (*FILTERS.values(), _OFFERED_FINISH))
        if call.tool == _FINISH:
            break
        history.append(_filtered(attempt, history, call, left))
        left = attempt.context.store.ids(history[-1].after)
    ranking = by_words(corpus.lexical, attempt.question, len(corpus))
    best = [chunk for chunk in ranking if chunk in left]
    attempt.chunks = [*best, *(left - BitMap(best))]
    attempt.answer_read()


def _filtered(attempt: Attempt, history: Sequence[Step], call: ToolCall, left: BitMap) -> Step:
    """Carry out a filter on what is left; return the step that tells of it."""
    context = attempt.context
    if same_call(history, call, context.store.put_ids(left)) is not None:
        return _step(attempt, history, call, left, "this call was made before")
    try:
        kept = apply(context.corpus, left, call)
    except ToolArgumentError as error:
        return _step(attempt, history, call, left, str(error))
    if not kept or kept == left:
        return _step(attempt, history, call, left, _ALL if kept else _NOTHING)
    return _step(attempt, history, call, left, after=kept, kept=len(kept))


def _chosen(
    attempt: Attempt,
    history: Sequence[Step],
    taken: BitMap,
    tools: Sequence[ToolSpec],
    found: Sequence[Passage] = (),
) -> ToolCall:
    """Ask for the next call; without a usable one, finish."""
    context = attempt.context
    values = BaselineValues(
        question=attempt.question,
        history=tuple(history),
        snapshot=snapshot_of(taken, context, _SEARCH if found else ""),
        passages=found,
        corpus=context.corpus,
    )
    try:
        return context.reasoner.choose(baseline_prompt("act", values), tools)
    except LimitReached as limit:
        attempt.stopped = attempt.stopped or str(limit)
    except ProviderRejected:
        raise
    except (ModelError, ProviderError) as error:
        attempt.warnings.append(f"no usable call was chosen: {error}")
    return ToolCall(tool=_FINISH, arguments={})


def _step(
    attempt: Attempt,
    history: Sequence[Step],
    call: ToolCall,
    before: BitMap,
    refused: str = "",
    *,
    after: BitMap | None = None,
    kept: int = 0,
) -> Step:
    """Return the step of the history that tells of a call: what it kept, or why not."""
    store = attempt.context.store
    known = store.put_ids(before)
    return Step(
        round=len(history) + 1,
        call=call,
        before=known,
        after=known if after is None else store.put_ids(after),
        kept=kept,
        discarded=0 if after is None else len(before - after),
        refused=refused,
        verdict=None if refused else "keep",
    )


def full_scan(attempt: Attempt) -> None:
    """Judge every chunk by itself, and compute from what they state.

    The question is taken apart into conditions first, all of which reading decides.
    """
    context = attempt.context
    values = InterpretValues(question=attempt.question, conversation=(), corpus=context.corpus)
    try:
        reading = ask(
            attempt.runtime,
            prompts.interpret(values),
            InterpretReply,
            lambda reply: unaided(usable(reply, context)),
        )
    except LimitReached as limit:
        attempt.stopped = str(limit)
        return
    bench = Bench(
        corpus=context.corpus,
        reasoner=context.reasoner,
        reading=reading,
        conditions=decided_by_reading(reading),
        question=attempt.question,
    )
    verdicts = bench.judge([[chunk] for chunk in range(len(context.corpus))])
    lost = verdicts.failed | verdicts.unparsable
    attempt.shown, attempt.failed = set(verdicts.read), set(lost)
    attempt.stopped = verdicts.stopped
    attempt.warnings += [verdicts.reasons[each] for each in lost if each in verdicts.reasons]
    documents = {
        context.corpus.documents[context.corpus.chunk_document[each]] for each in verdicts.read
    }
    found, computed = combined(reading, verdicts.findings, sorted(documents))
    attempt.value = None if isinstance(computed.value, Mapping) else computed.value
    attempt.unit = computed.unit
    attempt.items = tuple(_item(name, proofs, reading) for name, proofs in found.items())


def _item(name: str, findings: Sequence[Finding], reading: Interpretation) -> Entity:
    places = dict.fromkeys(each.document for each in findings)
    return Entity(
        name=name,
        documents=(name,) if reading.grain == "document" else tuple(places),
        evidence=tuple(Evidence.of(each, each.condition) for each in findings),
    )
