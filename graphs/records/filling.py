"""Filling the tables (S-RAG, section 3.2.2): every document is read by the schema, in waves."""

from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Final

from langgraph.runtime import Runtime

from agent.errors import HeadcountError, LimitReached, SchemaError
from agent.records.record import REMARK, Cell, Failure, Filled, Record, Span
from agent.records.record_schema import Attribute, Kind, Schema
from agent.value import counted
from graphs.asking import failed, require_writer
from graphs.context import Context
from graphs.node import Meter, Tell, silent
from graphs.records.available_records import document_kinds, open_records
from graphs.records.extraction import Extracted, digest_of, extract_all, fields_of, task_of
from tools.corpus.corpus import Corpus
from tools.records.record_store import DocumentState
from tools.records.record_values import Unreadable, normalise
from tools.records.reply_checking import CheckedReply, Task, missing, put_together, settle
from tools.records.text_parts import best_parts, in_rows, part_tokens, split

Queue = list[tuple[int, tuple[Kind, ...]]]
"""Documents to be begun, each with the kinds of which it may hold records."""
_WAVE: Final = 32
"""Documents in hand at once: what a kill can cost besides the requests in flight."""
_AT_ONCE: Final = 3
"""Parts of a document read before it is seen what is still missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _InHand:
    """A document that is being read, part by part."""

    document: int
    kinds: tuple[Kind, ...]
    pending: tuple[Span, ...]
    """Parts to be read still, the most promising first."""
    read: tuple[tuple[Span, tuple[Record, ...]], ...] = ()
    unread: tuple[Failure, ...] = ()


def fill(context: Context, schema: Schema, *, tell: Tell = silent) -> Filled:
    """Read every document that is new or changed, each stored at once; return how far it came.

    Raises QuestionError: the reader cannot write; SchemaError: the schema has no kinds;
    ProviderRejected: the server will serve none of the requests.
    """
    require_writer(context, "read documents into records")
    if not schema.kinds:
        raise SchemaError("the schema has no kinds, so there is nothing to be read")
    runtime = Runtime(context=context, stream_writer=tell)
    meter = Meter(runtime)

    def said(step: str, filled: Filled) -> None:
        line = {"kind": "node", "node": step, "cost": meter.spent().model_dump()}
        tell(line | {"filled": filled.model_dump()})

    forgotten = _brought_to(schema, context)
    queue, filled = survey(context, schema)
    filled = filled.model_copy(update={"forgotten": forgotten})
    said("survey", filled)
    hand: list[_InHand] = []
    while (queue or hand) and not filled.stopped:
        room = max(0, _WAVE - len(hand))
        hand += [_begun(document, kinds, context) for document, kinds in queue[:room]]
        queue = queue[room:]
        hand, stopped = _read(hand, runtime)
        filled = _kept(hand, filled, context).model_copy(update={"stopped": stopped})
        hand = [each for each in hand if each.pending]
        said("keep", filled)
    return filled.model_copy(update={"cost": meter.spent()})


def _brought_to(schema: Schema, context: Context) -> int:
    """Bring the store to a schema and the corpus; return how many documents are forgotten."""
    with closing(open_records(context.corpus, context.records)) as store:
        store.write_schema(schema)
        gone = store.documents().keys() - set(context.corpus.documents)
        for name in gone:
            store.forget(name)
    return len(gone)


def survey(context: Context, schema: Schema) -> tuple[Queue, Filled]:
    """Return what has to be read: what is new, changed, stale or not wholly read."""
    corpus, place = context.corpus, context.records
    wanted = frozenset(place.documents if place else corpus.documents)
    with closing(open_records(corpus, place)) as store:
        known = store.documents() if store.schema() == schema else {}
        unread = {each.document for each in store.failures() if not each.attribute}
    queue = [
        (document, kinds)
        for document, kinds in enumerate(document_kinds(corpus, schema))
        if (name := corpus.documents[document]) in wanted
        and (name in unread or not _is_current(known.get(name), digest_of(corpus, document), kinds))
    ]
    count = len(wanted)
    return queue, Filled(documents=count, current=count - len(queue), left=len(queue))


def _is_current(known: DocumentState | None, digest: str, kinds: Sequence[Kind]) -> bool:
    if known is None or known.status == "stale" or known.digest != digest:
        return False
    return set(known.kinds) == {each.name for each in kinds}


def _read(hand: Sequence[_InHand], runtime: Runtime[Context]) -> tuple[list[_InHand], str]:
    """Read some parts of each document; return what came of it, and the limit that was reached."""
    tasks = [task for each in hand for task in _tasks(each, runtime.context)]
    outcomes = extract_all(runtime, tasks) if tasks else []
    stopped = next((str(why) for _, why in outcomes if isinstance(why, LimitReached)), "")
    return [_after(each, outcomes) for each in hand], stopped


def _begun(document: int, kinds: tuple[Kind, ...], context: Context) -> _InHand:
    pending = parts_of(document, kinds, context) if kinds else ()
    record, rest = _of_fields(document, kinds, context.corpus)
    read = () if record is None else (((0, 0), (record,)),)
    return _InHand(document=document, kinds=kinds, pending=pending if rest else (), read=read)


def _of_fields(document: int, kinds: Sequence[Kind], corpus: Corpus) -> tuple[Record | None, bool]:
    """Return what fields state of a document of one record, and whether its text adds to it."""
    single = [each for each in kinds if each.grain == "document"]
    kind = single[0] if len(single) == 1 else Kind(name="none")
    fields, text = fields_of(corpus, document), corpus.document_text(document)
    lines = {f"{name}: {value}" for name, value in fields.items()}
    rest = len(kinds) > 1 or any(each.strip() and each not in lines for each in text.splitlines())
    cells = []
    for each in kind.attributes:
        written = fields.get(each.field or "")
        with suppress(Unreadable):
            if written and not each.many:
                value, unit = normalise(written, each)
                told = Cell(attribute=each.name, value=value, original=written, unit=unit)
                cells.append(told)
                continue
        rest = rest or bool(written) or not each.field
    name = corpus.documents[document]
    record = Record(kind=kind.name, document=name, end=len(text), cells=tuple(cells), by="fields")
    return (record, rest) if cells else (None, True)


def _tasks(hand: _InHand, context: Context) -> list[Task]:
    wanted = _wanted(hand)
    own = partial(task_of, context.corpus, hand.document, kinds=wanted, by=context.reasoner.name)
    spans = islice(hand.pending, _AT_ONCE if wanted else 0)
    return [replace(own(span), all_kinds=context.records is None) for span in spans]


def _wanted(hand: _InHand) -> tuple[Kind, ...]:
    """Return the kinds with the attributes that are still sought."""
    kinds = hand.kinds
    if not hand.read or not _sought(kinds):
        return kinds
    records = [record for _, found in hand.read for record in found]
    named = {record.kind for record in records} or {kind.name for kind in kinds}
    return tuple(
        kind.model_copy(update={"attributes": missing(kind, records)})
        for kind in kinds
        if kind.name in named and missing(kind, records)
    )


def _sought(kinds: Sequence[Kind]) -> list[Attribute]:
    """Return the attributes that guide which parts are read; none where all is read anyway."""
    if any(kind.grain == "row" for kind in kinds):
        return []
    return [each for kind in kinds for each in kind.attributes]


def _after(hand: _InHand, outcomes: Sequence[Extracted]) -> _InHand:
    """Return a document with what its requests brought; what a limit stopped is pending still."""
    own = [(task, brought) for task, brought in outcomes if task.number == hand.document]
    stopped = [task.part for task, brought in own if isinstance(brought, LimitReached)]
    read = [(task.part, settle(it)) for task, it in own if isinstance(it, CheckedReply)]
    unread = [unread for each in own for unread in _left_out(*each)]
    pending = (*stopped, *hand.pending[_AT_ONCE:])
    after = replace(hand, read=(*hand.read, *read), unread=(*hand.unread, *unread), pending=pending)
    enough = bool(_sought(hand.kinds)) and not stopped and not _wanted(after)
    return replace(after, pending=()) if enough else after


def _left_out(task: Task, brought: CheckedReply | HeadcountError) -> list[Failure]:
    """Return what of a part could not be read or taken; raise an error of no model or server."""
    name = task.document
    if isinstance(brought, LimitReached):
        return []
    if isinstance(brought, HeadcountError):
        (start, end), reason = task.part, failed("extract", name, brought).error
        return [Failure(document=name, reason=reason, start=start, end=end)]
    left = []
    for each in brought.refusals:
        told = each.model_dump(include={"kind", "attribute", "reason"})
        left.append(Failure(document=name, original=each.value, **told))
    remark = partial(Failure, document=name, attribute=REMARK)
    left += [remark(reason=each) for each in brought.notes]
    for unfit in brought.unfit:
        reason = f"{counted(unfit.rows, 'row')} under {unfit.heading!r} are of no kind"
        left.append(remark(reason=reason, original=unfit.heading, rows=unfit.rows))
    return left


def parts_of(document: int, kinds: Sequence[Kind], context: Context) -> tuple[Span, ...]:
    """Return the parts of a document in the order in which they are read."""
    text = context.corpus.document_text(document)
    most = part_tokens(context.reasoner, kinds, rows=in_rows(text))
    spans, sought = split(text, most), _sought(kinds)
    if len(spans) < 2 or not sought:
        return spans
    order = best_parts([text[start:end] for start, end in spans], sought)
    return tuple(spans[place] for place in order)


def _kept(hand: Sequence[_InHand], filled: Filled, context: Context) -> Filled:
    """Store the documents of which nothing is pending, and count what came of them."""
    corpus = context.corpus
    with closing(open_records(corpus, context.records)) as store, store.together():
        for each in hand:
            if each.pending:
                continue
            name = corpus.documents[each.document]
            records, failures = _brought(each, name)
            kinds = tuple(kind.name for kind in each.kinds)
            lost = any(not failure.attribute for failure in failures)
            store.put(name, digest_of(corpus, each.document), records, failures, kinds)
            filled = filled.model_copy(
                update={
                    "read": filled.read + 1,
                    "left": filled.left - 1,
                    "records": filled.records + len(records),
                    "unfit": filled.unfit + sum(unread.rows for unread in each.unread),
                    "refused": filled.refused + sum(bool(unread.kind) for unread in each.unread),
                    "failed": (*filled.failed, name) if lost else filled.failed,
                }
            )
    return filled


def _brought(hand: _InHand, name: str) -> tuple[tuple[Record, ...], list[Failure]]:
    """Return a document's records in the text's order, and what could not be read or agreed on."""
    parts = [records for _, records in sorted(hand.read, key=lambda each: each[0])]
    records, contradictions = put_together(hand.kinds, parts)
    told = (Failure(document=name, reason=each, attribute=REMARK) for each in contradictions)
    return records, [*hand.unread, *told]
