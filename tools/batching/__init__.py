"""Batching: which candidates go to the model in one call, and what that costs."""

from tools.batching.batch_candidates import (
    Candidates,
    Limits,
    batch_limits,
    candidate_pairs,
    llm_calls,
    similar_pairs,
)
from tools.batching.packing import (
    METHODS,
    BatchingPart,
    Method,
    batches_without,
    cluster_candidates,
    greedy_batches,
    semantic_batches,
)

__all__ = (
    "METHODS",
    "BatchingPart",
    "Candidates",
    "Limits",
    "Method",
    "batch_limits",
    "batches_without",
    "candidate_pairs",
    "cluster_candidates",
    "greedy_batches",
    "llm_calls",
    "semantic_batches",
    "similar_pairs",
)
