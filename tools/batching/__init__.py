"""Batching: which candidates go to the model in one call, and what that costs."""

from tools.batching.batch_candidates import (
    Candidates,
    Limits,
    batch_limits,
    candidate_pairs,
    llm_calls,
    similar_pairs,
)
from tools.batching.batching_methods import (
    METHODS,
    BatchingPart,
    FeaturedBy,
    Method,
    batches_without,
    semantic_batches,
)
from tools.batching.packing import cluster_candidates, greedy_batches

__all__ = (
    "METHODS",
    "BatchingPart",
    "Candidates",
    "FeaturedBy",
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
