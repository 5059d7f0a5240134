"""Booking what records answered or decided: which chunks prove it, which nobody has to read."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from pyroaring import BitMap

from agent.errors import QueryError, QuestionError
from agent.evidence import Finding
from agent.history import Step
from agent.question import Condition, Node, atoms, verdict
from agent.reasoner import ToolCall
from agent.records.query_plan import Query, deciding
from agent.records.record import Record
from agent.records.record_replies import Decided, Planned, Route
from agent.state import State, Update
from agent.value import counted
from graphs.context import Context
from graphs.records.available_records import AtHand
from graphs.records.recorded_answer import Outcome
from graphs.scope import keeping, ledger, scope
from tools.corpus.corpus import Corpus
from tools.decisions import chunks_of
from tools.records.plan_results import Result
from tools.records.sql_terms import Statement
from tools.runs.coverage_ledger import BY_FIELDS

SELECT = "select"
"""The tool whose calls queries are, in a run's history."""
_BY = "records"
"""Who decided, as the ledger and findings say it."""
_QUOTED = 5000
"""Records whose quotes are booked as findings at most; the ledger has the chunks of all."""


Queried = tuple[Planned, Outcome]


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
        call = _select_call(outcome.statement, asked.reply.why)
        kept = chunks | (whole - covered - aside)
        told = {"certain": True, "verdict": "enough"}
        step = keeping(kept, first, call, number, state, context, **told)
        for condition in entered.conditions[:1]:
            quoted = _findings(behind[:_QUOTED], condition, corpus)
            store.add_findings(name, tuple(quoted))
        proven |= chunks
        history = (*history, step)
    for condition in entered.conditions:
        entered.judge(condition, yes=proven, no=BitMap(), by=_BY, step=1)
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
    return list(found.store.records(wanted).values())


def _places(record: Record, corpus: Corpus) -> list[int]:
    """Return the chunks that hold a record's quotes; without any, those of its own span."""
    document = corpus.document_index(record.document)
    spans = [(each.start, each.end) for _, each in record.quoted] or [(record.start, record.end)]
    return [chunk for span in spans for chunk in corpus.chunks_at(document, *span)]


def _findings(
    records: Iterable[Record],
    condition: str,
    corpus: Corpus,
    attributes: Collection[str] | None = None,
) -> Iterator[Finding]:
    """Yield what quotes prove: of documents those of some attributes, or of records all."""
    for record in records:
        document = corpus.document_index(record.document)
        for cell, proof in record.quoted:
            if attributes is None or cell.attribute in attributes:
                yield Finding(
                    chunk=corpus.chunks_at(document, proof.start, proof.end)[0],
                    document=record.document,
                    condition=condition,
                    entity=(record.label if attributes is None else "") or record.document,
                    start=proof.start,
                    end=proof.end,
                    quote=proof.quote,
                    by=_BY,
                )


def _select_call(statement: Statement, why: str) -> ToolCall:
    arguments = {"sql": statement.sql, "parameters": list(statement.parameters)}
    return ToolCall.model_validate({"tool": SELECT, "arguments": arguments, "why": why})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """What the records say of one condition."""

    condition: str
    statement: Statement
    holds: BitMap
    unknown: BitMap
    """Documents of which the records say nothing: no null cell is ever ruled out."""
    findings: tuple[Finding, ...]


def _said(planned: Planned, found: AtHand, corpus: Corpus) -> _Said:
    """Ask of which documents a condition holds; raises QueryError: it is about no single rows."""
    query = planned.reply.plan
    if not isinstance(query, Query):
        raise QueryError("a condition is decided by a query of rows")
    results = found.results
    result = results.of(query)
    passing = _records(result, found)
    doubted = results.in_doubt(query).items()
    untold = found.store.records(each for each, passes in doubted if not passes)
    holds = _documents(passing, corpus)
    unknown = _documents(untold.values(), corpus) | _silent(query, found, corpus)
    tested = {each.attribute for each in deciding(query) if each.kind == query.kind}
    proof = _findings(passing, planned.of, corpus, attributes=tested)
    return _Said(
        condition=planned.of,
        statement=result.statement,
        holds=holds,
        unknown=unknown - holds,
        findings=tuple(proof),
    )


