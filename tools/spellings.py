"""Patterns that tell at the speed of a scan which texts can hold a term, however it is spelled."""

import html.entities
from collections.abc import Sequence
from itertools import accumulate

from tools.filters.scan import Pattern

__all__ = ("UNLIKE", "cut_off", "plain")

_MOST = 1_000
"""Letters of all terms together, beyond which a pattern is no quicker than comparing letters."""
_GAP = "[^A-Za-z0-9]*"
_NO_LETTERS = (
    r"\x{80}-\x{A9}\x{AB}-\x{B1}\x{2000}-\x{206F}\x{2190}-\x{245F}\x{2500}-\x{2775}"
    r"\x{FE00}-\x{FE0F}\x{FEFF}"
)
"""Signs beyond ASCII without letters in them: the commonest punctuation, blanks and drawings."""


def _first(names: Sequence[str]) -> list[str]:
    """Return the names that begin with no other."""
    known = frozenset(names)
    return [name for name in sorted(names) if known.isdisjoint(list(accumulate(name))[:-1])]


UNLIKE = Pattern(
    rf"[^\x00-\x7F{_NO_LETTERS}]|\]\(|&(?:#[0-9xX]|{'|'.join(_first(tuple(html.entities.html5)))})"
)
"""What a text holds where its letters can differ from what stands there: a letter beyond ASCII,
which may stand for others, a link's address, a character reference."""


def plain(terms: Sequence[str]) -> Pattern | None:
    """Return what a text with one of the terms matches, and of those without `UNLIKE` no other.

    None where there is no such pattern: a term has letters beyond ASCII, or they are too many.

    Args:
        terms: letters and digits alone, as `letters_of` gives them, none of them empty.
    """
    if not all(term.isascii() for term in terms) or sum(map(len, terms)) > _MOST:
        return None
    return Pattern("(?i)" + "|".join(_GAP.join(term) for term in terms))


def cut_off(terms: Sequence[str]) -> Pattern:
    """Return what a text matches at whose end a term, a link or a reference may be cut off.

    >>> import re
    >>> [bool(re.search(cut_off(["lock"]).text, text)) for text in ("a lo-", "the block", "a ]")]
    [True, False, True]
    """
    ends = [_begun(term) + _GAP for term in terms if len(term) > 1]
    return Pattern("(?i)(?:" + "|".join([*ends, r"\]", "&#?[a-z0-9]*"]) + ")$")


def _begun(term: str) -> str:
    """Return the pattern of the beginnings of a term of two letters and more, but for itself."""
    pattern = ""
    for letter in reversed(term[:-1]):
        pattern = f"{letter}(?:{_GAP}{pattern})?" if pattern else letter
    return pattern
