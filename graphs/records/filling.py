"""Filling the tables (S-RAG, section 3.2.2): every document is read by the schema, in waves.

Parts are read side by side, cut replies halved, slips corrected once.
"""

from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Final

import numpy as np
from langgraph.runtime import Runtime

import prompts
from agent.errors import HeadcountError, LimitReached, SchemaError, TruncatedReply
from agent.prompt_values import ExtractValues
from agent.reasoner import Failure, Prompt
from agent.records.record import REMARK, Cell, Extract, Filled, Record, SampleDocument, Span
from agent.records.record import Failure as Unread
from agent.records.record_replies import ExtractReply, SeveralReply
from agent.records.record_schema import Attribute, Kind, Schema
from agent.value import counted
from graphs.asking import ask_each, failed, require_writer, trace_prompt
from graphs.context import Context
from graphs.node import Meter, Tell, silent
from graphs.records.available_records import digest_of, document_kinds, fields_of, open_records
from graphs.search.cost_model import passage_tokens
from tools.corpus.chunking.token_counts import count_tokens
from tools.corpus.corpus import Corpus
from tools.packing import Limits, in_order
from tools.records.record_store import DocumentState
from tools.records.record_values import Unreadable, normalise
from tools.records.reply_checking import (
    CheckedReply,
    Task,
    check_reply,
    corrected,
    missing,
    put_together,
    settle,
)
from tools.records.text_parts import (
    best_parts,
    headings_above,
    in_rows,
    part_tokens,
    split,
    unlikely_kinds,
)

_SMALLEST: Final = 60
"""Tokens of a part that is not halved any more."""
_MARKED: Final = 40
"""Tokens of a document's markers and fields, about."""
CELL: Final = 45
"""Tokens of a value in a reply, with its quote."""


def task_of(corpus: Corpus, document: int, part: Span, kinds: Sequence[Kind], by: str = "") -> Task:
    """Return the task to read a part of a document; `by` is who reads it."""
    text = corpus.document_text(document)
    return Task(
        number=document,
        document=corpus.documents[document],
        text=text,
        part=part,
        kinds=tuple(kinds),
        fields={**fields_of(corpus, document), **headings_above(text, part[0])},
        by=by,
    )


Extracted = tuple[Task, CheckedReply | HeadcountError]
"""A task with what it brought, or why it could not be read; of a cut reply's, each of its halves.
"""


def prompt_of(*tasks: Task, checked: CheckedReply | None = None) -> Prompt:
    """Return the prompt of tasks, several only of whole documents, or of a reply's corrections."""
    documents = []
    for each in tasks:
        text = each.text[slice(*each.part)]
        fields = {key: held for key, held in each.fields.items() if f"{key}: {held}" not in text}
        extract = Extract(text=text, start=each.part[0])
        documents.append(SampleDocument(name=each.document, fields=fields, extracts=(extract,)))
    task = tasks[0]
    return prompts.extract(
        ExtractValues(
            kinds=task.kinds,
            documents=documents,
            all_kinds=task.all_kinds,
            unlikely=unlikely_kinds(" ".join(each.text for each in documents), task.kinds),
            whole=task.whole,
            refused=() if checked is None else checked.refusals,
        )
    )


Told = tuple[Task, ExtractReply | Failure | None]
"""A task with what it brought; None where it is still to be asked alone."""


def extract_all(runtime: Runtime[Context], tasks: Sequence[Task]) -> list[Extracted]:
    """Read all tasks; a task may come back as several, one for each half of it.

    Raises ProviderRejected: the server will serve none of them, for its key, permission or model.
    """
    outcomes: list[Extracted] = []
    told = _side_by_side(runtime, tasks)
    while told:
        waiting: list[Task] = []
        for task, reply in told:
            cut = isinstance(reply, Failure) and isinstance(reply.error, TruncatedReply)
            if reply is None:
                waiting.append(task)
            elif cut and (halves := _halves(task, runtime)):
                waiting += halves
            else:
                brought = reply.error if isinstance(reply, Failure) else check_reply(reply, task)
                outcomes.append((task, brought))
        served = any(isinstance(each, CheckedReply) for _, each in outcomes)
        sent = [prompt_of(task) for task in waiting]
        told = [*zip(waiting, ask_each(runtime, sent, ExtractReply, served=served), strict=True)]
    return _corrected(runtime, outcomes)


