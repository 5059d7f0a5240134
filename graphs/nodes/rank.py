"""rank: choose the passages that may meet a condition which the reasoner cannot judge."""

from langgraph.runtime import Runtime

from agent.history import Step
from agent.reasoner import ToolCall
from agent.state import State, Update
from graphs.answering.answers import candidates
from graphs.context import Context
from graphs.scope import ledger, open_conditions, scope


def rank(state: State, runtime: Runtime[Context]) -> Update:
    """Keep the candidate passages, as a step of history; nobody reads or judges them."""
    context = runtime.context
    kept = candidates(state, context).chunks
    texts = open_conditions(state)
    before = context.store.ids(state.snapshot)
    why = "ranked by the words of the conditions, since only a reader can judge their meaning"
    step = Step(
        round=len(state.history) + 1,
        call=ToolCall(tool="rank", arguments={"query": [each.text for each in texts]}, why=why),
        before=state.snapshot,
        after=context.store.put_ids(kept),
        kept=len(kept),
        discarded=len(before - kept),
        verdict="keep",
        why=why,
    )
    context.store.add_snapshot(scope(state), step.round, step.snapshot)
    return {
        "snapshot": step.after,
        "history": (*state.history, step),
        "coverage": ledger(state, context).coverage(),
    }
