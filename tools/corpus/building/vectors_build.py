"""Writing the vectors of a build, the embedder that made them, and the clusters over them."""

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from tools.clustering import Clustering
from tools.corpus.build_settings import Progress
from tools.corpus.building.part import Section
from tools.corpus.corpus import Corpus
from tools.corpus.document_table import ChunkTable
from tools.corpus.embeddings.embedder import new_embedder
from tools.corpus.embeddings.lsa import LsaEmbedder
from tools.corpus.embeddings.vectors import Vectors
from tools.corpus.generations import Generation
from tools.corpus.mapped_files import ArrayFile, mapped_bytes
from tools.corpus.processes import in_turn
from tools.corpus.words.lexical import LexicalIndex

_BATCH = 256
"""Texts that a pretrained model embeds at a time."""
_SMALL = 20_000
"""Below so many chunks an LSA space is fitted in seconds, and always."""
_DRIFT = 0.1
"""The share of the chunks that may change before the LSA space is fitted again."""

Embedding = Callable[[NDArray[np.int64]], NDArray[np.float32]]
"""Returns the unit rows of the given chunks."""
_BLOCK = 16_384
_MOST = 512
_EXACT = 5_000
"""Up to so many chunks plain k-means is as quick as mini-batches, and better."""
_FITTED = 100_000
_ROWS_AT_ONCE = 8_192
_SEED = 0


def places_before(sections: Sequence[Section]) -> NDArray[np.int64]:
    """Return the place of each chunk in the generation before, -1 where it is new, (N,)."""
    places = [
        np.asarray(each.chunks) if each.origin.before else np.full(len(each.chunks), -1)
        for each in sections
    ]
    return np.concatenate([np.zeros(0, np.int64), *places]).astype(np.int64)


def cluster_count(chunks: int) -> int:
    """Return k = √(N / 2), at least 1 and at most 512.

    >>> cluster_count(3), cluster_count(5000), cluster_count(10**7)
    (1, 50, 512)
    """
    return max(1, min(_MOST, chunks, round(math.sqrt(chunks / 2))))


def cluster(rows: NDArray[np.float32]) -> Clustering:
    """Cluster rows, (N, d), by seeded k-means; above 100,000 by the means of as large a sample."""
    if len(rows) > _FITTED:
        drawn = np.random.default_rng(_SEED).choice(len(rows), _FITTED, replace=False)
        centroids = _fitted(np.asarray(rows[np.sort(drawn)]), cluster_count(len(rows))).centroids
        return Clustering(nearest(rows, centroids), centroids)
    return _fitted(rows, cluster_count(len(rows)))


def nearest(rows: NDArray[np.float32], centroids: NDArray[np.float32]) -> NDArray[np.int32]:
    """Return the cluster of each row: that of the nearest mean."""
    half = (centroids**2).sum(axis=1) / 2

    def labels(first: int) -> NDArray[np.int32]:
        near = rows[first : first + _ROWS_AT_ONCE] @ centroids.T
        near -= half
        own: NDArray[np.int32] = near.argmax(axis=1).astype(np.int32)
        return own

    found = in_turn(labels, range(0, len(rows), _ROWS_AT_ONCE))
    return np.concatenate([np.zeros(0, np.int32), *found])


def _fitted(rows: NDArray[np.float32], k: int) -> Clustering:
    from sklearn.cluster import KMeans, MiniBatchKMeans
    from sklearn.exceptions import ConvergenceWarning

    if k < 2:
        mean = rows.mean(axis=0, keepdims=True) if len(rows) else np.zeros((1, rows.shape[1]))
        return Clustering(np.zeros(len(rows), dtype=np.int32), mean.astype(np.float32))
    settings = {"n_clusters": k, "init": "k-means++", "n_init": 1, "random_state": _SEED}
    method = KMeans(**settings) if len(rows) <= _EXACT else MiniBatchKMeans(**settings)
    with warnings.catch_warnings():
        # Fewer distinct chunks than clusters is no fault: some labels stay unused.
        warnings.simplefilter("ignore", ConvergenceWarning)
        labels: NDArray[np.int32] = method.fit_predict(rows).astype(np.int32)
    return Clustering(labels, method.cluster_centers_.astype(np.float32))


