"""Where something can be mentioned at all: the chunks that hold one of its spellings."""

import re
from collections.abc import Sequence

import numpy as np
from pyroaring import BitMap

from tools.corpus.corpus import Corpus
from tools.filters.scan import scan
from tools.filters.searchable import Searchable

__all__ = ("mention_pattern", "mentioning", "mentioning_across_edges")

_STRETCH = 3
"""How much longer than its term a mention can be, with its spaces and hyphens."""

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


def mentioning_across_edges(corpus: Corpus, terms: Sequence[str]) -> BitMap:
    """Return the chunks between which a term stands, in part in the one, in part in the next.

    Chunks that overlap by more than the longest term hold it whole; only other edges are looked at.
    """
    pattern = mention_pattern(terms)
    if not pattern or len(corpus) < 2:
        return BitMap()
    reach = _STRETCH * max(len(term) for term in terms)
    owner, start, end = corpus.chunk_document, corpus.chunk_start, corpus.chunk_end
    bare = (owner[:-1] == owner[1:]) & (start[1:] + reach > end[:-1])
    wanted = re.compile(pattern)
    found = BitMap()
    for chunk in np.flatnonzero(bare).tolist():
        text, edge = corpus.document_text(int(owner[chunk])), int(end[chunk])
        if wanted.search(text[max(0, edge - reach) : edge + reach]):
            found.update((chunk, chunk + 1))
    return found


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
