"""What baselines share: what fits a request, asking, and an answer booked like any run's."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import Final, Generic, Literal, TypeVar

from langgraph.runtime import Runtime
from pydantic import BaseModel, JsonValue
from pyroaring import BitMap

from agent.answer import Answer, Completeness
from agent.evidence import Entity, Evidence, Passage
from agent.history import Snapshot
from agent.question import AllOf, AnyOf, Condition, Interpretation, Node, Not, atoms, holds
from agent.reasoner import Prompt
from agent.replies import QuotedReply
from evals.baselines import baseline_prompts as asks
from evals.baselines.baseline_replies import AnswerReply, ItemReply, MergedReply, MergeReply
from evals.baselines.baseline_state import BaselineState, BaselineUpdate, Item
from evals.names import normal_name
from graphs.asking import ask_all
from graphs.context import Context
from prompts.passage_text import numbered_passages
from tools.computation import Computed, Quantity, compute
from tools.corpus.chunking.token_counts import count_tokens
from tools.corpus.corpus import Corpus
from tools.passage_windows import passages
from tools.quotes import locate
from tools.runs.coverage_ledger import CoverageLedger

_INSTRUCTIONS: Final = 1500
"""Tokens that are kept for the prompt's own words."""
_ESTIMATE: Final = 1.15
"""How far the count of tokens may be below the model's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The passages that one request can hold."""

    passages: tuple[Passage, ...]
    warnings: tuple[str, ...] = ()
    """How many were left out."""


def fitted(chunks: Sequence[int], context: Context, *, besides: str = "") -> Fitted:
    """Return the first passages that fit the reasoner's context, beside another text.

    Best first is what is shown best; what does not fit was never read, and the warning says so.
    """
    reasoner = context.reasoner
    room = reasoner.context_tokens - reasoner.reply_tokens - _INSTRUCTIONS - count_tokens(besides)
    shown = passages(context.corpus, chunks)
    while (held := _held(shown, room)) < len(shown):
        # What stands around a passage is shown with it unless it is a passage itself: with fewer
        # passages each can be longer.
        shown = passages(context.corpus, chunks[:held])
    if len(shown) == len(chunks):
        return Fitted(passages=shown)
    left = len(chunks) - len(shown)
    warning = f"{left} of {len(chunks)} passages did not fit in the model's context"
    return Fitted(passages=shown, warnings=(warning,))


def _held(shown: Sequence[Passage], room: int) -> int:
    """Return how many of the passages, from the first, have room."""
    texts = (numbered_passages([each], "nonce") for each in shown)
    sums = accumulate(int(_ESTIMATE * count_tokens(text)) + 1 for text in texts)
    return sum(1 for _ in takewhile(lambda total: total <= room, sums))


