"""Words: how a text becomes them, and a corpus's own, their inflections and other spellings.

A word is a maximal run of letters, digits and underscores, lower-cased, so that `non-compete` is
two; of letters that no spaces part (Chinese, Japanese, Korean, Thai, Arabic) it is an n-gram.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from agent.languages import ENGLISH, core, grams, has_unspaced, is_unspaced, runs, stems

_KEPT = 4096
"""Words whose forms are kept: each look at a million word forms takes tens of milliseconds, and a
question asks for those of its own words at every chunk that is judged."""
_ASCII = "".join(
    mark.lower() if mark.isalnum() or mark == "_" else " " for mark in map(chr, range(128))
)
"""What stands for each character of ASCII: itself in a word, lower-cased, else a blank."""


def words(text: str) -> list[str]:
    """Split text into lower-cased words, in order, repeats kept.

    >>> words("A Non-Compete clause (§ 3.1)")
    ['a', 'non', 'compete', 'clause', '3', '1']
    >>> words("Straße ÉTÉ snake_case it's …")
    ['straße', 'été', 'snake_case', 'it', 's']
    >>> words("解除合同")
    ['解', '解除', '除', '除合', '合', '合同', '同']
    """
    if text.isascii():  # most texts: the same words in half of the time
        return text.translate(_ASCII).split()
    found = runs(text)
    if not has_unspaced(text):
        return found
    return list(chain.from_iterable(grams(w) if is_unspaced(w) else (w,) for w in found))


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

    def __init__(
        self, table: pl.DataFrame, chunks: int, languages: Sequence[str] = (ENGLISH,)
    ) -> None:
        self._table = table
        self._size = chunks
        self.languages = tuple(languages)
        """Those of the documents, that of most of them first."""
        self._stems_in = lru_cache(maxsize=None)(self._stemmed)
        self._column = lru_cache(_KEPT)(lambda word: int(self.places([word])[0]))
        self._inflections = lru_cache(_KEPT)(self._inflected)
        self._spellings = lru_cache(_KEPT)(self._spelt)

    def __len__(self) -> int:
        return len(self._table)

    @cached_property
    def vocabulary(self) -> list[str]:
        """The word forms, sorted; a word's place is its column."""
        forms: list[str] = self._table["word"].to_list()
        return forms

    @property
    def stems(self) -> pl.Series:
        """The word forms' stems in the main language, in the vocabulary's order."""
        return self._stems_in(self.languages[0])

    def _stemmed(self, language: str) -> pl.Series:
        if language == ENGLISH:
            return self._table["stem"]
        return pl.Series(stems(self.vocabulary, language), dtype=pl.String)

    def forms(self, columns: NDArray[np.integer[Any]]) -> list[str]:
        """Return the word forms of the given columns, in their order."""
        found: list[str] = self._table["word"].gather(columns).to_list()
        return found

    def places(self, forms: Sequence[str]) -> NDArray[np.int64]:
        """Return the column of each word form, -1 where it is unknown: of many at once."""
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
        """Return in how many chunks the word form stands; of letters in sequence at most."""
        if has_unspaced(word):
            return min(map(self._chunks_with, words(word)))
        return self._chunks_with(word.lower())

    def _chunks_with(self, form: str) -> int:
        column = self.column(form)
        return int(self.document_frequency[column]) if column >= 0 else 0

    def inflections(self, word: str) -> tuple[str, ...]:
        """Return the corpus's word forms that share the word's stem, most frequent first."""
        return self._inflections(word.lower())

    def inflections_in(self, word: str, language: str) -> tuple[str, ...]:
        """Return the forms of `inflections` in documents of one language."""
        return self._ranked(dict.fromkeys(self._sharing(word.lower(), language), 0))

    def _inflected(self, word: str) -> tuple[str, ...]:
        if is_unspaced(word):
            letters = core(word, self.languages)
            return (letters,) if self.frequency(letters) else ()
        found = (form for each in self.languages for form in self._sharing(word, each))
        return self._ranked(dict.fromkeys(found, 0))

    def _sharing(self, word: str, language: str) -> list[str]:
        """Return the forms that share the word's stem in a language.

        Snowball takes a stem for a verb's, which its plural is not (`loyer`, `loyers`): so the stem
        itself is a form too, and what has the word for its stem, but in English.
        """
        (stem,) = stems([word], language)
        wanted = [stem] if language == ENGLISH else [stem, word]
        forms = self.forms(self._stems_in(language).is_in(wanted).arg_true().to_numpy())
        if language != ENGLISH:
            forms.append(stem)
        return [form for form in forms if self.stands_in(form, language)]

    def stands_in(self, form: str, language: str) -> bool:
        """Tell whether a word form stands in a document of a language of the corpus."""
        column = self.column(form)
        if column < 0 or language not in self.languages:
            return False
        one = len(self.languages) == 1
        return one or self._stands_in(column, self.languages.index(language))

    def _stands_in(self, column: int, language: int) -> bool:
        """Tell whether a word form of a corpus of several languages stands in one of them."""
        return language in self._table["languages"][column]

    def spellings(self, word: str) -> tuple[str, ...]:
        """Return the corpus's word forms within a small edit distance, nearest first.

        The distance is optimal string alignment: at most 1 for words of 4 to 7 letters, 2 from 8
        letters on. Shorter words, words with digits and letters in sequence have no other spelling.
        """
        return self._spellings(word.lower())

    def _spelt(self, word: str) -> tuple[str, ...]:
        if is_unspaced(word):
            return (word,) if self.frequency(word) else ()
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
