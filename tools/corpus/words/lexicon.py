"""The corpus's own vocabulary: its word forms, their inflections and other spellings."""

from collections import defaultdict
from functools import cached_property, lru_cache

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from agent.english import stems
from tools.corpus.words.lexical import Vocabulary

_KEPT = 4096
"""Words whose forms are kept: each look at a million word forms takes tens of milliseconds, and a
question asks for those of its own words at every chunk that is judged."""


class WordForms:
    """What a vocabulary knows of single words; satisfies `agent.corpus_view.Lexicon`."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._inflections = lru_cache(_KEPT)(self._inflected)
        self._spellings = lru_cache(_KEPT)(self._spelt)

    def frequency(self, word: str) -> int:
        """Return in how many chunks the word form stands."""
        column = self._vocabulary.column(word.lower())
        return int(self._vocabulary.document_frequency[column]) if column >= 0 else 0

    def inflections(self, word: str) -> tuple[str, ...]:
        """Return the corpus's word forms that share the word's stem, most frequent first."""
        return self._inflections(word.lower())

    def _inflected(self, word: str) -> tuple[str, ...]:
        (stem,) = stems([word])
        columns = (self._vocabulary.stems == stem).arg_true().to_numpy()
        return self._ranked(dict.fromkeys(self._vocabulary.forms(columns), 0))

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
        for form in self._vocabulary.vocabulary:
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
