"""How coherent a retrieval is: one topic or several (ADF, section 4.2, and 4.3 for its parts).

All vectors are unit rows, (n, d). The measures are defined for every n, however small.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agent.ambiguity import Coherence, CoherenceState
from tools.clustering import Clustering, kmeans, silhouettes

__all__ = (
    "AMBIGNQ",
    "ASQA",
    "FEWEST",
    "RELEVANT",
    "Thresholds",
    "adaptive_k",
    "calibrate",
    "dispersion",
    "measure",
    "relevant_clusters",
    "separability",
    "state",
)

Vectors = NDArray[np.floating[Any]]

FEWEST: Final = 4
"""Below so many chunks k-means says nothing (ADF, section 7.2)."""
_LEAST: Final = 1e-6
RELEVANT: Final = 0.2
"""τrel: the cosine to the query that a cluster's centroid must reach (ADF, eq. 5).

Section 5.3.4 tells of the same 0.2 as a percentile of the retrievals; the equation is followed.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """From where on a retrieval is dispersed or separable."""

    dispersion: float
    """τvar."""
    separability: float
    """τsep."""
    questions: int = 0
    """From how many retrievals they were calibrated; 0 for published ones."""


AMBIGNQ: Final = Thresholds(dispersion=0.25, separability=0.10)
"""Published for AmbigNQ (ADF, section 7.1); they do not travel to other corpora and embedders."""
ASQA: Final = Thresholds(dispersion=0.15, separability=0.05)
"""Published for ASQA (ADF, section 7.1)."""


def dispersion(vectors: Vectors) -> float:
    """Return σ²var = 1/n · Σ ‖v_i - μ‖², μ being the mean (ADF, eq. 1); 0 of no vectors.

    In [0, 1] for unit vectors: it equals 1 - ‖μ‖².
    """
    if not len(vectors):
        return 0.0
    rows = np.asarray(vectors, dtype=np.float64)
    return float(((rows - rows.mean(axis=0)) ** 2).sum(axis=1).mean())


def separability(vectors: Vectors) -> float:
    """Return σsep, the mean silhouette of 2-means (ADF, eq. 2), in [-1, 1].

    It is 0, nothing being told apart, of fewer than four vectors and of vectors all alike.
    """
    if len(vectors) < FEWEST:
        return 0.0
    return float(silhouettes(vectors, kmeans(vectors, 2).labels).mean())


def state(var: float, sep: float, thresholds: Thresholds = AMBIGNQ) -> CoherenceState:
    """Return ambiguous if σsep ≥ τsep, else uncertain if σ²var ≥ τvar, else clear (ADF, eq. 3)."""
    if sep >= thresholds.separability:
        return "ambiguous"
    return "uncertain" if var >= thresholds.dispersion else "clear"


def measure(vectors: Vectors, thresholds: Thresholds = AMBIGNQ) -> Coherence:
    """Return dispersion, separability and the state that follows from them."""
    var, sep = dispersion(vectors), separability(vectors)
    return Coherence(dispersion=var, separability=sep, state=state(var, sep, thresholds))


def adaptive_k(n: int) -> int:
    """Return k = min(max(2, ⌊n/2⌋), 4), the number of clusters of n chunks (ADF, eq. 4)."""
    return min(max(2, n // 2), 4)


def relevant_clusters(
    query: Vectors, vectors: Vectors, least: float = RELEVANT
) -> tuple[NDArray[np.int64], ...]:
    """Return the members of each cluster with cos(query, centroid) ≥ least (ADF, eq. 5).

    Args:
        query: the query's unit vector, (d,).
        vectors: the retrieved chunks' vectors, parted into `adaptive_k` clusters.
        least: τrel.

    Returns:
        Row numbers, ascending in each cluster; the cluster nearest to the query comes first.
    """
    clusters = kmeans(vectors, adaptive_k(len(vectors)))
    cosines = _cosines(query, clusters)
    order = np.argsort(-cosines, kind="stable")
    return tuple(clusters.members[each] for each in order if cosines[each] >= least)


def calibrate(
    questions: Iterable[str],
    retrieve: Callable[[str], Vectors],
    *,
    quantile: float = 0.9,
) -> Thresholds:
    """Return thresholds at a quantile of what questions of the corpus itself measure.

    Questions made from headings, titles or sentences are about one thing each: what they measure
    is what clear retrievals look like here, with this embedder. A retrieval that is more dispersed
    or more separable than nine in ten of them stands out.

    Args:
        questions: such questions; see `tools.pseudo_questions`.
        retrieve: returns the unit vectors of the chunks that a question retrieves.
        quantile: the share of the questions that is below the thresholds.

    Returns:
        The published thresholds where fewer than four chunks are retrieved for every question.
        They are positive, so that chunks all alike never stand out.
    """
    retrieved = [rows for each in questions if len(rows := retrieve(each)) >= FEWEST]
    if not retrieved:
        return AMBIGNQ
    measured = np.array([(dispersion(rows), separability(rows)) for rows in retrieved])
    var, sep = np.maximum(np.quantile(measured, quantile, axis=0), _LEAST)
    return Thresholds(dispersion=float(var), separability=float(sep), questions=len(retrieved))


def _cosines(query: Vectors, clusters: Clustering) -> NDArray[np.float64]:
    """Return the cosines of the query and the centroids; 0 where either has no direction."""
    lengths = np.linalg.norm(clusters.centroids, axis=1) * np.linalg.norm(query)
    products = clusters.centroids @ np.asarray(query, dtype=np.float64)
    cosines: NDArray[np.float64] = products / np.where(lengths > 0, lengths, 1)
    return cosines
