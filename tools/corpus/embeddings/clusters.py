"""Offline clusters of the chunks, made once at index time for batching and exploration.

The features are the embedder's unit rows; where the embedder is not LSA, 64 dimensions of TF-IDF
reduced by LSA stand beside them with equal weight, so that shared words count as well as sense.
"""

import math
import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tools.corpus.embeddings.lsa import LsaEmbedder
from tools.corpus.processes.threads import in_turn
from tools.corpus.words.lexical import LexicalIndex

__all__ = ("Clusters", "cluster", "cluster_count", "features", "nearest")

_MOST = 512
_EXACT = 5_000
"""Up to so many chunks plain k-means is as quick as mini-batches, and better."""
_FITTED = 100_000
_BLOCK = 8_192
_SEED = 0


def features(
    vectors: NDArray[np.float32], embedder: str, index: LexicalIndex
) -> NDArray[np.float32]:
    """Return the rows that are clustered, (N, d)."""
    if embedder == "lsa":
        return vectors
    return np.hstack((vectors, LsaEmbedder.fit(index, dimensions=64).rows(index)))


def cluster_count(chunks: int) -> int:
    """Return k = √(N / 2), at least 1 and at most 512.

    >>> cluster_count(3), cluster_count(5000), cluster_count(10**7)
    (1, 50, 512)
    """
    return max(1, min(_MOST, chunks, round(math.sqrt(chunks / 2))))


class Clusters(NamedTuple):
    """Each row's cluster, and the mean of each cluster."""

    labels: NDArray[np.int32]
    centroids: NDArray[np.float32]


def cluster(rows: NDArray[np.float32]) -> Clusters:
    """Cluster rows, (N, d), by seeded k-means (k-means++, one start).

    Above 100,000 rows the means are those of a sample of that size, and each row is in the cluster
    of the nearest.
    """
    if len(rows) > _FITTED:
        drawn = np.random.default_rng(_SEED).choice(len(rows), _FITTED, replace=False)
        centroids = _fitted(np.asarray(rows[np.sort(drawn)]), cluster_count(len(rows))).centroids
        return Clusters(nearest(rows, centroids), centroids)
    return _fitted(rows, cluster_count(len(rows)))


def nearest(rows: NDArray[np.float32], centroids: NDArray[np.float32]) -> NDArray[np.int32]:
    """Return the cluster of each row: that of the nearest mean."""
    half = (centroids**2).sum(axis=1) / 2

    def labels(first: int) -> NDArray[np.int32]:
        near = rows[first : first + _BLOCK] @ centroids.T
        near -= half
        own: NDArray[np.int32] = near.argmax(axis=1).astype(np.int32)
        return own

    found = in_turn(labels, range(0, len(rows), _BLOCK))
    return np.concatenate([np.zeros(0, np.int32), *found])


def _fitted(rows: NDArray[np.float32], k: int) -> Clusters:
    from sklearn.cluster import KMeans, MiniBatchKMeans
    from sklearn.exceptions import ConvergenceWarning

    if k < 2:
        mean = rows.mean(axis=0, keepdims=True) if len(rows) else np.zeros((1, rows.shape[1]))
        return Clusters(np.zeros(len(rows), dtype=np.int32), mean.astype(np.float32))
    settings = {"n_clusters": k, "init": "k-means++", "n_init": 1, "random_state": _SEED}
    method = KMeans(**settings) if len(rows) <= _EXACT else MiniBatchKMeans(**settings)
    with warnings.catch_warnings():
        # Fewer distinct chunks than clusters is no fault: some labels stay unused.
        warnings.simplefilter("ignore", ConvergenceWarning)
        labels: NDArray[np.int32] = method.fit_predict(rows).astype(np.int32)
    return Clusters(labels, method.cluster_centers_.astype(np.float32))
