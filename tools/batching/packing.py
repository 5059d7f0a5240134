"""Greedy semantic-aware batching (DFA, appendix A.3, algorithm 1)."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from tools.batching.limits import Limits, in_order

__all__ = ("cluster_candidates", "greedy_batches")

Floats = npt.NDArray[np.floating]
Integers = npt.NDArray[np.integer]

_ROOM = 64


def cluster_candidates(labels: Integers, ids: Iterable[int]) -> list[list[int]]:
    """Group candidate chunks by their offline cluster, clusters by first chunk, chunks in order.

    Args:
        labels: cluster of every chunk of the corpus, shape (N,).
        ids: the candidates.

    >>> cluster_candidates(np.array([1, 0, 1, 0]), [3, 2, 0])
    [[0, 2], [3]]
    """
    clusters: dict[int, list[int]] = {}
    for chunk in sorted(ids):
        clusters.setdefault(int(labels[chunk]), []).append(chunk)
    return list(clusters.values())


def greedy_batches(
    clusters: Sequence[Sequence[int]],
    tokens: Integers,
    features: Floats,
    *,
    limit: Limits | int,
    weight: float = 0.8,
) -> list[list[int]]:
    """Pack clusters into batches within the limits; every chunk is in exactly one.

    A cluster above the limits is split, in document order, into batches of its own. The others,
    largest first, each join the batch that they fit into with the highest score (5),

        S(K, B) = λ · cos(μ_K, μ̄(B)) + (1 − λ) · (T(B) + T(K)) / L,

    whose centroid then becomes the token-weighted mean (6); a cluster that fits nowhere opens a
    batch. A chunk above the limit is a batch of its own. Chunks of a batch are in document order.

    Args:
        clusters: disjoint groups of chunk ids.
        tokens: tokens of every chunk of the corpus, shape (N,).
        features: a row for every chunk of the corpus, shape (N, d).
        limit: what a batch may hold; a number is L, its tokens.
        weight: λ in [0, 1]: likeness against use of space. The paper gives no value; 0.8 had the
            fewest cross-batch pairs, at no more calls, on three corpora and three limits.

    Raises:
        ValueError: the limit or the weight is out of range.
    """
    limits = Limits(limit) if isinstance(limit, int) else limit
    if not 0 <= weight <= 1:
        raise ValueError(f"weight {weight} must be within [0, 1], whatever the limit")
    costs = limits.costs(np.asarray(tokens))
    packing = _Packing(features.shape[1], limits, weight)
    sized = [(int(costs[list(members)].sum()), sorted(members)) for members in clusters if members]
    for total, members in sorted(sized, key=lambda each: (-each[0], each[1][0])):
        centroid = _centroid(members, costs, features)
        if limits.hold(total, len(members)):
            packing.join(members, total, centroid)
        else:
            for piece in in_order(members, costs, limits):
                packing.open(piece, int(costs[piece].sum()), centroid)
    return [sorted(batch) for batch in packing.batches]


class _Packing:
    """The batches so far, with their centroids and sizes as arrays that grow by doubling."""

    def __init__(self, dimensions: int, limits: Limits, weight: float) -> None:
        self.batches: list[list[int]] = []
        self._limits = limits
        self._weight = weight
        self._centroids = np.zeros((_ROOM, dimensions))
        self._norms = np.zeros(_ROOM)
        self._tokens = np.zeros(_ROOM)
        self._passages = np.zeros(_ROOM, dtype=np.int64)

    def join(self, members: list[int], total: int, centroid: Floats) -> None:
        """Put a cluster into the best batch it fits into, or into a new one."""
        fits = self._with_room(total, len(members))
        if not len(fits):
            self.open(members, total, centroid)
            return
        used = self._tokens[fits] + total
        dots = self._centroids[fits] @ centroid
        lengths = self._norms[fits] * np.linalg.norm(centroid)
        cosines = np.divide(dots, lengths, out=np.zeros(len(fits)), where=lengths > 0)
        scores = self._weight * cosines + (1 - self._weight) * used / self._limits.tokens
        at = int(np.argmax(scores))
        best = int(fits[at])
        share = self._tokens[best] / used[at] if used[at] else 0.5
        self.batches[best].extend(members)
        self._set(best, share * self._centroids[best] + (1 - share) * centroid, used[at])

    def open(self, members: list[int], total: int, centroid: Floats) -> None:
        """Start a batch."""
        count = len(self.batches)
        if count == len(self._tokens):
            self._grow()
        self.batches.append(list(members))
        self._set(count, centroid, total)

    def _with_room(self, total: int, passages: int) -> npt.NDArray[np.int64]:
        count = len(self.batches)
        fits = self._tokens[:count] + total <= self._limits.tokens
        if self._limits.passages is not None:
            fits &= self._passages[:count] + passages <= self._limits.passages
        return np.flatnonzero(fits)

    def _set(self, batch: int, centroid: Floats, tokens: float) -> None:
        self._centroids[batch] = centroid
        self._norms[batch] = np.linalg.norm(centroid)
        self._tokens[batch] = tokens
        self._passages[batch] = len(self.batches[batch])

    def _grow(self) -> None:
        self._centroids = np.concatenate([self._centroids, np.zeros_like(self._centroids)])
        self._norms = np.concatenate([self._norms, np.zeros_like(self._norms)])
        self._tokens = np.concatenate([self._tokens, np.zeros_like(self._tokens)])
        self._passages = np.concatenate([self._passages, np.zeros_like(self._passages)])


def _centroid(members: list[int], tokens: Integers, features: Floats) -> Floats:
    weights = np.maximum(tokens[members], 1).astype(np.float64)
    mean: Floats = weights @ features[members].astype(np.float64) / weights.sum()
    return mean
