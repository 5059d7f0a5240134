"""Small deterministic clusterings of vectors, and how well their clusters are parted."""

import warnings
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SEED = 0
_STARTS = 4
_SHARE = 256
"""Rows that scikit-learn gives a thread: of fewer the others only wait, long on a busy machine."""


@dataclass(frozen=True, slots=True, eq=False)
class Clustering:
    """n vectors in k clusters."""

    labels: NDArray[np.int32]
    """The cluster of each vector, (n,)."""
    centroids: NDArray[Any]
    """The clusters' means, not scaled to length 1, (k, d)."""

    @property
    def members(self) -> tuple[NDArray[np.int64], ...]:
        """The vectors of each cluster, ascending."""
        return tuple(np.flatnonzero(self.labels == each) for each in range(len(self.centroids)))


def kmeans(vectors: NDArray[np.floating[Any]], k: int) -> Clustering:
    """Part vectors into at most k clusters: k-means++, best of four starts, seeded.

    There are never more clusters than different vectors; they are numbered by their first member.
    """
    rows = np.asarray(vectors, dtype=np.float64)
    k = min(k, len(np.unique(rows, axis=0))) if len(rows) else 0
    if k <= 1:
        labels = np.zeros(len(rows), dtype=np.int32)
    else:
        from sklearn.cluster import KMeans

        model = KMeans(n_clusters=k, init="k-means++", n_init=_STARTS, random_state=_SEED)
        with _pools().limit(limits=1 if len(rows) <= _SHARE else None, user_api="openmp"):
            labels = _by_first(model.fit(rows).labels_)
    means = [rows[labels == each].mean(axis=0) for each in range(k)]
    return Clustering(labels, np.array(means).reshape(k, rows.shape[1]))


def gaussian_mixture(vectors: NDArray[np.floating[Any]], k: int) -> NDArray[np.int32]:
    """Return each vector's component of a mixture of at most k Gaussians, (n,).

    Covariances are diagonal, the start is k-means, seeded; components are numbered by their first
    member, and those that no vector is likeliest from are left out.
    """
    rows = np.asarray(vectors, dtype=np.float64)
    k = min(k, len(np.unique(rows, axis=0))) if len(rows) else 0
    if k <= 1:
        return np.zeros(len(rows), dtype=np.int32)
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture

    model = GaussianMixture(k, covariance_type="diag", random_state=_SEED)
    with warnings.catch_warnings():
        # A hundred rounds that do not settle still part the vectors.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return _by_first(model.fit_predict(rows))


def silhouettes(
    vectors: NDArray[np.floating[Any]], labels: NDArray[np.integer[Any]]
) -> NDArray[np.float64]:
    """Return each vector's silhouette s = (b - a) / max(a, b), in [-1, 1], (n,).

    a is the mean Euclidean distance to the other members of the vector's cluster, b the least mean
    distance to the members of another. It is 0 for the only member of a cluster, for vectors that
    coincide with both clusters, and where there is one cluster (Rousseeuw 1987).
    """
    if not 1 < len(np.unique(labels)) < len(labels):
        return np.zeros(len(labels))
    from sklearn.metrics import silhouette_samples

    found: NDArray[np.float64] = silhouette_samples(np.asarray(vectors, np.float64), labels)
    return found


@cache
def _pools() -> Any:
    """Return the pools of threads of what is loaded: scikit-learn's among them."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _by_first(labels: NDArray[np.int32]) -> NDArray[np.int32]:
    """Renumber clusters in the order of their first members."""
    _, first, own = np.unique(labels, return_index=True, return_inverse=True)
    numbers = np.empty(len(first), dtype=np.int32)
    numbers[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
    return numbers[own]