def packed(tasks: Sequence[Task], context: Context) -> list[list[Task]]:
    """Put short documents of the same kinds together, as many as a request and its reply hold."""
    alike: dict[tuple[object, ...], list[Task]] = {}
    for task in tasks:
        sort = (task.kinds, task.all_kinds, task.whole or id(task), in_rows(task.text))
        alike.setdefault(sort, []).append(task)
    packs = []
    for group in alike.values():
        kinds, reasoner = group[0].kinds, context.reasoner
        columns = max((len(kind.attributes) for kind in kinds), default=1)
        most = part_tokens(reasoner, kinds, rows=in_rows(group[0].text))
        room = min(passage_tokens(context), most)
        limits = Limits(room, max(1, reasoner.reply_tokens // (CELL * columns)), _MARKED)
        costs = limits.costs(np.array([count_tokens(each.text) for each in group]))
        pieces = in_order(range(len(group)), costs, limits)
        packs += [[group[place] for place in piece] for piece in pieces]
    return packs


def _side_by_side(runtime: Runtime[Context], tasks: Sequence[Task]) -> list[Told]:
    """Read short documents together; what a reply leaves out or names twice is asked alone."""
    packs = packed(tasks, runtime.context)
    several = [pack for pack in packs if len(pack) > 1]
    replies = ask_each(runtime, [prompt_of(*each) for each in several], SeveralReply, served=True)
    told: list[Told] = [(pack[0], None) for pack in packs if len(pack) == 1]
    for pack, reply in zip(several, replies, strict=True):
        if isinstance(reply, Failure):
            limit = reply if isinstance(reply.error, LimitReached) else None
            told += [(task, limit) for task in pack]
            continue
        for number, task in enumerate(pack, start=1):
            own = [each for each in reply.documents if each.document == number]
            told.append((task, own[0] if len(own) == 1 else None))
    return told


def _halves(task: Task, runtime: Runtime[Context]) -> list[Task]:
    """Return the halves of a task, parted where its text may be; none where it is too short."""
    start, end = task.part
    text = task.text[start:end]
    tokens = count_tokens(text)
    if tokens <= _SMALLEST:
        return []
    parts = split(text, max(_SMALLEST // 2, -(-tokens // 2)))
    spans = ((start + first, start + last) for first, last in parts)
    own = partial(task_of, runtime.context.corpus, task.number, kinds=task.kinds, by=task.by)
    return [replace(own(span), all_kinds=task.all_kinds) for span in spans]


def _corrected(runtime: Runtime[Context], outcomes: Sequence[Extracted]) -> list[Extracted]:
    """Ask once more for values that were refused."""
    better = list(outcomes)
    wrong = [(at, task, checked) for at, (task, checked) in enumerate(outcomes)
             if isinstance(checked, CheckedReply) and checked.refusals]  # fmt: skip
    if not wrong:
        return better
    asked = [prompt_of(task, checked=checked) for _, task, checked in wrong]
    trace_prompt(runtime, asked[0])
    replies = runtime.context.reasoner.ask_many(asked, ExtractReply)
    for (at, task, checked), reply in zip(wrong, replies, strict=True):
        if not isinstance(reply, Failure):
            better[at] = task, corrected(checked, reply, task)
    return better


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
    unread: tuple[Unread, ...] = ()


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
    parts = context.components.parts or parts_of
    pending = parts(document, kinds, context) if kinds else ()
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


def _left_out(task: Task, brought: CheckedReply | HeadcountError) -> list[Unread]:
    """Return what of a part could not be read or taken; raise an error of no model or server."""
    name = task.document
    if isinstance(brought, LimitReached):
        return []
    if isinstance(brought, HeadcountError):
        (start, end), reason = task.part, failed("extract", name, brought).error
        return [Unread(document=name, reason=reason, start=start, end=end)]
    left = []
    for each in brought.refusals:
        told = each.model_dump(include={"kind", "attribute", "reason"})
        left.append(Unread(document=name, original=each.value, **told))
    remark = partial(Unread, document=name, attribute=REMARK)
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
    with closing(open_records(corpus, context.records)) as store, store.transaction():
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


def _brought(hand: _InHand, name: str) -> tuple[tuple[Record, ...], list[Unread]]:
    """Return a document's records in the text's order, and what could not be read or agreed on."""
    parts = [records for _, records in sorted(hand.read, key=lambda each: each[0])]
    records, contradictions = put_together(hand.kinds, parts)
    told = (Unread(document=name, reason=each, attribute=REMARK) for each in contradictions)
    return records, [*hand.unread, *told]
