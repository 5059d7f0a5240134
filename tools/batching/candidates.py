"""The candidates of a question as batching sees them: sizes, features, clusters, documents."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from tools.corpus.embeddings.unit import unit_rows

if TYPE_CHECKING:
    from tools.corpus.embeddings.vectors import Vectors
    from tools.corpus.words.lexical import LexicalIndex

__all__ = ("Candidates", "ChunkFeatures", "Part")

Part = Literal["tf-idf", "embedding"]
_SKETCH = 512
_SEED = 0


class ChunkFeatures(Protocol):
    """The part of a corpus that batching looks at."""

    clusters: NDArray[np.int32]
    """The offline cluster of each chunk, (N,)."""
    lexical: "LexicalIndex"
    """The words of each chunk."""
    vectors: "Vectors"
    """The embedding of each chunk."""

    @property
    def chunk_tokens(self) -> NDArray[np.int32]:
        """Each chunk's estimated tokens, (N,)."""
        ...

    @property
    def chunk_document(self) -> NDArray[np.int32]:
        """The document of each chunk, (N,)."""
        ...


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Candidates:
    """n chunks that are to be judged, in document order."""

    ids: NDArray[np.int64]
    """The chunks, ascending, (n,)."""
    tokens: NDArray[np.int64]
    """Each chunk's tokens, (n,)."""
    features: NDArray[np.float32]
    """Rows that are near where chunks are alike, (n, d)."""
    clusters: NDArray[np.int64]
    """Each chunk's offline cluster, (n,)."""
    documents: NDArray[np.int64]
    """Each chunk's document, (n,)."""
    by_document: bool = False
    """Whether documents are what is counted: then two chunks of one document, and they alone, are
    certain to be about the same entity."""

    @classmethod
    def of(
        cls,
        corpus: ChunkFeatures,
        ids: Iterable[int],
        *,
        by_document: bool = False,
        parts: Collection[Part] = get_args(Part),
    ) -> "Candidates":
        """Take candidates from a corpus, with features TF-IDF ⊕ embedding (DFA, A.3).

        Each part is scaled to length 1, so that the cosine of two rows is the mean of the parts'
        cosines. TF-IDF is sketched to 512 dimensions: every word adds to one of them, with a sign,
        both drawn by a seeded generator; expected cosines are those of the full rows.
        """
        chunks = np.asarray(sorted(ids), dtype=np.int64)
        blocks = []
        if "tf-idf" in parts:
            blocks.append(_tf_idf(corpus.lexical, chunks))
        if "embedding" in parts:
            blocks.append(unit_rows(corpus.vectors.rows(chunks)))
        return cls(
            ids=chunks,
            tokens=corpus.chunk_tokens[chunks].astype(np.int64),
            features=unit_rows(np.hstack(blocks)),
            clusters=np.asarray(corpus.clusters)[chunks].astype(np.int64),
            documents=corpus.chunk_document[chunks].astype(np.int64),
            by_document=by_document,
        )

    def __len__(self) -> int:
        """Return n."""
        return len(self.ids)

    def without_clusters(self) -> "Candidates":
        """Return the same candidates, each a cluster of its own."""
        return replace(self, clusters=np.arange(len(self), dtype=np.int64))

    def chunks(self, batches: Iterable[Iterable[int]]) -> list[list[int]]:
        """Return batches of places as batches of chunk ids, each in document order."""
        return [[int(self.ids[place]) for place in sorted(batch)] for batch in batches]


def _tf_idf(index: "LexicalIndex", chunks: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return sketched unit TF-IDF rows: (1 + ln tf) · (ln((1 + N) / (1 + n)) + 1)."""
    counts = index.rows(chunks).astype(np.float32)
    held = index.document_frequency
    idf = np.log((1 + len(index.lengths)) / (1 + held)) + 1
    counts.data = ((1 + np.log(counts.data)) * idf[counts.indices]).astype(np.float32)
    return unit_rows(np.asarray((counts @ _sketch(counts.shape[1])).todense()))


def _sketch(words: int) -> Any:
    """Return the matrix (words, 512) that adds each word to one dimension with a sign."""
    from scipy.sparse import csr_matrix

    drawn = np.random.default_rng(_SEED)
    dimensions = drawn.integers(0, _SKETCH, words)
    signs = drawn.choice(np.array([-1, 1], dtype=np.float32), words)
    return csr_matrix((signs, (np.arange(words), dimensions)), shape=(words, _SKETCH))
