"""Writing the vectors of a build, the embedder that made them, and the clusters over them."""

import math
import shutil
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tools.corpus.build_settings import Progress
from tools.corpus.building.sections import Section
from tools.corpus.checksums import damaged, save_sums
from tools.corpus.corpus import Corpus
from tools.corpus.document_table import ChunkTable
from tools.corpus.embeddings.embedder import Embedder, new_embedder
from tools.corpus.embeddings.lsa import LsaEmbedder
from tools.corpus.embeddings.vectors import Vectors
from tools.corpus.generations import Generation, flush
from tools.corpus.mapped_files import (
    ArrayFile,
    mapped_bytes,
    share,
    stored,
    worth_sharing,
    write_behind,
)
from tools.corpus.processes import in_turn
from tools.corpus.words.lexical import LexicalIndex

if TYPE_CHECKING:
    import polars as pl

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


@dataclass(frozen=True, slots=True)
class Carried:
    """Where the chunks of a build were in the generation before."""

    places: NDArray[np.int64]
    """For each chunk its place there, or -1 where it is new, (N,)."""
    gone: int
    """How many chunks of that generation are no longer there."""

    @classmethod
    def of(cls, sections: Sequence[Section], before: int) -> "Carried":
        """Number the sections' chunks; `before` is how many there were."""
        places = [
            np.asarray(each.chunks) if each.origin.before else np.full(len(each.chunks), -1)
            for each in sections
        ]
        numbered = np.concatenate([np.zeros(0, np.int64), *places]).astype(np.int64)
        return cls(numbered, before - int((numbered >= 0).sum()))

    @property
    def changed(self) -> int:
        """How many chunks came or went."""
        return int((self.places < 0).sum()) + self.gone


def space(
    index: LexicalIndex, carried: Carried, previous: Corpus | None, kept: Path
) -> tuple[LsaEmbedder, bool]:
    """Return the LSA space of a build, and whether it is that of the generation before.

    One that is fitted is saved at `kept`, whole or not at all, from where a build that was killed
    takes it up.
    """
    is_fitted = previous is not None and previous.manifest.embedder == "lsa"
    old = previous.embedder if previous is not None and is_fitted else None
    if isinstance(old, LsaEmbedder):
        drift = old.drift + carried.changed
        if len(carried.places) >= _SMALL and drift <= _DRIFT * len(carried.places):
            return old.drifted(drift), True
    if damaged(kept):
        shutil.rmtree(kept, ignore_errors=True)
        drafted = kept.with_name(f"{kept.name}.new")
        shutil.rmtree(drafted, ignore_errors=True)
        LsaEmbedder.fit(index).save(drafted)
        save_sums(drafted)
        flush(drafted)
        drafted.replace(kept)
    return LsaEmbedder.load(kept), False


def by_text(embedder: Embedder, texts: "pl.Series", progress: Progress) -> Embedding:
    """Return the embedding of the texts' chunks by a model that embeds texts."""

    def rows(chunks: NDArray[np.int64]) -> NDArray[np.float32]:
        made = []
        for start in range(0, len(chunks), _BATCH):
            batch = chunks[start : start + _BATCH]
            progress("embed", int(batch[0]), len(texts))
            made.append(embedder.embed(texts.gather(batch).to_list()))
        return np.concatenate(made)

    return rows


