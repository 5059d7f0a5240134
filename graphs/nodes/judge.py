"""judge: send a wave of judging requests, verify every quote, book every chunk."""

from langgraph.runtime import Runtime

from agent.errors import QuestionError
from agent.state import State, Update
from graphs.context import Context
from graphs.judging import Bench
from graphs.scope import ledger, open_conditions, scope
from graphs.verdicts import Verdicts

__all__ = ("judge",)

_PROBLEM = "a judging request brought no verdict: "
_PROBLEMS = 3
_SHOWN = 200


def judge(state: State, runtime: Runtime[Context]) -> Update:
    """Judge the next wave; a chunk without a usable reply is tried again, then listed."""
    context = runtime.context
    if state.interpretation is None:
        raise QuestionError("nothing to judge: the question was never read")
    bench = Bench(
        corpus=context.corpus,
        reasoner=context.reasoner,
        reading=state.interpretation,
        conditions=open_conditions(state),
    )
    done = state.judged_batches
    batches = context.store.batches(scope(state))[done : done + context.policy.wave]
    verdicts = bench.judge(batches)
    found = _book(verdicts, state, context)
    coverage = ledger(state, context).coverage()
    update: Update = {
        "judged_batches": done + len(batches),
        "coverage": coverage,
        "found": state.found + found,
    }
    if verdicts.stopped:
        update["stopped"] = verdicts.stopped
    told = _told(verdicts, state)
    if told:
        update["warnings"] = (*state.warnings, *told)
    runtime.stream_writer({"kind": "prompt", "prompt": "judge", "digest": bench.digest[:12]})
    return update


def _book(verdicts: Verdicts, state: State, context: Context) -> int:
    """Write the findings first and the ledger after them: a crash between repeats both."""
    context.store.add_findings(scope(state), verdicts.findings)
    book = ledger(state, context)
    for condition in open_conditions(state):
        yes = verdicts.chunks_with(condition.id)
        unclear = verdicts.unclear_about(condition.id)
        book.judge(condition.id, yes=yes, no=verdicts.read - yes - unclear)
        book.unparsable(unclear, conditions=[condition.id])
    conditions = [condition.id for condition in open_conditions(state)]
    book.unparsable(verdicts.unparsable, conditions=conditions)
    book.fail(verdicts.failed, conditions=conditions)
    return len(verdicts.findings)


def _told(verdicts: Verdicts, state: State) -> list[str]:
    """Name what kept chunks from a verdict, each reason once in a run, a few at most."""
    open_ = verdicts.failed | verdicts.unparsable
    open_ = open_.union(open_, *verdicts.unclear.values())
    reasons = dict.fromkeys(verdicts.reasons[chunk] for chunk in open_)
    lines = [f"{_PROBLEM}{' '.join(reason.split())[:_SHOWN]}" for reason in reasons]
    told = sum(line.startswith(_PROBLEM) for line in state.warnings)
    return [line for line in lines if line not in state.warnings][: max(0, _PROBLEMS - told)]
