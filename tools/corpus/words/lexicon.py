"""The corpus's own vocabulary: its word forms, and words that keep company."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.corpus.words.lexical import LexicalIndex
from tools.corpus.words.stems import stems
from tools.corpus.words.word_forms import WordForms

__all__ = ("CorpusLexicon",)

_ENOUGH = 5
"""Fewer chunks than this say nothing about the company a word keeps."""
_COMMON = 0.25
"""A word of more than this share of the chunks keeps company with everything."""


class CorpusLexicon(WordForms):
    """What the lexical index knows of words; satisfies `agent.corpus.Lexicon`."""

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
            if stem not in taken and _is_plain(form):
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
        joint = self._index.spread(seeds)
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


def _is_plain(form: str) -> bool:
    return len(form) > 2 and form.isalpha()