@dataclass(frozen=True, slots=True)
class VectorsFile:
    """The vectors of one build."""

    carried: Carried
    """Which chunks have theirs in the generation before."""
    before: Vectors | None
    """Those of the generation before; without them all are made."""
    embedding: Embedding
    """Makes the others."""
    progress: Progress
    shared: bool = False
    """Whether threads may embed blocks side by side."""

    def save(self, generation: Generation) -> None:
        """Write the rows, those made before by sharing their file where that is worth it."""
        known = int((self.carried.places >= 0).sum())
        total = len(self.carried.places)
        path = None if self.before is None else self.before.path
        if self.before is None or path is None or not worth_sharing(known, stored(path)):
            self._save_all(generation.vectors)
        else:
            self._save_behind(path, self.before.slots, generation)
        self.progress("embed", total, total)

    def _save_all(self, path: Path) -> None:
        total = len(self.carried.places)
        blocks = self._blocks(np.arange(total))
        first = next(blocks)
        with ArrayFile(path, (total, first.shape[1]), np.float32) as file:
            file.append(first)
            for made in blocks:
                file.append(made)

    def _save_behind(
        self, before: Path, slots: NDArray[np.integer[Any]], generation: Generation
    ) -> None:
        share(before, generation.vectors)
        places = self.carried.places
        fresh = np.flatnonzero(places < 0)
        behind = stored(generation.vectors)
        placed = np.zeros(len(places), dtype=np.int32)
        placed[places >= 0] = slots[places[places >= 0]]
        placed[fresh] = np.arange(behind, behind + len(fresh))
        write_behind(generation.vectors, behind, self._blocks(fresh))
        np.save(generation.slots, placed)

    def _blocks(self, chunks: NDArray[np.int64]) -> Iterator[NDArray[np.float32]]:
        """Yield the rows of the given chunks, block by block."""
        cuts = [chunks[start : start + _BLOCK] for start in range(0, len(chunks), _BLOCK)]
        done = 0
        for made in in_turn(self._rows, cuts) if self.shared else map(self._rows, cuts):
            self.progress("embed", done, len(self.carried.places))
            yield made
            done += len(made)

    def _rows(self, chunks: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the rows of the given chunks, some taken over and some made."""
        places = self.carried.places[chunks]
        fresh = places < 0
        if self.before is None or fresh.all():
            return self.embedding(chunks)
        rows = np.empty((len(chunks), self.before.dimensions), dtype=np.float32)
        rows[~fresh] = self.before.rows(places[~fresh])
        if fresh.any():
            rows[fresh] = self.embedding(chunks[fresh])
        return rows


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
        near = rows[first : first + _ROWS_AT_ONCE] @ centroids.T
        near -= half
        own: NDArray[np.int32] = near.argmax(axis=1).astype(np.int32)
        return own

    found = in_turn(labels, range(0, len(rows), _ROWS_AT_ONCE))
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


@dataclass(frozen=True, slots=True)
class VectorBuild:
    """Makes the vectors of one generation."""

    embedder: str
    """As in the settings."""
    old: Corpus | None
    fitted: Path
    """Where a fitted LSA space is kept until the build is done."""
    progress: Progress

    def save(self, carried: Carried, generation: Generation) -> int:
        """Write embedder, vectors and clusters of an indexed generation; return the length.

        The words are let go before the vectors are mapped: together they would be the most memory.
        """
        self.progress("embed", 0, len(carried.places))
        kept = self._embed(LexicalIndex.load(generation.lexical), carried, generation)
        vectors = Vectors.load(generation)
        self.progress("cluster", 0, len(vectors))
        found = self._clusters(vectors, generation, carried if kept else None)
        np.save(generation.clusters, found.labels)
        np.save(generation.centroids, found.centroids)
        self.progress("cluster", len(vectors), len(vectors))
        return vectors.dimensions

    def _embed(self, index: LexicalIndex, carried: Carried, generation: Generation) -> bool:
        """Write embedder and vectors; return whether a fitted space was taken over."""
        if self.embedder == "lsa":
            fitted, kept = space(index, carried, self.old, self.fitted)
            fitted.save(generation.embedder)
            before = self._before() if kept else None

            def embedding(chunks: NDArray[np.int64]) -> NDArray[np.float32]:
                return fitted.rows(index, chunks)

            VectorsFile(carried, before, embedding, self.progress, shared=True).save(generation)
            return kept
        model = new_embedder(self.embedder)
        texts = ChunkTable.load(generation).texts(mapped_bytes(generation.text))
        embed = by_text(model, texts, self.progress)
        VectorsFile(carried, self._before(), embed, self.progress).save(generation)
        model.save(generation.embedder)
        return False

    def _before(self) -> Vectors | None:
        """Return the vectors of the generation before, where the same model made them."""
        if self.old is None or self.old.manifest.settings.embedder != self.embedder:
            return None
        return self.old.vectors

    def _clusters(
        self, vectors: Vectors, generation: Generation, carried: Carried | None
    ) -> Clusters:
        """Cluster the rows; where their space is the old one, only the new chunks are placed."""
        if carried is None or self.old is None:
            words = LexicalIndex.load(generation.lexical)
            return cluster(features(vectors.rows(), self.embedder, words))
        labels = np.asarray(self.old.clusters)[carried.places]
        fresh = np.flatnonzero(carried.places < 0)
        labels[fresh] = nearest(vectors.rows(fresh), self.old.centroids)
        return Clusters(labels, self.old.centroids)
