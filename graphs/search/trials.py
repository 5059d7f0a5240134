"""What trials judged: a verdict on a condition holds for every reading with the same criteria."""

from collections.abc import Iterator, Sequence

from pyroaring import BitMap

from agent.interpretation import criteria, together
from agent.question import Condition
from agent.state import State
from graphs.context import Context
from graphs.scope import asked_in, ledger, open_conditions, scope
from tools.runs.coverage_ledger import CoverageLedger


def take_over(state: State, context: Context) -> None:
    """Enter what trials judged of conditions that stand unchanged, with the quotes."""
    book = ledger(state, context)
    for condition, there, trial, chunks in _taken(state, context):
        new = chunks - book.judged(condition)
        for part in trial.parts():
            if part.condition == there and part.standing.state in {"yes", "no"}:
                said, none = part.ids & new, BitMap()
                yes, no = (said, none) if part.standing.state == "yes" else (none, said)
                book.judge(condition, yes=yes, no=no, by=part.standing.by)
        found = [e for e in context.store.findings(trial.run) if e.condition == there]
        own = [e.model_copy(update={"condition": condition}) for e in found if e.chunk in chunks]
        context.store.add_findings(scope(state), own)


def left_to_ask(state: State, context: Context) -> dict[str, BitMap]:
    """Return by open condition the chunks that it is asked of, but for those a trial judged."""
    left = asked_in(state, context)
    for condition, _, _, chunks in _taken(state, context):
        left[condition] = left[condition] - chunks
    return left


def reviewed(chunk: int, conditions: Sequence[Condition], context: Context) -> bool:
    """Tell whether a person judged a chunk by some condition."""
    said = context.reviews
    return said is not None and any(
        said.verdict(context.corpus, chunk, each) is not None for each in conditions
    )


def _taken(state: State, context: Context) -> Iterator[tuple[str, str, CoverageLedger, BitMap]]:
    """Yield a condition, its id in a trial, the ledger there, and what it judged but no person."""
    asked, open_ = asked_in(state, context), open_conditions(state)
    for run, searched in state.tried.items():
        if not together(searched, state.interpreted):
            continue
        trial = CoverageLedger.stored(context.store, run)
        there = open_conditions(State(question=state.question, interpretation=searched))
        names = {criteria(each): each.id for each in there}
        for each in open_:
            if name := names.get(criteria(each)):
                chunks = trial.judged(name) & asked[each.id]
                known = (one for one in chunks if reviewed(one, [each], context))
                yield each.id, name, trial, chunks - BitMap(known)
