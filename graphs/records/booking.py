"""Booking what records answered: which chunks prove it, which were never read into records."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from pyroaring import BitMap

from agent.errors import QuestionError
from agent.evidence import Finding
from agent.reasoner import ToolCall
from agent.records.record import Record
from agent.records.record_replies import Planned
from agent.state import State, Update
from graphs.context import Context
from graphs.records.available_records import AtHand
from graphs.records.query_outcome import Outcome
from graphs.scope import keeping, ledger, scope
from tools.corpus.corpus import Corpus
from tools.decisions import chunks_of
from tools.records.sql_terms import Statement
from tools.runs.chunk_story import BY_FIELDS

BY = "records"
"""Who decided, as the ledger and findings say it."""
_QUOTED = 5000
"""Records whose quotes are booked as findings at most; the ledger has the chunks of all."""


Queried = tuple[Planned, Outcome]
"""A query with its result."""


def book(queried: Sequence[Queried], found: AtHand, state: State, context: Context) -> Update:
    """Enter the results of the interpretations that are answered together, one step each.

    The chunks that hold the rows behind a result matched. The others of the documents that were
    read into records are ruled out by the query, those that do not bear on the question by its
    fields; those of other documents were never read, or failed.
    """
    if state.route is None:
        raise QuestionError("nothing to book: no way was chosen")
    corpus, store, name = context.corpus, context.store, scope(state)
    store.restart(name)
    covered = _chunks(found.covered, corpus)
    failed = _chunks(found.failed, corpus)
    whole = BitMap(range(len(corpus)))
    bearing = context.records.documents if context.records else corpus.documents
    aside = whole - _chunks(bearing, corpus)
    first = store.put_ids(whole)
    proven, history = BitMap(), state.history[:0]
    entered = ledger(state, context)
    for number, (asked, outcome) in enumerate(queried, start=1):
        behind = _behind(outcome, found)
        chunks = BitMap().union(*(BitMap(_places(record, corpus)) for record in behind))
        call = select_call(outcome.statement, asked.reply.why)
        kept = chunks | (whole - covered - aside)
        told = {"certain": True, "verdict": "enough"}
        step = keeping(kept, first, call, number, state, context, **told)
        for condition in entered.conditions[:1]:
            quoted = findings(
                behind[:_QUOTED], condition, corpus, entity=lambda each: each.label or each.document
            )
            store.add_findings(name, tuple(quoted))
        proven |= chunks
        history = (*history, step)
    for condition in entered.conditions:
        entered.judge(condition, yes=proven, no=BitMap(), by=BY, step=1)
    entered.prune(1, covered - proven)
    entered.prune(BY_FIELDS, aside)
    reasons = dict.fromkeys(failed, "its document could not be read into records")
    entered.spoil("failed", failed - proven, reasons=reasons, step=1)
    planned = tuple(asked for asked, _ in queried)
    return {
        "route": state.route.model_copy(update={"planned": planned}),
        "history": history,
        "snapshot": history[-1].after,
        "coverage": entered.coverage(),
    }


def _chunks(documents: Sequence[str], corpus: Corpus) -> BitMap:
    return chunks_of(corpus, [corpus.document_index(each) for each in documents])


def _behind(outcome: Outcome, found: AtHand) -> list[Record]:
    """Return the records behind a result, each row before those linked to it."""
    wanted = dict.fromkeys(each for item in outcome.items for each in outcome.behind(item))
    known = found.records_of(wanted)
    return [known[each] for each in wanted if each in known]


def _places(record: Record, corpus: Corpus) -> list[int]:
    """Return the chunks that hold a record's quotes; without any, those of its own span."""
    document = corpus.document_index(record.document)
    spans = [(start, start + len(cell.quote)) for cell, start in record.quoted]
    spans = spans or [(record.start, record.end)]
    return [chunk for span in spans for chunk in corpus.chunks_at(document, *span)]


def findings(
    records: Iterable[Record],
    condition: str,
    corpus: Corpus,
    *,
    entity: Callable[[Record], str],
    attributes: Collection[str] | None = None,
) -> Iterator[Finding]:
    """Yield what the records' quotes prove of entities: those of some attributes, or of all."""
    for record in records:
        for cell, start in record.quoted:
            end = start + len(cell.quote)
            if attributes is None or cell.attribute in attributes:
                yield Finding(
                    chunk=corpus.chunks_at(corpus.document_index(record.document), start, end)[0],
                    document=record.document,
                    condition=condition,
                    entity=entity(record),
                    start=start,
                    end=end,
                    quote=cell.quote,
                    by=BY,
                )


def select_call(statement: Statement, why: str) -> ToolCall:
    """Return a query as a call of a tool."""
    arguments = {"sql": statement.sql, "parameters": list(statement.parameters)}
    return ToolCall.model_validate({"tool": "select", "arguments": arguments, "why": why})
