"""How phrases are found in texts: by the forms of their words, and by a pattern where those stand.

Patterns are in the syntax of Rust's engine, which takes linear time.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tools.corpus.words.tokenizer import words

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
