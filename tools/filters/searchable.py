"""What a filter works on: a corpus that can be searched, sets of its chunks, and their ranking."""

from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from agent.corpus_view import CorpusView

if TYPE_CHECKING:
    import polars as pl


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


def bitmap(chunks: NDArray[np.integer[Any]]) -> BitMap:
    """Return an array of chunk ids as a set; by way of `array`, which is read without iterating.

    >>> bitmap(np.array([3, 1, 3]))
    BitMap([1, 3])
    """
    return BitMap(array("I", np.ascontiguousarray(chunks, dtype=np.uint32).tobytes()))


def ids(chunks: BitMap) -> NDArray[np.int64]:
    """Return a set's chunk ids, ascending, (n,).

    >>> ids(BitMap([5, 2]))
    array([2, 5])
    """
    return np.frombuffer(chunks.to_array(), dtype=np.uint32).astype(np.int64)


def exactly_one(**given: float | None) -> None:
    """Check that one of the arguments is set, not none and not several; raises ValueError."""
    if sum(value is not None for value in given.values()) != 1:
        raise ValueError("give exactly one of " + " and ".join(given))


def best(
    chunks: NDArray[np.int64],
    scores: NDArray[np.floating[Any]],
    *,
    count: int | None,
    least: float | None,
) -> BitMap:
    """Return the chunks of the highest scores; of equal scores, the lowest chunk ids.

    Args:
        chunks: chunk ids, ascending, (n,).
        scores: their scores, (n,).
        count: how many at most; None for all.
        least: the lowest score that is kept; None for any.
    """
    if least is not None:
        reached = scores >= least
        chunks, scores = chunks[reached], scores[reached]
    if count is not None and count < len(chunks):
        return bitmap(_highest(chunks, scores, count))
    return bitmap(chunks)


def _highest(
    chunks: NDArray[np.int64], scores: NDArray[np.floating[Any]], count: int
) -> NDArray[np.int64]:
    """Return the chunks above the count-th highest score, and the lowest ids of those at it."""
    least = np.partition(scores, len(scores) - count)[len(scores) - count]
    above, at = chunks[scores > least], chunks[scores == least]
    return np.concatenate((above, at[: count - len(above)]))


def holding(corpus: Searchable, words: Iterable[str]) -> BitMap:
    """Return the chunks of the corpus that hold at least one of the words, as written."""
    return BitMap.union(BitMap(), *(bitmap(corpus.lexical.postings(word)) for word in words))
