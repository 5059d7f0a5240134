"""Where something can be mentioned at all: the chunks that hold one of its spellings."""

import re
from collections.abc import Sequence

from pyroaring import BitMap

from tools.filters.scan import scan
from tools.filters.searchable import Searchable

__all__ = ("mention_pattern", "mentioning")

_BETWEEN_WORDS = r"[\s_\-\u2010-\u2015]*"
_BETWEEN_LETTERS = "(?:\N{SOFT HYPHEN}|[-\N{HYPHEN}]\N{SOFT HYPHEN}?\\s*\\n\\s*)?"
_APOSTROPHES = "'\N{RIGHT SINGLE QUOTATION MARK}\N{MODIFIER LETTER APOSTROPHE}`\N{ACUTE ACCENT}"


def mentioning(corpus: Searchable, terms: Sequence[str]) -> BitMap | None:
    """Return the chunks that hold one of the terms, in whatever case, spacing or hyphenation.

    It is generous: a term inside a longer word counts, so that what is left out holds none. None
    where no term has anything to look for.
    """
    pattern = mention_pattern(terms)
    return scan(corpus, BitMap(range(len(corpus.texts))), pattern) if pattern else None


def mention_pattern(terms: Sequence[str]) -> str:
    r"""Return the pattern, in linear-time regex syntax; empty where the terms hold nothing.

    >>> re.search(mention_pattern(["type checker"]), "two Type-\ncheckers") is not None
    True
    """
    parted = (re.split(r"[\s_\-\u2010-\u2015]+", term) for term in dict.fromkeys(terms))
    bodies = [_BETWEEN_WORDS.join(_word(part) for part in parts if part) for parts in parted]
    wanted = "|".join(body for body in bodies if body)
    return f"(?i)(?:{wanted})" if wanted else ""


def _word(word: str) -> str:
    letters = (rf"[{_APOSTROPHES}]?" if each in _APOSTROPHES else re.escape(each) for each in word)
    return _BETWEEN_LETTERS.join(letters)
