"""Writing the vectors of a build, the embedder that made them, and the clusters over them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.corpus.clusters import Clusters, cluster, features, nearest
from tools.corpus.corpus import Corpus
from tools.corpus.embed import Carried, by_text, save_vectors, space
from tools.corpus.embedder import new_embedder
from tools.corpus.layout import Generation
from tools.corpus.lexical import LexicalIndex
from tools.corpus.progress import Progress
from tools.corpus.settings import Endpoint
from tools.corpus.tables import ChunkTable
from tools.corpus.vectors import Vectors

__all__ = ("VectorBuild",)

_NONE = np.zeros((0, 0), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class VectorBuild:
    """Makes the vectors of one generation."""

    embedder: str
    """As in the settings."""
    endpoint: Endpoint
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
        rows = Vectors.load(generation.vectors).rows()
        self.progress("cluster", 0, len(rows))
        words = LexicalIndex.load(generation.lexical)
        found = self._clusters(features(rows, self.embedder, words), carried if kept else None)
        np.save(generation.clusters, found.labels)
        np.save(generation.centroids, found.centroids)
        self.progress("cluster", len(rows), len(rows))
        return int(rows.shape[1])

    def _embed(self, index: LexicalIndex, carried: Carried, generation: Generation) -> bool:
        """Write embedder and vectors; return whether a fitted space was taken over."""
        old = self._old_rows()
        if self.embedder == "lsa":
            fitted, kept = space(index, carried, self.old, self.fitted)
            fitted.save(generation.embedder)
            holding = carried if kept else carried.none()

            def embedding(chunks: NDArray[np.int64]) -> NDArray[np.float32]:
                return fitted.rows(index, chunks)

            save_vectors(generation.vectors, holding, old, embedding, self.progress, shared=True)
            return kept
        model = new_embedder(self.embedder, self.endpoint)
        texts = ChunkTable.load(generation.chunks).texts
        holding = carried if len(old) else carried.none()
        made = by_text(model, texts, self.progress)
        save_vectors(generation.vectors, holding, old, made, self.progress)
        model.save(generation.embedder)
        return False

    def _old_rows(self) -> NDArray[np.float32]:
        """Return the vectors of the generation before, where the same model made them."""
        if self.old is None or self.old.manifest.settings.embedder != self.embedder:
            return _NONE
        return self.old.vectors.rows()

    def _clusters(self, rows: NDArray[np.float32], carried: Carried | None) -> Clusters:
        """Cluster the rows; where their space is the old one, only the new chunks are placed."""
        if carried is None or self.old is None:
            return cluster(rows)
        labels = np.asarray(self.old.clusters)[carried.places]
        fresh = np.flatnonzero(carried.places < 0)
        labels[fresh] = nearest(rows[fresh], self.old.centroids)
        return Clusters(labels, self.old.centroids)
