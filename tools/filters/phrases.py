"""How phrases are found in texts: by the forms of their words, and by a pattern where those stand.

Patterns are in the syntax of Rust's engine, which takes linear time.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import polars as pl

from agent.languages import (
    UNSPACED,
    grams,
    has_unspaced,
    is_unspaced,
    lowered,
    parts,
    plain_run,
    run_pattern,
    runs,
)

Forms = Callable[[str], Iterable[str]]
"""Which word forms stand for a lower-cased word; for a run of letters, which of them."""
_GAP = r"[\s\p{Pd}\u{AD}]"
_GAPS = re.compile("[\\s\u00ad\u2010-\u2015-]+")
_LEFT, _RIGHT = rf"(?:^|[\W{UNSPACED}])", rf"(?:[\W{UNSPACED}]|$)"


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a text must hold."""

    text: str
    """A regular expression in Rust's syntax, or characters."""
    literal: bool = False
    """Whether it is characters, to be found as they are."""


def whole(text: str, pattern: str) -> str:
    """Return the pattern of a text, bound to the edges of words where the text ends in letters.

    Letters that no spaces part are found within others, and end a word that stands beside them.
    """
    left = _LEFT if re.match(rf"(?![{UNSPACED}])\w", text) else ""
    right = _RIGHT if re.search(rf"(?![{UNSPACED}])\w\Z", text) else ""
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
    """Return how a phrase is found, each of its words in any of its forms.

    Of a run of letters all n-grams must be there, and its letters in sequence: those of its form.
    """
    groups = {run: _forms(run, forms) for run in runs(phrase)}
    held: list[tuple[str, ...]] = []
    for run, group in groups.items():
        held += [(each,) for each in grams(group[0])] if is_unspaced(run) else [group]
    alone = re.fullmatch(r"\w+", lowered(phrase)) is not None and not has_unspaced(phrase)
    return Search(tuple(held), None if alone else _pattern(phrase, groups))


def _forms(run: str, forms: Forms) -> tuple[str, ...]:
    if is_unspaced(run):
        return (min((run, *forms(run)), key=len),)
    return tuple(dict.fromkeys((run, *forms(run))))


def _pattern(phrase: str, groups: dict[str, tuple[str, ...]]) -> Pattern:
    """Return the phrase's pattern: words as alternatives, gaps alike, other signs as they are."""
    text = lowered(_GAPS.sub(" ", phrase).strip())
    return Pattern("(?i)" + whole(text, "".join(_part(p, groups) for p in parts(text))))


def _part(part: str, groups: dict[str, tuple[str, ...]]) -> str:
    if is_unspaced(part):
        return run_pattern(groups[plain_run(part)][0])
    if part in groups:
        return "(?:" + "|".join(map(pl.escape_regex, groups[part])) + ")"
    if part == " ":
        return _GAP + "+"
    return "".join(_GAP + "*" if sign == " " else pl.escape_regex(sign) for sign in part)
