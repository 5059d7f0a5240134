"""read_parts: a wave of parts of documents, the most promising parts of each first."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from langgraph.runtime import Runtime

from agent.records.record import (
    REMARK,
    DocumentInHand,
    FillState,
    FillUpdate,
    Record,
    Span,
    Unread,
)
from agent.records.record_schema import Attribute, Kind
from graphs.asking_records import Outcome, Task, fields_of, read_all
from graphs.context import Context
from tools.records.limits import part_tokens
from tools.records.merging import missing
from tools.records.parts import best_parts, split
from tools.records.reading import settle

__all__ = ("parts_of", "read_parts")

_WAVE: Final = 32
"""Documents in hand at once: what a kill can cost besides the requests in flight."""
_AT_ONCE: Final = 3
"""Parts of a document read before it is seen what is still missing."""


def read_parts(state: FillState, runtime: Runtime[Context]) -> FillUpdate:
    """Take documents in hand and read some parts of each.

    A document that is one record is read on only while attributes are missing; one that holds many
    is read wholly.

    Raises:
        ProviderRejected: the server will serve none of the requests.
    """
    room = max(0, _WAVE - len(state.hand))
    begun = [_begun(each, state.kinds_of(each), runtime) for each in state.queue[:room]]
    hand = [*state.hand, *begun]
    kinds = {each.document: state.kinds_of(each.document) for each in hand}
    tasks = [task for each in hand for task in _tasks(each, kinds[each.document], runtime)]
    outcomes = read_all(runtime, tasks) if tasks else []
    stopped = next((each.stopped for each in outcomes if each.stopped), "")
    after = [_after(each, outcomes, kinds[each.document]) for each in hand]
    return {"queue": state.queue[room:], "hand": tuple(after), "stopped": stopped}


def parts_of(document: int, kinds: Sequence[Kind], runtime: Runtime[Context]) -> tuple[Span, ...]:
    """Return the parts of a document in the order in which they are read."""
    text = runtime.context.corpus.document_text(document)
    tokens = part_tokens(runtime.context.reasoner, kinds)
    spans = [(each.start, each.end) for each in split(text, tokens)]
    return tuple(_ordered(text, spans, _sought(kinds)))


def _sought(kinds: Sequence[Kind]) -> list[Attribute]:
    """Return the attributes that guide the reading; none where all is read anyway."""
    if any(kind.grain == "row" for kind in kinds):
        return []
    return [each for kind in kinds for each in kind.attributes]


def _ordered(text: str, spans: Sequence[Span], sought: Sequence[Attribute]) -> list[Span]:
    if len(spans) < 2 or not sought:
        return list(spans)
    order = best_parts([text[start:end] for start, end in spans], sought)
    return [spans[place] for place in order]


def _begun(document: int, kinds: Sequence[Kind], runtime: Runtime[Context]) -> DocumentInHand:
    pending = parts_of(document, kinds, runtime) if kinds else ()
    return DocumentInHand(document=document, pending=pending, parts=len(pending))


def _tasks(hand: DocumentInHand, kinds: Sequence[Kind], runtime: Runtime[Context]) -> list[Task]:
    """Return the next requests for a document."""
    corpus = runtime.context.corpus
    text = corpus.document_text(hand.document)
    return [
        Task(
            document=hand.document,
            name=corpus.documents[hand.document],
            text=text,
            part=span,
            kinds=_wanted(hand, kinds),
            fields=fields_of(corpus, hand.document),
        )
        for span in islice(hand.pending, _AT_ONCE)
    ]


def _wanted(hand: DocumentInHand, kinds: Sequence[Kind]) -> tuple[Kind, ...]:
    """Return the kinds with the attributes that are still sought."""
    if not hand.read or not _sought(kinds):
        return tuple(kinds)
    records = [record for _, found in hand.read for record in found]
    named = {record.kind for record in records} or {kind.name for kind in kinds}
    return tuple(
        kind.model_copy(update={"attributes": missing(kind, records)})
        for kind in kinds
        if kind.name in named and missing(kind, records)
    )


@dataclass(slots=True)
class _Result:
    """What one wave brought for one document."""

    read: list[tuple[Span, tuple[Record, ...]]] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    done: list[Span] = field(default_factory=list)


def _after(
    hand: DocumentInHand, outcomes: Sequence[Outcome], kinds: Sequence[Kind]
) -> DocumentInHand:
    """Return a document with what its requests brought; what a limit stopped is pending still."""
    result = _Result()
    for each in outcomes:
        if each.task.document == hand.document and not each.stopped:
            _add(result, each)
    stopped = [
        each.task.part for each in outcomes if each.task.document == hand.document and each.stopped
    ]
    pending = (*stopped, *hand.pending[_AT_ONCE:])
    after = hand.model_copy(
        update={
            "read": (*hand.read, *result.read),
            "unread": (*hand.unread, *result.unread),
            "pending": pending,
        }
    )
    enough = bool(_sought(kinds)) and not stopped and not _wanted(after, kinds)
    return after.model_copy(update={"pending": ()}) if enough else after


def _add(result: _Result, outcome: Outcome) -> None:
    span = outcome.task.part
    if outcome.reading is None:
        result.unread.append(Unread(reason=outcome.error, span=span))
        return
    reading = outcome.reading
    result.read.append((span, settle(reading)))
    result.unread += [
        Unread(reason=each.reason, kind=each.kind, attribute=each.attribute, original=each.value)
        for each in reading.refusals
    ]
    result.unread += [Unread(reason=note, attribute=REMARK) for note in reading.notes]
