"""Batching: which candidates go to the model in one call, and what that costs."""

from tools.batching.candidates import Candidates
from tools.batching.components import FeaturedBy, batches_without
from tools.batching.limits import Limits, batch_limits
from tools.batching.measures import candidate_pairs, llm_calls, similar_pairs
from tools.batching.methods import METHODS, Method, semantic_batches
from tools.batching.packing import cluster_candidates, greedy_batches

__all__ = (
    "METHODS",
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
