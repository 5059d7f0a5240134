"""batch: put the candidates into judging requests, similar passages together (DFA, A.3)."""

import numpy as np
from langgraph.runtime import Runtime

from agent.state import State, Update
from graphs.context import Context
from graphs.routes import end_of_filtering
from graphs.scope import open_conditions, scope
from tools.batching import cluster_candidates, greedy_batches

__all__ = ("batch", "passage_tokens")


def batch(state: State, runtime: Runtime[Context]) -> Update:
    """Batch the candidates; none when metadata decides everything."""
    context = runtime.context
    if not open_conditions(state):
        return {"batches": 0, "judged_batches": 0}
    corpus = context.corpus
    ids = np.array(context.store.ids(state.snapshot), dtype=np.int64)
    batches = greedy_batches(
        cluster_candidates(corpus.clusters, ids),
        corpus.chunk_tokens,
        corpus.vectors.rows(),
        limit=passage_tokens(context),
        weight=context.policy.batch_weight,
    )
    context.store.put_batches(scope(state), batches)
    update: Update = {"batches": len(batches), "judged_batches": 0}
    ended = end_of_filtering(state, context.policy)
    if ended.startswith("limit"):
        update["warnings"] = (*state.warnings, f"filtering ended early: {ended}")
    return update


def passage_tokens(context: Context) -> int:
    """Return how many passage tokens fit a request: the policy's, or half of a small context."""
    room = context.reasoner.context_tokens - context.reasoner.reply_tokens
    return max(1, min(context.policy.batch_tokens, room // 2))
