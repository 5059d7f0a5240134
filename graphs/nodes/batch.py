"""batch: put the chosen chunks into judging requests, similar passages together (DFA, A.3)."""

from langgraph.runtime import Runtime

from agent.errors import QuestionError
from agent.state import State, Update
from graphs.context import Context
from graphs.economy import request_limits
from graphs.scope import open_conditions, scope
from tools.batching import Candidates, semantic_batches

__all__ = ("batch",)

_AT_ONCE = 4096
"""Chunks batched together: their features are in memory, about 12 kB a chunk."""


def batch(state: State, runtime: Runtime[Context]) -> Update:
    """Batch the chunks that the current round of reading has chosen."""
    context, reading = runtime.context, state.interpretation
    if reading is None:
        raise QuestionError("nothing to batch: the question was never read")
    limits = request_limits(context, reading, open_conditions(state))
    chosen = list(context.store.ids(state.rounds[-1].selection))
    batches: list[list[int]] = []
    for start in range(0, len(chosen), _AT_ONCE):
        part = Candidates.of(
            context.corpus,
            chosen[start : start + _AT_ONCE],
            by_document=reading.grain == "document",
        )
        batches += semantic_batches(part, limits, weight=context.policy.batch_weight)
    context.store.put_batches(scope(state), batches)
    return {"batches": len(batches), "judged_batches": 0}
