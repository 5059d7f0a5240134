"""Greedy semantic-aware batching (DFA, appendix A.3, algorithm 1) and its two measures.

Chunks that are likely to name the same entities should meet in one call of the model: fewer calls
are made, and fewer names have to be compared between calls.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

__all__ = ("candidate_pairs", "cluster_candidates", "greedy_batches", "llm_calls", "similar_pairs")

Floats = npt.NDArray[np.floating]
Integers = npt.NDArray[np.integer]

_ROOM = 64
_BLOCK = 1024


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
    limit: int,
    weight: float = 0.8,
) -> list[list[int]]:
    """Pack clusters into batches of at most `limit` tokens; every chunk is in exactly one.

    A cluster above the limit is split, in document order, into batches of its own. The others,
    largest first, each join the batch that they fit into with the highest score (5),

        S(K, B) = λ · cos(μ_K, μ̄(B)) + (1 − λ) · (T(B) + T(K)) / L,

    whose centroid then becomes the token-weighted mean (6); a cluster that fits nowhere opens a
    batch. A chunk above the limit is a batch of its own. Chunks of a batch are in document order.

    Args:
        clusters: disjoint groups of chunk ids.
        tokens: tokens of every chunk of the corpus, shape (N,).
        features: a row for every chunk of the corpus, shape (N, d).
        limit: L, the tokens a batch may hold, at least 1.
        weight: λ in [0, 1]: likeness against use of space. The paper gives no value; 0.8 had the
            fewest cross-batch pairs, at no more calls, on three corpora and three limits.

    Raises:
        ValueError: the limit or the weight is out of range.
    """
    if limit < 1 or not 0 <= weight <= 1:
        raise ValueError(f"limit {limit} must be positive, weight {weight} within [0, 1]")
    packing = _Packing(features.shape[1], limit, weight)
    sized = [(int(tokens[list(members)].sum()), sorted(members)) for members in clusters if members]
    for total, members in sorted(sized, key=lambda each: (-each[0], each[1][0])):
        centroid = _centroid(members, tokens, features)
        if total > limit:
            for piece in _split(members, tokens, limit):
                packing.open(piece, int(tokens[piece].sum()), centroid)
        else:
            packing.join(members, total, centroid)
    return [sorted(batch) for batch in packing.batches]


def llm_calls(batches: Sequence[Sequence[int]]) -> int:
    """Return LC, the calls that judging takes: one for each batch that holds a chunk."""
    return sum(bool(batch) for batch in batches)


def candidate_pairs(batches: Sequence[Sequence[int]], pairs: Iterable[tuple[int, int]]) -> int:
    """Return CP, how many of the pairs of chunks are compared across batches.

    Pairs within a batch cost nothing: the model sees both chunks at once.

    Args:
        batches: the plan.
        pairs: chunks that may name the same entity, such as those of `similar_pairs` or, where
            labels are known, all pairs of chunks that share an entity.

    >>> candidate_pairs([[1, 2], [3]], [(1, 2), (1, 3), (2, 3)])
    2
    """
    place = {chunk: number for number, batch in enumerate(batches) for chunk in batch}
    return sum(place[a] != place[b] for a, b in pairs if a in place and b in place)


def similar_pairs(
    ids: Sequence[int], features: Floats, *, cosine: float = 0.5
) -> list[tuple[int, int]]:
    """Return the pairs of chunks whose features have at least this cosine, smaller id first."""
    chunks = np.asarray(sorted(ids), dtype=np.int64)
    rows = _unit(features[chunks])
    found: list[tuple[int, int]] = []
    for start in range(0, len(chunks), _BLOCK):
        near = rows[start : start + _BLOCK] @ rows.T >= cosine
        for left, right in np.argwhere(np.triu(near, k=start + 1)):
            found.append((int(chunks[start + left]), int(chunks[right])))
    return found


class _Packing:
    """The batches so far, with their centroids and sizes as arrays that grow by doubling."""

    def __init__(self, dimensions: int, limit: int, weight: float) -> None:
        self.batches: list[list[int]] = []
        self._limit = limit
        self._weight = weight
        self._centroids = np.zeros((_ROOM, dimensions))
        self._norms = np.zeros(_ROOM)
        self._tokens = np.zeros(_ROOM)

    def join(self, members: list[int], total: int, centroid: Floats) -> None:
        """Put a cluster into the best batch it fits into, or into a new one."""
        count = len(self.batches)
        used = self._tokens[:count] + total
        fits = np.flatnonzero(used <= self._limit)
        if not len(fits):
            self.open(members, total, centroid)
            return
        dots = self._centroids[fits] @ centroid
        lengths = self._norms[fits] * np.linalg.norm(centroid)
        cosines = np.divide(dots, lengths, out=np.zeros(len(fits)), where=lengths > 0)
        scores = self._weight * cosines + (1 - self._weight) * used[fits] / self._limit
        best = int(fits[np.argmax(scores)])
        share = self._tokens[best] / used[best] if used[best] else 0.5
        self.batches[best].extend(members)
        self._set(best, share * self._centroids[best] + (1 - share) * centroid, used[best])

    def open(self, members: list[int], total: int, centroid: Floats) -> None:
        """Start a batch."""
        count = len(self.batches)
        if count == len(self._tokens):
            self._grow()
        self.batches.append(list(members))
        self._set(count, centroid, total)

    def _set(self, batch: int, centroid: Floats, tokens: float) -> None:
        self._centroids[batch] = centroid
        self._norms[batch] = np.linalg.norm(centroid)
        self._tokens[batch] = tokens

    def _grow(self) -> None:
        self._centroids = np.concatenate([self._centroids, np.zeros_like(self._centroids)])
        self._norms = np.concatenate([self._norms, np.zeros_like(self._norms)])
        self._tokens = np.concatenate([self._tokens, np.zeros_like(self._tokens)])


def _centroid(members: list[int], tokens: Integers, features: Floats) -> Floats:
    weights = np.maximum(tokens[members], 1).astype(np.float64)
    mean: Floats = weights @ features[members].astype(np.float64) / weights.sum()
    return mean


def _split(members: list[int], tokens: Integers, limit: int) -> list[list[int]]:
    """Cut a cluster in order, each piece as full as it goes; too large a chunk stands alone."""
    pieces: list[list[int]] = []
    room = 0
    for chunk in members:
        size = int(tokens[chunk])
        if not pieces or size > room:
            pieces.append([])
            room = limit
        pieces[-1].append(chunk)
        room -= size
    return pieces


def _unit(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Floats = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit
