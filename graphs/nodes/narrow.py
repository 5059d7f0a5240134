"""narrow: let the records rule out the documents that cannot match, before texts are read."""

from collections.abc import Mapping, Sequence

from langgraph.runtime import Runtime
from pyroaring import BitMap

from agent.errors import QueryError, QuestionError
from agent.history import Step
from agent.question import atoms
from agent.records.records_route import Decided, Route
from agent.state import State, Update
from agent.value import counted
from graphs.context import Context
from graphs.records.available_records import AtHand, at_hand
from graphs.records.booking import BY, select_call
from graphs.records.narrowing import Said, left_open, said
from graphs.scope import ledger, scope
from tools.decisions import chunks_of

SELECT = "select"


def narrow(state: State, runtime: Runtime[Context]) -> Update:
    """Decide the conditions that records decide; drop the documents that cannot match any more.

    What records say nothing of is kept, for the texts to decide. Done once in a search: a step
    repeated after an interruption finds it done.
    """
    context = runtime.context
    route = state.route
    if route is None or state.interpretation is None:
        raise QuestionError("nothing to narrow: no way was chosen")
    if any(step.call.tool == SELECT for step in state.history):
        return {}
    with at_hand(context) as found:
        if isinstance(found, str):
            raise QuestionError(f"the records are gone ({found}): ask the question again")
        texts = {each.id: each.text for each in atoms(state.interpretation.conditions)}
        decided, told = _decided(route, texts, found, context)
    if not decided:
        left = f"the records decided no condition, so the texts were read: {'; '.join(told)}"
        text = Route(path="text", why=route.why, left=left)
        return {"route": text, "warnings": (*state.warnings, left)}
    _enter(decided, state, context)
    history, after = _narrowed(decided, state, context)
    chosen = route.model_copy(update={"decided": tuple(_kept(each, context) for each in decided)})
    return {
        "route": chosen,
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
            decided.append(said(each, found, context.corpus, BY))
        except QueryError as error:
            words = texts.get(each.of, each.of)
            told.append(f"the records could not decide “{words}”, so its texts are read: {error}")
    return decided, told


def _enter(decided: Sequence[Said], state: State, context: Context) -> None:
    """Book what is settled: chunks that bear it are decided, the others need no reading for it."""
    book = ledger(state, context)
    for each in decided:
        context.store.add_findings(scope(state), each.findings)
        bearing = BitMap(finding.chunk for finding in each.findings)
        book.judge(each.condition, yes=bearing, no=BitMap(), by=BY, step=len(state.history) + 1)
        if not each.unknown:
            rest = BitMap(range(len(context.corpus))) - bearing
            book.prune(len(state.history) + 1, rest, conditions=[each.condition])


def _narrowed(
    decided: Sequence[Said], state: State, context: Context
) -> tuple[tuple[Step, ...], str]:
    """Keep the chunks of documents that may still match, a step for each query."""
    corpus, history, before = context.corpus, state.history, state.snapshot
    node = state.interpretation.conditions if state.interpretation else None
    known: dict[str, Said] = {}
    for each in decided:
        known[each.condition] = each
        open_ = left_open(node, known, len(corpus.documents))
        candidates = context.store.ids(before)
        kept = chunks_of(corpus, open_) & candidates
        step = _step(each, kept, candidates, before, len(history) + 1, context)
        _record(step, candidates - kept, state, context)
        history, before = (*history, step), step.after
    return history, before


def _step(
    decided: Said, kept: BitMap, candidates: BitMap, before: str, round_: int, context: Context
) -> Step:
    holds = counted(len(decided.holds), "document")
    why = f"decided by the records: {decided.condition} holds of {holds}"
    if decided.unknown:
        why += f", {len(decided.unknown)} say nothing of it and are read"
    return Step(
        round=round_,
        call=select_call(decided.sql, decided.parameters, why),
        before=before,
        after=context.store.put_ids(kept),
        kept=len(kept),
        discarded=len(candidates - kept),
        certain=True,
        verdict="keep",
        why=why,
    )


def _record(step: Step, discarded: BitMap, state: State, context: Context) -> None:
    context.store.add_snapshot(scope(state), step.round, step.snapshot)
    ledger(state, context).prune(step.round, discarded)


def _kept(decided: Said, context: Context) -> Decided:
    return Decided(
        condition=decided.condition,
        holds=context.store.put_ids(decided.holds),
        unknown=context.store.put_ids(decided.unknown),
        known=not decided.unknown,
    )
