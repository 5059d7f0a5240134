"""The corpus's own vocabulary: its word forms, their inflections and other spellings."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from agent.english import stems

if TYPE_CHECKING:
    import polars as pl

_KEPT = 4096
"""Words whose forms are kept: each look at a million word forms takes tens of milliseconds, and a
question asks for those of its own words at every chunk that is judged."""


class Vocabulary:
    """All V word forms of a corpus of N chunks, sorted, with their stems and frequencies.

    Satisfies `agent.corpus_view.Lexicon`.

    Word frequencies weigh as in rank-bm25's `BM25Okapi` with k1 = 1.5, b = 0.75 and epsilon = 0.25:
    idf = ln(N - n + 0.5) - ln(n + 0.5), and a negative idf (a word of more than half of the chunks)
    becomes epsilon times the mean idf.
    """

    k1 = 1.5
    b = 0.75
    epsilon = 0.25

    def __init__(self, table: "pl.DataFrame", chunks: int) -> None:
        self._table = table
        self._size = chunks
        self._column = lru_cache(_KEPT)(lambda word: int(self.places([word])[0]))
        self._inflections = lru_cache(_KEPT)(self._inflected)
        self._spellings = lru_cache(_KEPT)(self._spelt)

    def __len__(self) -> int:
        """Return the number of word forms, V."""
        return len(self._table)

    @cached_property
    def vocabulary(self) -> list[str]:
        """The word forms, sorted; a word's place is its column."""
        forms: list[str] = self._table["word"].to_list()
        return forms

    @property
    def stems(self) -> "pl.Series":
        """The word forms' stems, in the vocabulary's order."""
        return self._table["stem"]

    def forms(self, columns: NDArray[np.integer[Any]]) -> list[str]:
        """Return the word forms of the given columns, in their order."""
        found: list[str] = self._table["word"].gather(columns).to_list()
        return found

    def places(self, forms: Sequence[str]) -> NDArray[np.int64]:
        """Return the column of each word form, -1 where it is unknown: of many at once."""
        import polars as pl

        if not len(self):
            return np.full(len(forms), -1, dtype=np.int64)
        held, asked = self._table["word"], pl.Series(forms, dtype=pl.String)
        found = held.search_sorted(asked).to_numpy().astype(np.int64)
        nearest = np.minimum(found, len(self) - 1)
        return np.where((held.gather(nearest) == asked).to_numpy(), nearest, -1)

    def column(self, word: str) -> int:
        """Return the column of a word form, -1 where it is unknown."""
        return self._column(word)

    @cached_property
    def document_frequency(self) -> NDArray[np.int64]:
        """In how many chunks each word form stands, (V,)."""
        return self._table["held"].to_numpy().astype(np.int64)

    @cached_property
    def idf(self) -> NDArray[np.float64]:
        """BM25Okapi's inverse document frequency of each word form, (V,)."""
        held = self.document_frequency
        idf: NDArray[np.float64] = np.log(self._size - held + 0.5) - np.log(held + 0.5)
        idf[idf < 0] = self.epsilon * idf.mean() if len(idf) else 0
        return idf

    @cached_property
    def smooth_idf(self) -> NDArray[np.float32]:
        """The idf of TF-IDF rows, ln((1 + N) / (1 + n)) + 1, of each word form, (V,)."""
        idf = np.log((1 + self._size) / (1 + self.document_frequency)) + 1
        return idf.astype(np.float32)

    def frequency(self, word: str) -> int:
        """Return in how many chunks the word form stands."""
        column = self.column(word.lower())
        return int(self.document_frequency[column]) if column >= 0 else 0

    def inflections(self, word: str) -> tuple[str, ...]:
        """Return the corpus's word forms that share the word's stem, most frequent first."""
        return self._inflections(word.lower())

    def _inflected(self, word: str) -> tuple[str, ...]:
        (stem,) = stems([word])
        columns = (self.stems == stem).arg_true().to_numpy()
        return self._ranked(dict.fromkeys(self.forms(columns), 0))

    def spellings(self, word: str) -> tuple[str, ...]:
        """Return the corpus's word forms within a small edit distance, nearest first.

        The distance is optimal string alignment: at most 1 for words of 4 to 7 letters, 2 from 8
        letters on. Shorter words, and words with digits, have no other spelling.
        """
        return self._spellings(word.lower())

    def _spelt(self, word: str) -> tuple[str, ...]:
        reach = _reach(word)
        near = [
            form
            for length in range(len(word) - reach, len(word) + reach + 1)
            for form in self._by_length.get(length, ())
        ]
        found = extract(word, near, scorer=OSA.distance, score_cutoff=reach, limit=None)
        distances = {form: int(distance) for form, distance, _ in found}
        if self.frequency(word):
            distances[word] = 0
        return self._ranked(distances)

    @cached_property
    def _by_length(self) -> dict[int, list[str]]:
        forms: defaultdict[int, list[str]] = defaultdict(list)
        for form in self.vocabulary:
            if form.isalpha():
                forms[len(form)].append(form)
        return forms

    def _ranked(self, distances: dict[str, int]) -> tuple[str, ...]:
        def place(form: str) -> tuple[int, int, str]:
            return distances[form], -self.frequency(form), form

        return tuple(sorted(distances, key=place))


def _reach(word: str) -> int:
    if not word.isalpha() or len(word) < 4:
        return 0
    return 1 if len(word) < 8 else 2
