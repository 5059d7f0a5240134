"""Which candidates belong together: a sparse graph of likeness and of nearness in a document."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.batching.candidates import Candidates
from tools.corpus.embeddings.unit import unit_rows

__all__ = ("Affinity", "affinity")

_NEIGHBOURS = 32
_POOL = 4096
_BLOCK = 1024
_WINDOW = 8


@dataclass(frozen=True, slots=True, eq=False)
class Affinity:
    """A symmetric graph over n candidates in compressed rows, without loops."""

    starts: NDArray[np.int64]
    """Where each row begins, (n + 1,)."""
    near: NDArray[np.int32]
    """The neighbours, row after row."""
    weights: NDArray[np.float64]
    """The strength of each edge, above 0."""

    def __len__(self) -> int:
        """Return n."""
        return len(self.starts) - 1

    def row(self, place: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Return a candidate's neighbours and how strongly each belongs to it."""
        span = slice(self.starts[place], self.starts[place + 1])
        return self.near[span], self.weights[span]


def affinity(
    candidates: Candidates, *, bond: float, neighbours: int = _NEIGHBOURS, window: int = _WINDOW
) -> Affinity:
    """Return how strongly candidates belong into one batch.

    Two candidates weigh max(0, cos)³ if one is among the other's nearest, and `bond` more if they
    are of one document with at most 8 candidates from one to the other. The cube lets a few close
    chunks outweigh many that merely share a vocabulary: those are what may name the same entity.

    Memory is n · neighbours. Up to 4,096 candidates all are compared with all; beyond, each with
    the 4,096 of its own and the nearest offline clusters.
    """
    from scipy.sparse import coo_matrix

    size = (len(candidates), len(candidates))
    edges = list(_nearest(candidates, neighbours))
    rows, columns, weights = (np.concatenate(each) for each in zip(*edges, strict=True))
    graph = coo_matrix((weights, (rows, columns)), shape=size).tocsr()
    graph = graph.maximum(graph.T)
    if bond:
        graph = graph + _bonds(candidates.documents, bond, window)
    graph = graph.tocsr()
    graph.sort_indices()
    return Affinity(
        graph.indptr.astype(np.int64),
        graph.indices.astype(np.int32),
        graph.data.astype(np.float64),
    )


_Edges = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


def _nearest(candidates: Candidates, neighbours: int) -> Iterator[_Edges]:
    """Yield edges from candidates to their nearest, in blocks."""
    features = unit_rows(candidates.features)
    yield np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    for members, pool in _pools(candidates, features):
        for start in range(0, len(members), _BLOCK):
            block = members[start : start + _BLOCK]
            yield _edges(features, block, pool, neighbours)


def _pools(
    candidates: Candidates, features: NDArray[np.float32]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield groups of candidates, each with the candidates that it is compared with."""
    every = np.arange(len(candidates))
    if len(every) <= _POOL:
        yield every, every
        return
    _, own, sizes = np.unique(candidates.clusters, return_inverse=True, return_counts=True)
    members = np.split(np.argsort(own, kind="stable"), np.cumsum(sizes)[:-1])
    centroids = unit_rows(np.array([features[each].mean(axis=0) for each in members]))
    for cluster, each in enumerate(members):
        likest = np.argsort(-(centroids @ centroids[cluster]), kind="stable")
        likest = np.concatenate(([cluster], likest[likest != cluster]))
        enough = int(np.searchsorted(np.cumsum(sizes[likest]), _POOL)) + 1
        yield each, np.concatenate([members[other] for other in likest[:enough]])


def _edges(
    features: NDArray[np.float32],
    block: NDArray[np.int64],
    pool: NDArray[np.int64],
    neighbours: int,
) -> _Edges:
    likeness = features[block] @ features[pool].T
    likeness[block[:, None] == pool[None, :]] = 0
    most = min(neighbours, len(pool))
    nearest = np.argpartition(-likeness, most - 1, axis=1)[:, :most]
    cosines = np.take_along_axis(likeness, nearest, axis=1).astype(np.float64)
    rows, kept = np.nonzero(cosines > 0)
    return block[rows], pool[nearest[rows, kept]], cosines[rows, kept] ** 3


def _bonds(documents: NDArray[np.int64], bond: float, window: int) -> Any:
    """Return the graph of the candidates that stand near one another in a document."""
    from scipy.sparse import csr_matrix

    rows, columns = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for step in range(1, min(window, len(documents) - 1) + 1):
        left = np.flatnonzero(documents[:-step] == documents[step:])
        rows += [left, left + step]
        columns += [left + step, left]
    row, column = np.concatenate(rows), np.concatenate(columns)
    size = (len(documents), len(documents))
    return csr_matrix((np.full(len(row), bond), (row, column)), shape=size)
