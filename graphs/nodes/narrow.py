"""narrow: let the records rule out the documents that cannot match, before texts are read."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from langgraph.runtime import Runtime
from pyroaring import BitMap

from agent.errors import QueryError, QuestionError
from agent.evidence import Finding
from agent.history import Step
from agent.question import Condition, Node, atoms, verdict
from agent.records.query_plan import Query, deciding
from agent.records.record import Record
from agent.records.record_replies import Decided, Planned, Route
from agent.state import State, Update
from agent.value import counted
from graphs.context import Context
from graphs.records.available_records import AtHand, at_hand
from graphs.records.booking import BY, findings, select_call
from graphs.scope import keeping, ledger, scope
from tools.corpus.corpus import Corpus
from tools.decisions import chunks_of
from tools.records.plan_results import Result
from tools.records.sql_terms import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the records say of one condition."""

    condition: str
    statement: Statement
    holds: BitMap
    """Documents, by index."""
    unknown: BitMap
    """Documents of which the records say nothing: no null cell is ever ruled out."""
    findings: tuple[Finding, ...]


def said(planned: Planned, found: AtHand, corpus: Corpus) -> Said:
    """Ask the records of which documents a condition holds.

    Raises QueryError: the query cannot be compiled or run, or is about no single rows.
    """
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
    proof = findings(
        passing,
        planned.of,
        corpus,
        entity=lambda each: each.document,
        attributes=tested,
    )
    return Said(
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
    """Return the documents that have no record to speak of them.

    Of a kind that a document holds many of, one that was read and has none holds none.
    """
    every = BitMap(range(len(corpus.documents)))
    kind = found.tables.schema.kind(query.kind)
    if kind is not None and kind.grain == "row":
        return every - BitMap(corpus.document_index(each) for each in found.covered)
    whole = Query(kind=query.kind, operation="count")
    return every - _documents(_records(found.results.of(whole), found), corpus)


def left_open(node: Node | None, decided: Mapping[str, Said], documents: int) -> list[int]:
    """Return the documents that may still match when only the records have spoken, in order."""

    def known(number: int) -> bool:
        def truth(atom: Condition) -> bool | None:
            told = decided.get(atom.id)
            if told is None or number in told.unknown:
                return None
            return number in told.holds

        return verdict(node, truth) is not False

    return [number for number in range(documents) if known(number)]


SELECT = "select"


def narrow(state: State, runtime: Runtime[Context]) -> Update:
    """Decide the conditions that records decide; drop the documents that cannot match any more.

    What records say nothing of is kept, for the texts to decide. Done once in a search: a step
    repeated after an interruption finds it done.
    """
    context = runtime.context
    route = state.route
    if route is None:
        raise QuestionError("nothing to narrow: no way was chosen")
    if any(step.call.tool == SELECT for step in state.history):
        return {}
    with at_hand(context) as found:
        if isinstance(found, str):
            raise QuestionError(f"the records are gone ({found}): ask the question again")
        texts = {each.id: each.text for each in atoms(state.interpreted.conditions)}
        decided, told = _decided(route, texts, found, context)
    if not decided:
        left = f"the records decided no condition, so the texts were read: {'; '.join(told)}"
        text = Route(path="text", why=route.why, left=left)
        return {"route": text, "warnings": (*state.warnings, left)}
    _enter(decided, state, context)
    history, after = _narrowed(decided, state, context)
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


def _decided(
    route: Route, texts: Mapping[str, str], found: AtHand, context: Context
) -> tuple[list[Said], list[str]]:
    """Run the conditions' queries; name those that cannot be run, by their words."""
    decided, told = [], []
    for each in route.planned:
        try:
            decided.append(said(each, found, context.corpus))
        except QueryError as error:
            words = texts.get(each.of, each.of)
            told.append(f"the records could not decide “{words}”, so its texts are read: {error}")
    return decided, told


def _enter(decided: Sequence[Said], state: State, context: Context) -> None:
    """Book what is settled: chunks that bear it are decided, the others need no reading for it."""
    book = ledger(state, context)
    for each in decided:
        context.store.add_findings(scope(state), each.findings)
        bearing = BitMap(one.chunk for one in each.findings)
        book.judge(each.condition, yes=bearing, no=BitMap(), by=BY, step=len(state.history) + 1)
        if not each.unknown:
            rest = BitMap(range(len(context.corpus))) - bearing
            book.prune(len(state.history) + 1, rest, conditions=[each.condition])


def _narrowed(
    decided: Sequence[Said], state: State, context: Context
) -> tuple[tuple[Step, ...], str]:
    """Keep the chunks of documents that may still match, a step for each query."""
    corpus, history, before = context.corpus, state.history, state.snapshot
    node = state.interpreted.conditions
    known: dict[str, Said] = {}
    for each in decided:
        known[each.condition] = each
        open_ = left_open(node, known, len(corpus.documents))
        candidates = context.store.ids(before)
        kept = chunks_of(corpus, open_) & candidates
        why = f"decided by the records: {each.condition} holds of "
        why += counted(len(each.holds), "document")
        if each.unknown:
            why += f", {len(each.unknown)} say nothing of it and are read"
        call, round_ = select_call(each.statement, why), len(history) + 1
        step = keeping(kept, before, call, round_, state, context, certain=True)
        ledger(state, context).prune(round_, candidates - kept)
        history, before = (*history, step), step.after
    return history, before
