"""batch: put the chosen chunks into judging requests, similar passages together (DFA, A.3)."""

from langgraph.runtime import Runtime

from agent.errors import QuestionError
from agent.state import State, Update
from graphs.context import Context
from graphs.economy import request_limits
from graphs.scope import open_conditions, scope
from tools.batching import Candidates, semantic_batches

__all__ = ("batch",)


def batch(state: State, runtime: Runtime[Context]) -> Update:
    """Batch the chunks that the current round of reading has chosen."""
    context, reading = runtime.context, state.interpretation
    if reading is None:
        raise QuestionError("nothing to batch: the question was never read")
    chosen = Candidates.of(
        context.corpus,
        context.store.ids(state.rounds[-1].selection),
        by_document=reading.grain == "document",
    )
    limits = request_limits(context, reading, open_conditions(state))
    batches = semantic_batches(chosen, limits, weight=context.policy.batch_weight)
    context.store.put_batches(scope(state), batches)
    return {"batches": len(batches), "judged_batches": 0}
