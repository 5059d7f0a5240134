"""What a filter needs of a corpus: texts to scan, postings, vectors, metadata by document."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from agent.corpus import CorpusView

if TYPE_CHECKING:
    import polars as pl

    from tools.engines.engine import Engine

__all__ = ("Embedder", "Postings", "Searchable", "Similarity", "WordForms", "WordList", "Worded")


class WordList(Protocol):
    """All word forms of a corpus."""

    @property
    def vocabulary(self) -> Sequence[str]:
        """The word forms, sorted."""
        ...


class WordForms(Protocol):
    """What stands for a word in a corpus."""

    def frequency(self, word: str) -> int:
        """Return in how many chunks the word form stands."""
        ...

    def inflections(self, word: str) -> tuple[str, ...]:
        """Return the corpus's word forms that share the word's stem."""
        ...

    def spellings(self, word: str) -> tuple[str, ...]:
        """Return the corpus's word forms within a small edit distance."""
        ...


class Worded(Protocol):
    """A corpus whose words are known, wherever its texts lie."""

    @property
    def lexicon(self) -> WordForms:
        """What stands for a word."""
        ...

    @property
    def lexical(self) -> WordList:
        """Its word forms."""
        ...


class Postings(WordList, Protocol):
    """The lexical index: which chunks hold which word forms."""

    def postings(self, word: str) -> NDArray[np.int32]:
        """Return the chunks that hold a word form, ascending."""
        ...

    def bm25(self, query: str | Sequence[str]) -> NDArray[np.float64]:
        """Return every chunk's BM25Okapi score, (N,)."""
        ...


class Similarity(Protocol):
    """The chunks' vectors."""

    def similarity(
        self, query: NDArray[np.float32], chunks: NDArray[np.integer[Any]] | None = None, /
    ) -> NDArray[np.float32]:
        """Return the exact cosine of the query vector and each of the chunks, or of all."""
        ...

    def reach(
        self,
        query: NDArray[np.float32],
        chunks: NDArray[np.int64],
        /,
        *,
        count: int | None,
        least: float | None,
    ) -> NDArray[np.int64]:
        """Return the chunks that alone can be among the nearest, or reach a cosine; or more."""
        ...


class Embedder(Protocol):
    """What turned the chunks' texts into vectors, and turns queries into the same space."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows, (n, d); a zero row where a text has nothing the embedder knows."""
        ...


class Searchable(CorpusView, Protocol):
    """A corpus that can be searched; chunks are numbered 0 to N - 1."""

    @property
    def texts(self) -> "pl.Series":
        """The chunks' texts, in the order of their ids."""
        ...

    @property
    def chunk_document(self) -> NDArray[np.int32]:
        """The index of each chunk's document, (N,)."""
        ...

    @property
    def lexical(self) -> Postings:
        """The lexical index."""
        ...

    @property
    def vectors(self) -> Similarity:
        """The chunks' vectors."""
        ...

    @property
    def embedder(self) -> Embedder:
        """The embedder of those vectors."""
        ...

    @property
    def engine(self) -> "Engine":
        """What evaluates predicates over the chunks."""
        ...
