"""judge: send a wave of judging requests, verify every quote, book every chunk."""

from langgraph.runtime import Runtime

from agent.errors import QuestionError
from agent.state import State, Update
from graphs.context import Context
from graphs.judging import Bench, Verdicts
from graphs.scope import ledger, open_conditions, scope

__all__ = ("judge",)


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
    runtime.stream_writer({"kind": "prompt", "prompt": "judge", "digest": bench.digest[:12]})
    return update


def _book(verdicts: Verdicts, state: State, context: Context) -> int:
    """Write the findings first and the ledger after them: a crash between repeats both."""
    context.store.add_findings(scope(state), verdicts.findings)
    book = ledger(state, context)
    for condition in open_conditions(state):
        yes = verdicts.chunks_with(condition.id)
        book.judge(condition.id, yes=yes, no=verdicts.read - yes)
    conditions = [condition.id for condition in open_conditions(state)]
    book.unparsable(verdicts.unparsable, conditions=conditions)
    book.fail(verdicts.failed, conditions=conditions)
    return len(verdicts.findings)
