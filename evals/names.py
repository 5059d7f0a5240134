"""Names and words compared: when two names are the same, and how near two texts are."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from rapidfuzz.distance import Prefix

_NOT_WORD = re.compile(r"[\W_]+")


def normal_name(name: str) -> str:
    """Return a name without case, accents, punctuation, an address in <> and a leading `the`.

    >>> normal_name("Łukasz  Langa <lukasz@python.org>"), normal_name("The State of N.Y.")
    ('łukasz langa', 'state of n y')
    """
    bare = re.sub(r"<[^>]*>", " ", name)
    decomposed = unicodedata.normalize("NFKD", bare.casefold())
    letters = "".join(char for char in decomposed if not unicodedata.combining(char))
    plain = _NOT_WORD.sub(" ", letters).strip()
    return plain.removeprefix("the ")


class DocumentNames:
    """The documents of a corpus, found by full name or by the last part where that is unique.

    A corpus names a document by its path below the indexed folder, without suffix; a question
    file often gives the last part only.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._full = {name: index for index, name in enumerate(names)}
        last = Counter(_last(name) for name in names)
        self._last = {
            _last(name): index for index, name in enumerate(names) if last[_last(name)] == 1
        }

    def find(self, name: str) -> int | None:
        """Return the document's index, or None where no document has that name."""
        index = self._full.get(name)
        return index if index is not None else self._last.get(_last(name))

    def indices(self, names: Iterable[str]) -> set[int]:
        """Return the indices of the names that are known."""
        return {index for index in map(self.find, names) if index is not None}

    def keys(self, names: Iterable[str]) -> set[str]:
        """Return comparable keys: `#index` where known, else the name, so that none is lost."""
        found = ((name, self.find(name)) for name in names)
        return {name if index is None else f"#{index}" for name, index in found}


def _last(name: str) -> str:
    return name.rsplit("/", 1)[-1]


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


def without(text: str, other: str) -> str:
    """Return the words of a text that another text lacks."""
    known = set(tokens(other))
    return " ".join(word for word in tokens(text) if word not in known)


def token_f1(one: str, other: str) -> float:
    """Return the F1 of the words of two texts, as bags; two texts without a word are the same.

    >>> token_f1("the red house", "a blue house"), token_f1("the red house", "red")
    (0.5, 0.6666666666666666)
    """
    said, reference = Counter(tokens(one)), Counter(tokens(other))
    if not said and not reference:
        return 1.0
    return 2 * (said & reference).total() / (said.total() + reference.total())


def departure(asked: str, meant: str) -> str:
    """Return the words of one text where it departs from another; all where it only leaves out.

    >>> departure("Which are large?", "Which are 5 m or longer?")
    '5 m or longer'
    """
    before, after = (text.rstrip("?. ").split() for text in (asked, meant))
    start = _common(before, after)
    end = len(after) - _common(before[start:][::-1], after[start:][::-1])
    return " ".join(after[start:end]) or meant


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words both begin with."""
    return Prefix.similarity([*map(str.casefold, one)], [*map(str.casefold, other)])
