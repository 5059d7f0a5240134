"""Offline clusters of the chunks, made once at index time for batching and exploration.

The features are the embedder's unit rows; where the embedder is not LSA, 64 dimensions of TF-IDF
reduced by LSA stand beside them with equal weight, so that shared words count as well as sense.
"""

import math
import warnings

import numpy as np
from numpy.typing import NDArray

from tools.corpus.lexical import LexicalIndex
from tools.corpus.lsa import LsaEmbedder

__all__ = ("cluster", "cluster_count", "features")

_MOST = 512
_EXACT = 5_000
"""Up to so many chunks plain k-means is as quick as mini-batches, and better."""
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


def cluster(rows: NDArray[np.float32]) -> NDArray[np.int32]:
    """Return each row's cluster by seeded k-means (k-means++, one start), (N,)."""
    from sklearn.cluster import KMeans, MiniBatchKMeans
    from sklearn.exceptions import ConvergenceWarning

    k = cluster_count(len(rows))
    if k < 2:
        return np.zeros(len(rows), dtype=np.int32)
    settings = {"n_clusters": k, "init": "k-means++", "n_init": 1, "random_state": _SEED}
    method = KMeans(**settings) if len(rows) <= _EXACT else MiniBatchKMeans(**settings)
    with warnings.catch_warnings():
        # Fewer distinct chunks than clusters is no fault: some labels stay unused.
        warnings.simplefilter("ignore", ConvergenceWarning)
        labels: NDArray[np.int32] = method.fit_predict(rows).astype(np.int32)
    return labels