R = TypeVar("R", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Received(Generic[R]):
    """What came back of requests, and what they change in the state."""

    replies: tuple[R | None, ...]
    """In order; None where a request brought nothing usable."""
    update: BaselineUpdate
    """The chunks that were read or lost, the limit that was reached, the warnings."""


def ask_each(
    state: BaselineState,
    runtime: Runtime[Context],
    sent: Sequence[tuple[Prompt, Fitted | None]],
    reply: type[R],
) -> Received[R]:
    """Ask all prompts side by side, each with the passages that it shows.

    Raises:
        ProviderRejected: the server will serve none of them, for its key, permission or model.
    """
    asked = ask_all(runtime, [(prompt.name, prompt) for prompt, _ in sent], reply)
    read: set[int] = set()
    lost: set[int] = set()
    left_out: list[str] = []
    for (_, shown), answered in zip(sent, asked.replies, strict=True):
        if shown is not None:
            into = read if answered is not None else lost
            into.update(each.chunk for each in shown.passages)
            left_out += shown.warnings
    failures = [f"{each.about}: {each.error}" for each in asked.failures]
    shown_now = state.shown | read
    update: BaselineUpdate = {
        "shown": shown_now,
        "failed": state.failed if asked.stopped else (state.failed | lost) - shown_now,
        "stopped": state.stopped or asked.stopped,
        "warnings": tuple(dict.fromkeys([*state.warnings, *left_out, *failures])),
    }
    return Received(replies=asked.replies, update=update)


def read(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Answer from all that was retrieved, in one request."""
    shown = fitted(state.chunks, runtime.context, besides=state.question)
    if not shown.passages:
        nothing = "no passage was found to answer from"
        return {"warnings": (*state.warnings, *shown.warnings, nothing)}
    prompt = asks.answer(question=state.question, passages=shown.passages)
    received = ask_each(state, runtime, [(prompt, shown)], AnswerReply)
    (reply,) = received.replies
    return received.update | answered(reply, shown.passages)


def recall_unread(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Answer from what the model knows."""
    prompt = asks.answer_unread(question=state.question)
    received = ask_each(state, runtime, [(prompt, None)], AnswerReply)
    (reply,) = received.replies
    return received.update | answered(reply, ())


def answered(reply: AnswerReply | None, shown: Sequence[Passage]) -> BaselineUpdate:
    """Return what a reply about passages answers; nothing where none came.

    The number is the reply's; where it gives none, it is how many items it names.
    """
    if reply is None:
        return {}
    value = len(reply.items) if reply.value is None else reply.value
    return {"items": proven(reply.items, shown), "value": value, "unit": reply.unit}


def proven(items: Sequence[ItemReply], shown: Sequence[Passage]) -> tuple[Item, ...]:
    """Return the items with the quotes that stand in the passages that they name.

    A baseline does not refuse an item for a quote that cannot be located: it has no such check.
    The item then stands in the document of the passage that it names, without the quote.
    """
    return tuple(_proven(each, shown) for each in items)


def _proven(item: ItemReply, shown: Sequence[Passage]) -> Item:
    named = [
        (each, shown[each.passage - 1]) for each in item.evidence if 1 <= each.passage <= len(shown)
    ]
    quotes = [_located(quoted, passage) for quoted, passage in named]
    return Item(
        name=item.name.strip(),
        evidence=tuple(dict.fromkeys(each for each in quotes if each is not None)),
        documents=tuple(dict.fromkeys(passage.document for _, passage in named)),
    )


def _located(quoted: QuotedReply, passage: Passage) -> Evidence | None:
    span = locate(quoted.quote, passage.text)
    if span is None:
        return None
    start, end = span
    return Evidence(
        document=passage.document,
        start=passage.start + start,
        end=passage.start + end,
        quote=passage.text[start:end],
        condition="",
    )


def merge(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Answer from the notes; without a usable reply there is no answer, only notes.

    Where a limit left no room to ask, the names in the notes are what there is to answer with.
    """
    prompt = asks.merge(question=state.question, notes=state.items)
    received = ask_each(state, runtime, [(prompt, None)], MergeReply)
    (reply,) = received.replies
    if reply is None and received.update["stopped"]:
        named = {normal_name(note.name): note for note in state.items}
        return received.update | {"items": tuple(named.values()), "value": len(named)}
    if reply is None:
        return received.update | {"items": ()}
    return received.update | {
        "items": tuple(_merged(each, state.items) for each in reply.items),
        "value": len(reply.items) if reply.value is None else reply.value,
        "unit": reply.unit,
    }


def _merged(said: MergedReply, notes: Sequence[Item]) -> Item:
    proving = [notes[number - 1] for number in said.notes if 1 <= number <= len(notes)]
    return Item(
        name=said.name.strip(),
        evidence=tuple(dict.fromkeys(each for note in proving for each in note.evidence)),
        documents=tuple(dict.fromkeys(each for note in proving for each in note.documents)),
    )


MEASURE = "measure"
"""The id of the condition that a passage states the measured number."""
NAMED = "named"
"""The id of the condition that a passage names such a thing, where the question has no other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """One place that states a condition of a thing."""

    name: str
    """The thing's name as the passage gives it, or the document's."""
    condition: str
    """The condition's id."""
    passage: int
    """The number of the passage among those read, from 1."""
    quote: str
    value: float | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Combined:
    """The things that satisfy the question, by what was read."""

    items: Mapping[str, Sequence[Stated]]
    """By name, with what was stated of each."""
    computed: Computed
    """The number."""


def unaided(reading: Interpretation) -> Interpretation:
    """Return the reading for somebody who sees no metadata fields: reading decides everything."""
    measure = reading.measure
    return reading.model_copy(
        update={
            "conditions": None if reading.conditions is None else _bare(reading.conditions),
            "measure": None if measure is None else measure.model_copy(update={"field": None}),
            "entity_field": None,
        }
    )


def _bare(node: Node) -> Node:
    match node:
        case Condition():
            return node.model_copy(update={"predicate": None})
        case Not():
            return Not(part=_bare(node.part))
        case AllOf():
            return AllOf(parts=tuple(_bare(each) for each in node.parts))
        case AnyOf():
            return AnyOf(parts=tuple(_bare(each) for each in node.parts))


def decided_by_reading(reading: Interpretation) -> tuple[Condition, ...]:
    """Return the conditions that passages are read for, the measure's own among them."""
    found = {each.id: each for each in atoms(reading.conditions)}
    if reading.measure is not None:
        found[MEASURE] = Condition(id=MEASURE, text=f"states the {reading.measure.text}")
    if not found:
        told = f"names this kind of thing: {reading.entity_type}"
        found[NAMED] = Condition(id=NAMED, text=told)
    return tuple(found.values())


def combined(
    reading: Interpretation, stated: Iterable[Stated], documents: Sequence[str]
) -> Combined:
    """Evaluate the conditions for each thing over all that was stated of it, and compute.

    Args:
        reading: what is asked; its fields are not looked at.
        stated: what the passages state.
        documents: those of which a passage was read: where documents are counted, each may
            satisfy a condition by stating nothing.
    """
    told: dict[str, list[Stated]] = {}
    if reading.grain == "document":
        told = {name: [] for name in documents}
    spelt: dict[str, str] = {name: name for name in told}
    for each in stated:
        key = each.name if reading.grain == "document" else normal_name(each.name) or each.name
        told.setdefault(spelt.setdefault(key, each.name), []).append(each)
    matching = [name for name, found in told.items() if _satisfies(reading, found)]
    measure = reading.measure
    computed = compute(
        reading.operation,
        matching,
        {name: _quantities(told[name]) for name in matching},
        unit=measure.unit if measure else None,
        k=reading.k,
        ascending=reading.ascending,
    )
    return Combined(items={name: told[name] for name in computed.entities}, computed=computed)


def _satisfies(reading: Interpretation, found: Sequence[Stated]) -> bool:
    known = {each.condition for each in found}
    return holds(reading.conditions, lambda atom: atom.id in known)


def _quantities(found: Sequence[Stated]) -> list[Quantity]:
    """Return the numbers; one beside the words that satisfy a condition before one alone."""
    valued = [each for each in found if each.value is not None]
    beside = [each for each in valued if each.condition != MEASURE]
    return [Quantity(each.value, each.unit) for each in beside or valued if each.value is not None]


_UNBOUNDED = "none: nothing bounds what was not retrieved"


def conclude(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Assemble and store the answer.

    The chunks that a model read count as judged, those with a located quote as matched, and the
    rest as pruned: ranking ruled it out.
    """
    context = runtime.context
    status: Literal["partial", "answered"] = "partial" if state.stopped else "answered"
    book = _booked(state, context)
    taken = BitMap(state.shown | state.failed)
    snapshot = snapshot_of(taken, context, "retrieval", {"queries": list(state.queries)})
    context.store.add_snapshot(state.run, 1, snapshot)
    answer = Answer(
        question=state.question,
        status=status,
        value=_tidy(state.value),
        unit=state.unit,
        entities=tuple(_entities(state.items, context.corpus)),
        completeness=Completeness(method=_UNBOUNDED),
        coverage=book.coverage(),
        snapshots=(snapshot,),
        cost=state.cost,
        warnings=(*state.warnings, *((state.stopped,) if state.stopped else ())),
        run=state.run,
    )
    context.store.put_answer(state.run, answer)
    context.store.set_status(state.run, status)
    return {"answer": answer}


def _booked(state: BaselineState, context: Context) -> CoverageLedger:
    """Enter what was read in the run's ledger; its one condition is the whole question."""
    corpus, chunks = context.corpus, len(context.corpus)
    book = CoverageLedger(context.store, state.run, (), chunks)
    matched = BitMap(_proving(state.items, corpus)) & BitMap(state.shown)
    book.judge("", yes=matched, no=BitMap(state.shown) - matched, by=context.reasoner.name, step=1)
    book.fail(BitMap(state.failed), reasons={}, step=1)
    read = state.shown | state.failed
    book.prune(1, BitMap(range(chunks)) - BitMap(read))
    return book


def _proving(items: Iterable[Item], corpus: Corpus) -> Iterable[int]:
    """Yield the chunks that share a character with a quote."""
    for item in items:
        for each in item.evidence:
            yield from corpus.chunks_at(corpus.document_index(each.document), each.start, each.end)


def snapshot_of(
    chunks: BitMap, context: Context, tool: str, arguments: dict[str, JsonValue] | None = None
) -> Snapshot:
    """Return a snapshot of chunks, which the run store keeps."""
    return Snapshot(
        id=context.store.put_ids(chunks),
        parent=None,
        tool=tool,
        arguments=arguments or {},
        kept=len(chunks),
        discarded=len(context.corpus) - len(chunks),
    )


def _entities(items: Iterable[Item], corpus: Corpus) -> Iterator[Entity]:
    """Yield the items; one without a document that bears the name of one stands for it."""
    titled = _by_title(corpus)
    for item in items:
        named = titled.get(normal_name(item.name))
        yield Entity(
            name=item.name,
            documents=item.documents or (() if named is None else (named,)),
            value=item.value,
            evidence=item.evidence,
        )


def _by_title(corpus: Corpus) -> Mapping[str, str]:
    """Return the documents by title and by name, as far as only one bears it."""
    bearers: dict[str, set[str]] = defaultdict(set)
    for document, title in zip(corpus.documents, corpus.titles, strict=True):
        for name in (title, document, document.rpartition("/")[2]):
            bearers[normal_name(name)].add(document)
    return {name: next(iter(found)) for name, found in bearers.items() if len(found) == 1}


def _tidy(value: float | None) -> float | int | None:
    """Return a whole number as an int."""
    return int(value) if value is not None and float(value).is_integer() else value
