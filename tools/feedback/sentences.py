"""Chunks and their sentences as weighted words: what a ranker learns from and scores.

A row is TF-IDF, (1 + ln tf) · (ln((1 + N) / (1 + n)) + 1), scaled to length 1. A clause of one
sentence is lost in the row of a whole chunk, so that both are kept: chunks for all of the corpus,
on the arrays of the lexical index, and sentences for the chunks that are asked for, with a cache.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tools.corpus.chunking.chunker import sentences
from tools.corpus.processes.threads import in_turn
from tools.corpus.words.tokenizer import words

__all__ = ("Lexical", "Sentences", "Texts")

_CACHED = 20_000
_BLOCK = 4_000_000
"""Counts that are weighted at once, or those of one word: what is at work stays small."""


class Lexical(Protocol):
    """The lexical index: counts of V word forms in N chunks."""

    def places(self, forms: Sequence[str]) -> NDArray[np.int64]:
        """Return the column of each word form, -1 where it is unknown."""
        ...

    @property
    def document_frequency(self) -> NDArray[np.int64]:
        """In how many chunks each word form stands, (V,)."""
        ...

    @property
    def stems(self) -> Iterable[str]:
        """The word forms' stems, in the columns' order."""
        ...

    @property
    def matrix(self) -> Any:
        """The counts as a SciPy CSC matrix, (N, V)."""
        ...


class Texts(Protocol):
    """A corpus of N chunks with their words."""

    def __len__(self) -> int:
        """Return N."""
        ...

    @property
    def lexical(self) -> Lexical:
        """The lexical index."""
        ...

    def chunk_text(self, chunk: int) -> str:
        """Return a chunk's text."""
        ...


class Sentences:
    """The rows of one corpus; conditions share it."""

    def __init__(self, corpus: Texts) -> None:
        self._corpus = corpus
        self._known: dict[int, Any] = {}
        held = corpus.lexical.document_frequency
        self._idf = (np.log((1 + len(corpus)) / (1 + held)) + 1).astype(np.float32)

    def __len__(self) -> int:
        """Return the number of chunks, N."""
        return len(self._corpus)

    @cached_property
    def chunks(self) -> Any:
        """All chunks' rows, a CSC matrix (N, V) on the index's own places."""
        from scipy.sparse import csc_matrix

        counts = self._corpus.lexical.matrix
        weights, squares = np.empty(counts.nnz, dtype=np.float32), np.zeros(len(self))
        most = int(counts.data.max(initial=1))
        logs = 1 + np.log(np.maximum(np.arange(most + 1, dtype=np.float32), 1))

        def weighted(columns: slice, span: slice) -> NDArray[Any]:
            block = weights[span]
            np.take(logs, counts.data[span], out=block, mode="clip")
            sizes = np.diff(counts.indptr[columns.start : columns.stop + 1])
            block *= np.repeat(self._idf[columns], sizes)
            return np.bincount(counts.indices[span], weights=block**2, minlength=len(self))

        def shortened(span: slice) -> None:
            weights[span] /= np.take(lengths, counts.indices[span])

        blocks = list(_blocks(counts.indptr))
        for own in in_turn(lambda block: weighted(*block), blocks):
            squares += own
        lengths = np.sqrt(squares).astype(np.float32)
        for _ in in_turn(shortened, (span for _, span in blocks)):
            pass
        return csc_matrix((weights, counts.indices, counts.indptr), shape=counts.shape, copy=False)

    @cached_property
    def stems(self) -> Any:
        """Which stem each word form has, a CSR matrix (V, stems) of ones."""
        import polars as pl
        from scipy.sparse import csr_matrix

        # Not numpy's `unique`: there a word takes as much room as the longest of all.
        ranks = pl.Series(self._corpus.lexical.stems, dtype=pl.String).rank("dense").to_numpy()
        columns = ranks.astype(np.int64) - 1
        ones, starts = np.ones(len(columns), dtype=np.float32), np.arange(len(columns) + 1)
        width = int(columns.max()) + 1 if len(columns) else 0
        return csr_matrix((ones, columns, starts), shape=(len(columns), width))

    def of(self, chunk: int) -> Any:
        """Return a row for each sentence of a chunk that has words, a CSR matrix (n, V)."""
        rows = self._known.get(chunk)
        if rows is None:
            if len(self._known) >= _CACHED:
                self._known.clear()
            rows = self._known[chunk] = self.rows(self._corpus.chunk_text(chunk))
        return rows

    def rows(self, text: str) -> Any:
        """Return a row for each sentence of a text that has words of the corpus, (n, V)."""
        from scipy.sparse import csr_matrix

        cut = [words(text[start:end]) for start, end in sentences(text)]
        forms = list(dict.fromkeys(chain.from_iterable(cut)))
        found_at = self._corpus.lexical.places(forms).tolist()
        columns = {form: at for form, at in zip(forms, found_at, strict=True) if at >= 0}
        places: list[int] = []
        counts: list[int] = []
        starts = [0]
        for sentence in cut:
            found = Counter(columns[word] for word in sentence if word in columns)
            if found:
                places.extend(found.keys())
                counts.extend(found.values())
                starts.append(len(places))
        shape = (len(starts) - 1, len(self._idf))
        data = 1 + np.log(np.array(counts, dtype=np.float32))
        return self._unit(csr_matrix((data, np.array(places, dtype=np.int32), starts), shape=shape))

    def _unit(self, rows: Any) -> Any:
        rows.data *= self._idf[rows.indices]
        owner = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
        squares = np.bincount(owner, weights=rows.data**2, minlength=rows.shape[0])
        rows.data /= np.sqrt(squares).astype(np.float32)[owner]
        return rows


def _blocks(starts: NDArray[np.integer[Any]]) -> Iterator[tuple[slice, slice]]:
    """Yield word after word in blocks of counts: which words, and where their counts stand."""
    cuts = np.searchsorted(starts, np.arange(0, int(starts[-1]), _BLOCK))
    for first, stop in pairwise([*np.unique(cuts).tolist(), len(starts) - 1]):
        yield slice(first, stop), slice(int(starts[first]), int(starts[stop]))
