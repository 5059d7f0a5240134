"""The corpus's own vocabulary: its word forms, and words that keep company."""

import math
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agent.english import stems
from tools.corpus.words.lexical import LexicalIndex, Vocabulary

_KEPT = 4096
"""Words whose forms are kept: each look at a million word forms takes tens of milliseconds, and a
question asks for those of its own words at every chunk that is judged."""
_ENOUGH = 5
"""Fewer chunks than this say nothing about the company a word keeps."""
_COMMON = 0.25
"""A word of more than this share of the chunks keeps company with everything."""


class WordForms:
    """What a vocabulary knows of single words."""

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
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

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


class CorpusLexicon(WordForms):
    """What the lexical index knows of words; satisfies `agent.corpus_view.Lexicon`."""

    def __init__(self, index: LexicalIndex) -> None:
        super().__init__(index)
        self._index = index

    def related(self, words: Sequence[str], limit: int) -> tuple[tuple[str, float], ...]:
        """Return word forms that keep company with the words, with a weight in (0, 1].

        The company is counted over the chunks that hold every word, or an inflection of every
        word, or as many of them as it takes to have five such chunks. The weight is the geometric
        mean of the normalised pointwise mutual information (Bouma 2009) and Ochiai's cosine: the
        first alone favours rare words, the second frequent ones. Counts of a few chunks weigh
        less (the discount of Pantel and Lin 2002). One form a stem; no inflection of the words.
        """
        seeds = self._seeds([word.lower() for word in words])
        if len(seeds) < _ENOUGH:
            return ()
        weights = self._company(seeds)
        taken = set(stems([word.lower() for word in words]))
        found: list[tuple[str, float]] = []
        for column in np.argsort(-weights, kind="stable"):
            if weights[column] <= 0 or len(found) >= limit:
                break
            form, stem = self._index.vocabulary[column], self._index.stems[int(column)]
            if stem not in taken and (len(form) > 2 and form.isalpha()):
                taken.add(stem)
                found.append((form, round(float(weights[column]), 4)))
        return tuple(found)

    def _seeds(self, words: Sequence[str]) -> NDArray[np.int64]:
        exact = [(word,) for word in words if self.frequency(word)]
        inflected = [forms for word in words if (forms := self.inflections(word))]
        for at_least in range(len(words), 0, -1):
            for groups in (exact, inflected):
                seeds = self._index.matching(groups, at_least)
                if len(seeds) >= _ENOUGH:
                    return seeds
        return np.zeros(0, dtype=np.int64)

    def _company(self, seeds: NDArray[np.int64]) -> NDArray[np.float64]:
        chunks = len(self._index.lengths)
        held = self._index.document_frequency
        joint = np.bincount(self._index.rows(seeds).indices, minlength=len(held))
        least = max(3, math.ceil(0.02 * len(seeds)))
        fit = (joint >= least) & (held <= max(_ENOUGH, _COMMON * chunks)) & (joint < chunks)
        weights = np.zeros(len(held))
        together, alone = joint[fit] / chunks, held[fit] / chunks * (len(seeds) / chunks)
        information: NDArray[Any] = np.log(together / alone) / -np.log(together)
        cosine = joint[fit] / np.sqrt(held[fit] * float(len(seeds)))
        least_held = np.minimum(held[fit], len(seeds))
        discount = joint[fit] / (joint[fit] + 1) * least_held / (least_held + 1)
        weights[fit] = discount * np.sqrt(np.clip(information, 0, 1) * cosine)
        return weights
