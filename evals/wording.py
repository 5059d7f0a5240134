"""How much of a reference an answer's words cover: token F1, D-F1, ROUGE-L, DR-F1 (ADF, 5.2)."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final

from rapidfuzz.distance import LCSseq

__all__ = ("FUNCTION_WORDS", "d_f1", "dr_f1", "rouge_l", "token_f1", "tokens")

_WORD = re.compile(r"[^\W_]+(?:[.,][0-9]+)*")
_ARTICLES = frozenset(("a", "an", "the"))
_FUNCTION_WORDS = """
about after all and any are as at be been before between but by can did do does each either every
for from had has have how in into is it its least less many more most neither no none nor not of on
only or other over per since so some such than that their them then there these they this those to
under until up was were what when where which while who whose with within without
"""
FUNCTION_WORDS: Final = _ARTICLES | frozenset(_FUNCTION_WORDS.split())
"""English words that name nothing."""
COVERED = 0.5
"""The token F1 from which on a reading counts as answered (ADF, 5.2.1)."""


def tokens(text: str) -> list[str]:
    """Return the words of a text after normalisation: no case, punctuation or articles.

    Compatible characters are one, and a number keeps its point or commas.

    >>> tokens("The PEPs, of which 1,024 are “Final”!")
    ['peps', 'of', 'which', '1,024', 'are', 'final']
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return [word for word in _WORD.findall(folded) if word not in _ARTICLES]


def token_f1(prediction: str, references: Sequence[str]) -> float:
    """Return the F1 of the words, as bags, against the reference that is nearest; 0 without one.

    Two texts without a word are the same.

    >>> token_f1("the red house", ["a blue house", "red"])
    0.6666666666666666
    """
    said = Counter(tokens(prediction))
    return max((_f1(said, Counter(tokens(each))) for each in references), default=0.0)


def d_f1(predictions: Sequence[str], readings: Sequence[Sequence[str]]) -> float:
    """Return D-F1: the share of readings that are answered (ADF, 5.2.1).

    Args:
        predictions: the answer; where it keeps its readings apart, one text for each.
        readings: the answers that are right for each reading; one is covered where a prediction
            has a token F1 of at least 0.5 against any of them.

    >>> d_f1(["in 1815", "in 1870"], [["1815"], ["1870"], ["1914"]])
    0.6666666666666666
    """
    if not readings:
        return 0.0
    covered = [
        any(token_f1(each, references) >= COVERED for each in predictions)
        for references in readings
    ]
    return sum(covered) / len(covered)


def rouge_l(prediction: str, references: Sequence[str]) -> float:
    """Return ROUGE-L: the F1 of the longest common subsequence of words, to the nearest reference.

    Precision and recall weigh the same; words are not stemmed (Lin, 2004).

    >>> rouge_l("police killed the gunman", ["police kill gunman"])
    0.6666666666666666
    """
    said = tokens(prediction)
    return max((_subsequence_f1(said, tokens(each)) for each in references), default=0.0)


def dr_f1(coverage: float, overlap: float) -> float:
    """Return DR-F1 = √(D-F1 · ROUGE-L) (ADF, equation 7).

    >>> dr_f1(0.5, 0.5), dr_f1(1.0, 0.0)
    (0.5, 0.0)
    """
    return float((coverage * overlap) ** 0.5)


def _f1(said: Counter[str], reference: Counter[str]) -> float:
    if not said and not reference:
        return 1.0
    return 2 * (said & reference).total() / (said.total() + reference.total())


def _subsequence_f1(said: Sequence[str], reference: Sequence[str]) -> float:
    if not said and not reference:
        return 1.0
    return 2 * LCSseq.similarity(said, reference) / (len(said) + len(reference))
