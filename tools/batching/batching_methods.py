"""Methods of batching behind one interface: the same candidates and limits, a plan out of each."""

import importlib
import math
from collections.abc import Callable, Collection, Mapping
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from agent.errors import SettingsError
from tools.batching.batch_candidates import Affinity, Candidates, Limits, Part, affinity, in_order
from tools.batching.packing import cluster_candidates, greedy_batches, refine
from tools.clustering import gaussian_mixture, kmeans

_SEED = 0


def leiden(graph: Affinity) -> NDArray[np.int64]:
    """Return each candidate's community by modularity at resolution 1, seeded, (n,).

    Raises:
        SettingsError: graspologic-native is not installed.
    """
    try:
        native = importlib.import_module("graspologic_native")
    except ModuleNotFoundError as error:
        raise SettingsError(
            "Leiden needs graspologic-native: install it with `pip install 'headcount[eval]'`"
        ) from error
    if not len(graph.near):
        return np.arange(len(graph), dtype=np.int64)
    _, found = native.leiden_csr(graph.starts, graph.near, graph.weights, len(graph), seed=_SEED)
    # A candidate without edges is in no community: it is one of its own.
    alone = len(graph)
    return np.array([found.get(place, alone + place) for place in range(alone)], dtype=np.int64)


Method = Callable[[Candidates, Limits], list[list[int]]]
"""Puts every candidate into exactly one batch within the limits; returns chunk ids."""

WEIGHT = 0.8
"""λ of the greedy score, see `greedy_batches`."""
_BOND = 0.3


def semantic_batches(
    candidates: Candidates, limits: Limits, *, weight: float = WEIGHT, bond: float = _BOND
) -> list[list[int]]:
    """Batch as the product does: algorithm 1 over the offline clusters, then refined.

    Args:
        candidates: the chunks to judge.
        limits: what a batch may hold.
        weight: λ of the greedy score, see `greedy_batches`.
        bond: what nearness in a document counts in the refinement where documents are what is
            counted; nothing where they are not. It stands beside the cube of a cosine (see
            `affinity`): 0.3 is a cosine of 0.67.
    """
    packed = _packed(candidates, limits, weight)
    if len(packed) < 2:
        return candidates.chunks(packed)
    graph = affinity(candidates, bond=bond if candidates.by_document else 0)
    return candidates.chunks(refine(packed, graph, limits.costs(candidates.tokens), limits))


def greedy_only(candidates: Candidates, limits: Limits) -> list[list[int]]:
    """Batch by algorithm 1 as the paper has it, without refinement."""
    return candidates.chunks(_packed(candidates, limits, WEIGHT))


def clustered_batches(
    labels: NDArray[np.integer], candidates: Candidates, limits: Limits
) -> list[list[int]]:
    """Make every cluster a batch; one above the limits is cut in document order."""
    costs = limits.costs(candidates.tokens)
    clusters = cluster_candidates(labels, range(len(candidates)))
    return candidates.chunks(
        piece for members in clusters for piece in in_order(members, costs, limits)
    )


def kmeans_batches(candidates: Candidates, limits: Limits) -> list[list[int]]:
    """Cluster by k-means into as many clusters as full batches would do."""
    found = kmeans(candidates.features, _needed(candidates, limits))
    return clustered_batches(found.labels, candidates, limits)


def gmm_batches(candidates: Candidates, limits: Limits) -> list[list[int]]:
    """Cluster by a Gaussian mixture of as many components as full batches would do."""
    labels = gaussian_mixture(candidates.features, _needed(candidates, limits))
    return clustered_batches(labels, candidates, limits)


def leiden_batches(candidates: Candidates, limits: Limits) -> list[list[int]]:
    """Cluster by Leiden on the graph of nearest neighbours, without bonds."""
    if not len(candidates):
        return []
    return clustered_batches(leiden(affinity(candidates, bond=0)), candidates, limits)


METHODS: Mapping[str, Method] = {
    "ours": semantic_batches,
    "kmeans": kmeans_batches,
    "gmm": gmm_batches,
    "leiden": leiden_batches,
    "algorithm_1": greedy_only,
}
"""Ours, those that the paper compares with, and its own."""


def _packed(candidates: Candidates, limits: Limits, weight: float) -> list[list[int]]:
    clusters = cluster_candidates(candidates.clusters, range(len(candidates)))
    return greedy_batches(
        clusters, candidates.tokens, candidates.features, limit=limits, weight=weight
    )


def _needed(candidates: Candidates, limits: Limits) -> int:
    """Return the batches that the limits ask for at least."""
    calls = math.ceil(int(limits.costs(candidates.tokens).sum()) / limits.tokens)
    if limits.passages is not None:
        calls = max(calls, math.ceil(len(candidates) / limits.passages))
    return max(1, calls)


class FeaturedBy(Protocol):
    """Gives the same candidates with features of some parts."""

    def __call__(self, *, parts: Collection[Part]) -> Candidates:
        """Return the candidates with features of these parts alone."""
        ...


BatchingPart = Literal["tf-idf", "embedding", "offline-clusters", "greedy-batching"]


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
