"""Words and phrases of a list, found by postings where they can be and by a scan where they must.

A phrase is found by the intersection of its words' postings, then by a scan of what is left for the
words side by side. White space, line breaks and hyphens between the words are all the same, so
`non-compete`, `non compete` and a `non-` at a line's end before `compete` are one.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

from pyroaring import BitMap

from tools.corpus.words.tokenizer import words
from tools.filters.bitmaps import bitmap
from tools.filters.scan import Pattern, escaped, scan, whole
from tools.filters.searchable import Searchable

__all__ = ("Forms", "Search", "chunks_with", "itself", "search")

Forms = Callable[[str], Iterable[str]]
"""Which word forms stand for a lower-cased word."""

_GAP = r"[\s\p{Pd}\u{AD}]"
_GAPS = re.compile("[\\s\u00ad\u2010-\u2015-]+")
_PARTS = re.compile(r"\w+|\W+")
_WORD = re.compile(r"\w+")


def itself(word: str) -> tuple[str, ...]:
    """Return the word as its only form."""
    return (word,)


@dataclass(frozen=True, slots=True)
class Search:
    """How the chunks with a phrase are found."""

    groups: tuple[tuple[str, ...], ...]
    """The forms of each of its words: a chunk must hold one of every group as a word."""
    pattern: Pattern | None
    """What such a chunk must match besides; None where the words decide."""


def search(phrase: str, forms: Forms) -> Search:
    """Return how a phrase is found, each of its words in any of its forms."""
    groups = {word: tuple(dict.fromkeys((word, *forms(word)))) for word in words(phrase)}
    alone = _WORD.fullmatch(phrase) is not None
    return Search(tuple(groups.values()), None if alone else _pattern(phrase, groups))


def chunks_with(corpus: Searchable, candidates: BitMap, asked: Search) -> BitMap:
    """Return the candidates that a search finds."""
    held = (_any_of(corpus, group) for group in asked.groups)
    within = reduce(BitMap.intersection, held, candidates)
    if asked.pattern is None or not within:
        return within.copy()
    return scan(corpus, within, asked.pattern)


def _any_of(corpus: Searchable, forms: Sequence[str]) -> BitMap:
    return BitMap.union(BitMap(), *(bitmap(corpus.lexical.postings(form)) for form in forms))


def _pattern(phrase: str, groups: dict[str, tuple[str, ...]]) -> Pattern:
    """Return the phrase's pattern: words as alternatives, gaps alike, other signs as they are."""
    text = _GAPS.sub(" ", phrase).strip().lower()
    return Pattern("(?i)" + whole(text, "".join(_part(p, groups) for p in _PARTS.findall(text))))


def _part(part: str, groups: dict[str, tuple[str, ...]]) -> str:
    if part in groups:
        return "(?:" + "|".join(escaped(form) for form in groups[part]) + ")"
    if part == " ":
        return _GAP + "+"
    return "".join(_GAP + "*" if sign == " " else escaped(sign) for sign in part)
