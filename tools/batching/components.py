"""Batching without one of its parts, so that what each is worth can be measured (DFA, table 9)."""

from collections.abc import Collection
from typing import Protocol, get_args

from agent.policy import BatchingPart
from tools.batching.candidates import Candidates, Part
from tools.batching.limits import Limits
from tools.batching.methods import WEIGHT, clustered_batches, semantic_batches

__all__ = ("FeaturedBy", "batches_without")


class FeaturedBy(Protocol):
    """Gives the same candidates with features of some parts."""

    def __call__(self, *, parts: Collection[Part]) -> Candidates:
        """Return the candidates with features of these parts alone."""
        ...


def batches_without(
    part: BatchingPart | None, featured_by: FeaturedBy, limits: Limits, *, weight: float = WEIGHT
) -> list[list[int]]:
    """Batch as the product does, but for one part; None does without none.

    Without TF-IDF or the embedding, the other is all there is of the features; without offline
    clusters, each chunk is packed by itself; without greedy batching, each cluster is a batch.
    """
    features = [each for each in get_args(Part) if each != part]
    candidates = featured_by(parts=features)
    if part == "greedy-batching":
        return clustered_batches(candidates.clusters, candidates, limits)
    if part == "offline-clusters":
        candidates = candidates.without_clusters()
    return semantic_batches(candidates, limits, weight=weight)
