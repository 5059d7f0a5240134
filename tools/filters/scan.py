"""Scanning chunk texts with a regular expression that takes linear time.

Polars runs Rust's regex engine over the memory-mapped texts. Up to a hundredth of the corpus the
candidates are gathered and scanned on one core. Up to a quarter they are picked by a mask, which
costs a look at every chunk but less for each that is taken, and scanned streaming over all cores.
Above it, the whole column is scanned so, and the result is cut to the candidates: picking more than
a quarter costs more than reading all.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from tools.corpus.corpus import Corpus
from tools.corpus.words.tokenizer import words
from tools.filters.searchable import bitmap, holding, ids

if TYPE_CHECKING:
    import polars as pl

_GATHERED = 0.01
_PICKED = 0.25
Forms = Callable[[str], Iterable[str]]
"""Which word forms stand for a lower-cased word."""
_GAP = r"[\s\p{Pd}\u{AD}]"
_GAPS = re.compile("[\\s\u00ad\u2010-\u2015-]+")
_PARTS = re.compile(r"\w+|\W+")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a text must hold."""

    text: str
    """A regular expression in Rust's syntax, or characters."""
    literal: bool = False
    """Whether it is characters, to be found as they are."""


def scan(corpus: Corpus, candidates: BitMap, pattern: Pattern) -> BitMap:
    """Return the candidates whose text the pattern matches somewhere.

    Raises:
        polars.exceptions.ComputeError: the pattern is not one of Rust's regex syntax.
    """
    import polars as pl

    texts = corpus.texts
    if len(candidates) < _GATHERED * len(texts):
        chunks = ids(candidates)
        matched = texts.gather(chunks).str.contains(pattern.text, literal=pattern.literal)
        return bitmap(chunks[matched.to_numpy()])
    if len(candidates) < _PICKED * len(texts):
        chunks, taken = ids(candidates), np.zeros(len(texts), dtype=bool)
        taken[chunks] = True
        return bitmap(chunks[_streamed(texts.filter(pl.Series(taken)), pattern)])
    return bitmap(_streamed(texts, pattern)) & candidates


def escaped(text: str) -> str:
    """Return a pattern that matches the text literally."""
    import polars as pl

    return pl.escape_regex(text)


def whole(text: str, pattern: str) -> str:
    r"""Return the pattern of a text, bound to the edges of words where the text ends in letters.

    >>> whole("C++", r"C\+\+")
    '\\bC\\+\\+'
    """
    left = r"\b" if re.match(r"\w", text) else ""
    right = r"\b" if re.search(r"\w\Z", text) else ""
    return f"{left}{pattern}{right}"


def _streamed(texts: "pl.Series", pattern: Pattern) -> NDArray[np.uint32]:
    """Return the places of the texts that the pattern matches, ascending."""
    import polars as pl

    matches = pl.col("text").str.contains(pattern.text, literal=pattern.literal)
    frame = texts.alias("text").to_frame().lazy().with_row_index("place")
    found = frame.filter(matches).select("place").collect(engine="streaming")
    return np.asarray(found["place"].to_numpy())


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


def chunks_with(corpus: Corpus, candidates: BitMap, asked: Search) -> BitMap:
    """Return the candidates that a search finds."""
    held = (holding(corpus, group) for group in asked.groups)
    within = reduce(BitMap.intersection, held, candidates)
    if asked.pattern is None or not within:
        return within.copy()
    return scan(corpus, within, asked.pattern)


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
