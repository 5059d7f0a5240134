"""Words of texts, compared: token F1 (ADF, 5.2)."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final

__all__ = ("FUNCTION_WORDS", "token_f1", "tokens")

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


def _f1(said: Counter[str], reference: Counter[str]) -> float:
    if not said and not reference:
        return 1.0
    return 2 * (said & reference).total() / (said.total() + reference.total())