def _records(result: Result, found: AtHand) -> Collection[Record]:
    ids = dict.fromkeys(each for item in result.items for each in item.records)
    return found.store.records(ids).values()


def _documents(records: Iterable[Record], corpus: Corpus) -> BitMap:
    return BitMap(corpus.document_index(each.document) for each in records)


def _silent(query: Query, found: AtHand, corpus: Corpus) -> BitMap:
    """Return the documents without a record to speak of them; rows that are not there are none."""
    every = BitMap(range(len(corpus.documents)))
    kind = found.tables.schema.kind(query.kind)
    if kind is not None and kind.grain == "row":
        return every - BitMap(corpus.document_index(each) for each in found.covered)
    whole = Query(kind=query.kind, operation="count")
    return every - _documents(_records(found.results.of(whole), found), corpus)


def _left_open(node: Node | None, decided: Mapping[str, _Said], documents: int) -> list[int]:
    """Return the documents that may still match when only the records have spoken, in order."""

    def truth(number: int, atom: Condition) -> bool | None:
        told = decided.get(atom.id)
        return None if told is None or number in told.unknown else number in told.holds

    return [each for each in range(documents) if verdict(node, partial(truth, each)) is not False]


def narrowed(route: Route, found: AtHand, state: State, context: Context) -> Update:
    """Decide the conditions that records decide; drop the documents that cannot match any more."""
    texts = {each.id: each.text for each in atoms(state.interpreted.conditions)}
    decided, told = list[_Said](), list[str]()
    for each in route.planned:
        try:
            decided.append(_said(each, found, context.corpus))
        except QueryError as error:
            words = texts.get(each.of, each.of)
            told.append(f"the records could not decide “{words}”, so its texts are read: {error}")
    _enter(decided, state, context)
    history, after = _kept(decided, state, context)
    kept = tuple(
        Decided(
            condition=each.condition,
            holds=context.store.put_ids(each.holds),
            unknown=context.store.put_ids(each.unknown),
            known=not each.unknown,
        )
        for each in decided
    )
    return {
        "route": route.model_copy(update={"decided": kept}),
        "history": history,
        "snapshot": after,
        "coverage": ledger(state, context).coverage(),
        "warnings": (*state.warnings, *told),
    }


def _enter(decided: Sequence[_Said], state: State, context: Context) -> None:
    """Book what is settled: chunks that bear it are decided, the others need no reading."""
    book = ledger(state, context)
    for each in decided:
        context.store.add_findings(scope(state), each.findings)
        bearing = BitMap(one.chunk for one in each.findings)
        book.judge(each.condition, yes=bearing, no=BitMap(), by=_BY, step=len(state.history) + 1)
        if not each.unknown:
            rest = BitMap(range(len(context.corpus))) - bearing
            book.prune(len(state.history) + 1, rest, conditions=[each.condition])


def _kept(decided: Sequence[_Said], state: State, context: Context) -> tuple[tuple[Step, ...], str]:
    """Keep the chunks of documents that may still match, a step for each query."""
    corpus, history, before = context.corpus, state.history, state.snapshot
    node = state.interpreted.conditions
    known: dict[str, _Said] = {}
    for each in decided:
        known[each.condition] = each
        open_ = _left_open(node, known, len(corpus.documents))
        candidates = context.store.ids(before)
        kept = chunks_of(corpus, open_) & candidates
        why = f"decided by the records: {each.condition} holds of "
        why += counted(len(each.holds), "document")
        if each.unknown:
            why += f", {len(each.unknown)} say nothing of it and are read"
        call, round_ = _select_call(each.statement, why), len(history) + 1
        step = keeping(kept, before, call, round_, state, context, certain=True)
        ledger(state, context).prune(round_, candidates - kept)
        history, before = (*history, step), step.after
    return history, before
