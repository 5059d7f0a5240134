"""The steps that fill the tables: survey → read_parts → keep, a wave of documents at a time."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, Final

from langgraph.runtime import Runtime

from agent.errors import SchemaError
from agent.records.record import (
    REMARK,
    Cell,
    DocumentInHand,
    Failure,
    Filled,
    FillState,
    FillUpdate,
    Record,
    Span,
)
from agent.records.record_schema import Attribute, Kind
from agent.value import counted
from graphs.context import Context
from graphs.records.available_records import document_kinds, open_records
from graphs.records.extraction import Extraction, digest_of, extract_all, fields_of, task_of
from tools.corpus.corpus import Corpus
from tools.records.record_store import DocumentState
from tools.records.record_values import normalise
from tools.records.reply_checking import Task, missing, put_together, settle
from tools.records.text_parts import best_parts, part_tokens, split

_WAVE: Final = 32
"""Documents in hand at once: what a kill can cost besides the requests in flight."""
_AT_ONCE: Final = 3
"""Parts of a document read before it is seen what is still missing."""


def survey(state: FillState, runtime: Runtime[Context]) -> FillUpdate:
    """Bring the store to the schema and queue what is new, changed, stale or not wholly read.

    Raises SchemaError: the schema has no kinds.
    """
    if not state.schema.kinds:
        raise SchemaError("the schema has no kinds, so there is nothing to be read")
    context = runtime.context
    with closing(open_records(context.corpus, context.records)) as store:
        store.write_schema(state.schema)
        gone = store.documents().keys() - set(context.corpus.documents)
        for name in gone:
            store.forget(name)
    update = survey_only(state, runtime)
    filled = update["filled"].model_copy(update={"forgotten": len(gone)})
    return {**update, "filled": filled}


def survey_only(state: FillState, runtime: Runtime[Context]) -> FillUpdate:
    """Queue what would have to be read, changing nothing."""
    corpus, place = runtime.context.corpus, runtime.context.records
    wanted = frozenset(place.documents if place else corpus.documents)
    kinds = document_kinds(corpus, state.schema)
    with closing(open_records(corpus, place)) as store:
        same = store.schema() == state.schema
        known = store.documents() if same else {}
        unread = {each.document for each in store.failures() if not each.attribute}
    queue = tuple(
        document
        for document, name in enumerate(corpus.documents)
        if name in wanted
        and (
            name in unread
            or not _is_current(known.get(name), digest_of(corpus, document), kinds[document])
        )
    )
    count = len(wanted)
    filled = Filled(documents=count, current=count - len(queue), left=len(queue))
    return {"kinds": kinds, "queue": queue, "filled": filled}


def _is_current(known: DocumentState | None, digest: str, kinds: tuple[str, ...]) -> bool:
    if known is None or known.status == "stale" or known.digest != digest:
        return False
    return set(known.kinds) == set(kinds)


def read_parts(state: FillState, runtime: Runtime[Context]) -> FillUpdate:
    """Take documents in hand and read some parts of each.

    A document that is one record is read on only while attributes are missing; one that holds many
    is read wholly.

    Raises ProviderRejected: the server will serve none of the requests.
    """
    room = max(0, _WAVE - len(state.hand))
    begun = [_begun(each, state.kinds_of(each), runtime) for each in state.queue[:room]]
    hand = [*state.hand, *begun]
    kinds = {each.document: state.kinds_of(each.document) for each in hand}
    tasks = [task for each in hand for task in _tasks(each, kinds[each.document], runtime)]
    outcomes = extract_all(runtime, tasks) if tasks else []
    stopped = next((each.stopped for each in outcomes if each.stopped), "")
    after = [_after(each, outcomes, kinds[each.document]) for each in hand]
    return {"queue": state.queue[room:], "hand": tuple(after), "stopped": stopped}


def _begun(document: int, kinds: Sequence[Kind], runtime: Runtime[Context]) -> DocumentInHand:
    pending = parts_of(document, kinds, runtime) if kinds else ()
    record, rest = _of_fields(document, kinds, runtime.context.corpus)
    if record is None:
        return DocumentInHand(document=document, pending=pending)
    read = (((0, 0), (record,)),)
    return DocumentInHand(document=document, pending=pending if rest else (), read=read)


def _of_fields(document: int, kinds: Sequence[Kind], corpus: Corpus) -> tuple[Record | None, bool]:
    """Return what fields state of a document that is one record, and whether its text adds to it.

    It cannot where it is nothing but the lines of fields, and each value could be taken.
    """
    single = [each for each in kinds if each.grain == "document"]
    kind = single[0] if len(single) == 1 else Kind(name="none")
    fields, text = fields_of(corpus, document), corpus.document_text(document)
    lines = {f"{name}: {value}" for name, value in fields.items()}
    rest = len(kinds) > 1 or any(each.strip() and each not in lines for each in text.splitlines())
    cells = []
    for each in kind.attributes:
        written = fields.get(each.field or "")
        found = normalise(written or "", each)
        if found.value is not None and not each.many:
            told = {"value": found.value, "original": written, "unit": found.unit}
            cells.append(Cell.model_validate({"attribute": each.name, **told}))
        elif written or not each.field:
            rest = True
    name = corpus.documents[document]
    record = Record(kind=kind.name, document=name, end=len(text), cells=tuple(cells), by="fields")
    return (record, rest) if cells else (None, True)


def _tasks(hand: DocumentInHand, kinds: Sequence[Kind], runtime: Runtime[Context]) -> list[Task]:
    context, wanted = runtime.context, _wanted(hand, kinds)
    own = partial(task_of, context.corpus, hand.document, kinds=wanted, by=context.reasoner.name)
    spans = islice(hand.pending, _AT_ONCE if wanted else 0)
    return [replace(own(span), all_kinds=context.records is None) for span in spans]


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


def _sought(kinds: Sequence[Kind]) -> list[Attribute]:
    """Return the attributes that guide which parts are read; none where all is read anyway."""
    if any(kind.grain == "row" for kind in kinds):
        return []
    return [each for kind in kinds for each in kind.attributes]


def _after(
    hand: DocumentInHand, outcomes: Sequence[Extraction], kinds: Sequence[Kind]
) -> DocumentInHand:
    """Return a document with what its requests brought; what a limit stopped is pending still."""
    own = [each for each in outcomes if each.task.number == hand.document]
    stopped = [each.task.part for each in own if each.stopped]
    brought = [each for each in own if not each.stopped]
    read = [(each.task.part, settle(each.checked)) for each in brought if each.checked]
    unread = [unread for each in brought for unread in _left_out(each)]
    pending = (*stopped, *hand.pending[_AT_ONCE:])
    update = {"read": (*hand.read, *read), "unread": (*hand.unread, *unread), "pending": pending}
    after = hand.model_copy(update=update)
    enough = bool(_sought(kinds)) and not stopped and not _wanted(after, kinds)
    return after.model_copy(update={"pending": ()}) if enough else after


def _left_out(outcome: Extraction) -> list[Failure]:
    """Return what of a part could not be read or taken."""
    name = outcome.task.document
    if outcome.checked is None:
        start, end = outcome.task.part
        return [Failure(document=name, reason=outcome.error, start=start, end=end)]
    left = []
    for each in outcome.checked.refusals:
        told = each.model_dump(include={"kind", "attribute", "reason"})
        left.append(Failure(document=name, original=each.value, **told))
    remark = partial(Failure, document=name, attribute=REMARK)
    left += [remark(reason=each) for each in outcome.checked.notes]
    for unfit in outcome.checked.unfit:
        reason = f"{counted(unfit.rows, 'row')} under {unfit.heading!r} are of no kind"
        left.append(remark(reason=reason, original=unfit.heading, rows=unfit.rows))
    return left


def parts_of(document: int, kinds: Sequence[Kind], runtime: Runtime[Context]) -> tuple[Span, ...]:
    """Return the parts of a document in the order in which they are read."""
    text = runtime.context.corpus.document_text(document)
    spans, sought = split(text, part_tokens(runtime.context.reasoner, kinds)), _sought(kinds)
    if len(spans) < 2 or not sought:
        return spans
    order = best_parts([text[start:end] for start, end in spans], sought)
    return tuple(spans[place] for place in order)


def keep(state: FillState, runtime: Runtime[Context]) -> FillUpdate:
    """Store the documents of which nothing is pending, and count what came of them."""
    corpus = runtime.context.corpus
    done = [each for each in state.hand if not each.pending]
    filled = state.filled
    place = runtime.context.records
    with closing(open_records(corpus, place)) as store, store.together():
        for each in done:
            name = corpus.documents[each.document]
            own = state.kinds_of(each.document)
            records, failures = _brought(each, own, name)
            digest = digest_of(corpus, each.document)
            kinds = tuple(kind.name for kind in own)
            lost = any(not failure.attribute for failure in failures)
            store.put(name, digest, records, failures, kinds)
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
    rest = tuple(each for each in state.hand if each.pending)
    return {"hand": rest, "filled": filled.model_copy(update={"stopped": state.stopped})}


def _brought(
    hand: DocumentInHand, kinds: tuple[Kind, ...], name: str
) -> tuple[tuple[Record, ...], list[Failure]]:
    """Return a document's records in the text's order, and what could not be read or agreed on."""
    parts = [records for _, records in sorted(hand.read, key=lambda each: each[0])]
    records, contradictions = put_together(kinds, parts)
    told = (Failure(document=name, reason=each, attribute=REMARK) for each in contradictions)
    return records, [*hand.unread, *told]


def how_far(state: FillState, update: dict[str, Any], _: Runtime[Context]) -> dict[str, Any]:
    """Tell the trace how far the filling came."""
    return {"filled": update.get("filled", state.filled).model_dump()}


FILLING = (survey, read_parts, keep)
"""In the order of the graph."""
