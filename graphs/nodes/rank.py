"""rank: choose the passages that may meet a condition which the reasoner cannot judge."""

from langgraph.runtime import Runtime

from agent.reasoner import ToolCall
from agent.state import State, Update
from graphs.answering.answers import candidates
from graphs.context import Context
from graphs.scope import keeping, ledger, open_conditions


def rank(state: State, runtime: Runtime[Context]) -> Update:
    """Keep the candidate passages, as a step of history; nobody reads or judges them."""
    context = runtime.context
    kept = candidates(state, context).chunks
    texts = open_conditions(state)
    why = "ranked by the words of the conditions, since only a reader can judge their meaning"
    call = ToolCall(tool="rank", arguments={"query": [each.text for each in texts]}, why=why)
    step = keeping(kept, state.snapshot, call, len(state.history) + 1, state, context)
    return {
        "snapshot": step.after,
        "history": (*state.history, step),
        "coverage": ledger(state, context).coverage(),
    }
