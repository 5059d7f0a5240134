"""Writing the vectors of a build, the embedder that made them, and the clusters over them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.corpus.building.embed import Carried, Embedding, by_text, space
from tools.corpus.building.vectors_file import VectorsFile
from tools.corpus.corpus import Corpus
from tools.corpus.embeddings.clusters import Clusters, cluster, features, nearest
from tools.corpus.embeddings.embedder import new_embedder
from tools.corpus.embeddings.vectors import Vectors
from tools.corpus.progress import Progress
from tools.corpus.settings import Endpoint
from tools.corpus.storage.layout import Generation
from tools.corpus.storage.tables import ChunkTable
from tools.corpus.words.lexical import LexicalIndex

__all__ = ("VectorBuild",)


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

            self._save(carried, before, embedding, generation, shared=True)
            return kept
        model = new_embedder(self.embedder, self.endpoint)
        texts = ChunkTable.load(generation).texts
        self._save(carried, self._before(), by_text(model, texts, self.progress), generation)
        model.save(generation.embedder)
        return False

    def _save(
        self,
        carried: Carried,
        before: Vectors | None,
        embedding: Embedding,
        generation: Generation,
        *,
        shared: bool = False,
    ) -> None:
        holding = carried.none() if before is None else carried
        VectorsFile(holding, before, embedding, self.progress, shared).save(generation)

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