@dataclass(frozen=True, slots=True)
class VectorBuild:
    """Makes the vectors of one generation."""

    embedder: str
    """As in the settings."""
    old: Corpus | None
    places: NDArray[np.int64]
    """Where the chunks have theirs in the generation before, as `places_before` has it."""
    generation: Generation
    """Its words are indexed, and its tables written."""
    progress: Progress

    def save(self) -> int:
        """Write embedder, vectors and clusters; return the length of a vector."""
        self.progress("embed", 0, len(self.places))
        kept = self._save_lsa() if self.embedder == "lsa" else self._save_pretrained()
        vectors = Vectors.load(self.generation)
        self.progress("cluster", 0, len(vectors))
        found = self._clusters(vectors, kept=kept)
        np.save(self.generation.clusters, found.labels)
        np.save(self.generation.centroids, found.centroids)
        self.progress("cluster", len(vectors), len(vectors))
        return vectors.dimensions

    def _save_lsa(self) -> bool:
        index = LexicalIndex(self.generation.lexical)
        space, kept = self._space(index)
        space.save(self.generation.embedder)
        before = self.old.vectors if kept and self.old is not None else None
        self._save_rows(before, partial(space.rows, index), shared=True)
        return kept

    def _space(self, index: LexicalIndex) -> tuple[LsaEmbedder, bool]:
        """Return the LSA space, and whether it is the old one."""
        if self.old is not None and self.old.manifest.embedder == "lsa":
            chunks, carried = len(self.places), int((self.places >= 0).sum())
            space = self.old.embedder
            if chunks >= _SMALL and isinstance(space, LsaEmbedder):
                drift = space.drift + (chunks - carried) + (len(self.old) - carried)
                if drift <= _DRIFT * chunks:
                    return space.drifted(drift), True
        return LsaEmbedder.fit(index), False

    def _save_pretrained(self) -> bool:
        model = new_embedder(self.embedder)
        texts = ChunkTable(self.generation).texts(mapped_bytes(self.generation.text))

        def rows(chunks: NDArray[np.int64]) -> NDArray[np.float32]:
            made = []
            for start in range(0, len(chunks), _BATCH):
                batch = chunks[start : start + _BATCH]
                self.progress("embed", int(batch[0]), len(texts))
                made.append(model.embed(texts.gather(batch).to_list()))
            return np.concatenate(made)

        same = self.old is not None and self.old.manifest.settings.embedder == self.embedder
        before = self.old.vectors if self.old is not None and same else None
        self._save_rows(before, rows, shared=False)
        model.save(self.generation.embedder)
        return False

    def _save_rows(self, before: Vectors | None, embedding: Embedding, *, shared: bool) -> None:
        """Write the rows; `shared` lets threads embed."""
        every = np.arange(len(self.places))
        cuts = [every[start : start + _BLOCK] for start in range(0, len(every), _BLOCK)]
        work = partial(self._rows, before, embedding)
        made = in_turn(work, cuts) if shared else map(work, cuts)
        first, done = next(made), 0
        shape = len(every), first.shape[1]
        with ArrayFile(self.generation.vectors, shape, np.float32) as file:
            for rows in chain([first], made):
                file.append(rows)
                done += len(rows)
                self.progress("embed", done, len(every))

    def _rows(
        self, before: Vectors | None, embedding: Embedding, chunks: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return the rows of the given chunks, some taken over and some made."""
        places = self.places[chunks]
        fresh = places < 0
        if before is None or fresh.all():
            return embedding(chunks)
        rows = np.empty((len(chunks), before.dimensions), dtype=np.float32)
        rows[~fresh] = before.rows(places[~fresh])
        if fresh.any():
            rows[fresh] = embedding(chunks[fresh])
        return rows

    def _clusters(self, vectors: Vectors, *, kept: bool) -> Clustering:
        """Cluster the rows; where their space is the old one, only the new chunks are placed."""
        if self.old is not None and kept:
            labels = np.asarray(self.old.clusters)[self.places]
            fresh = np.flatnonzero(self.places < 0)
            labels[fresh] = nearest(vectors.rows(fresh), self.old.centroids)
            return Clustering(labels, self.old.centroids)
        rows = vectors.rows()
        if self.embedder != "lsa":
            words = LexicalIndex(self.generation.lexical)
            rows = np.hstack((rows, LsaEmbedder.fit(words, dimensions=64).rows(words)))
        return cluster(rows)
