"""Where something can be mentioned at all: the chunks that hold one of its spellings."""

import html
import re
import unicodedata
from collections.abc import Sequence

import numpy as np
from pyroaring import BitMap

from tools.corpus.corpus import Corpus
from tools.filters.searchable import Searchable

__all__ = ("letters_of", "mentioning", "mentioning_across_edges")

_STRETCH = 3
"""How much longer than its term a mention can be, with its spaces, hyphens and markup."""
_LINK = re.compile(r"\]\([^)\n]*\)")
_OTHER = re.compile(r"[\W_]+")


def mentioning(corpus: Searchable, terms: Sequence[str]) -> BitMap | None:
    """Return the chunks that hold the letters and digits of one of the terms, in their order.

    It is generous, so that what is left out holds none: case, accents, ligatures, spaces, hyphens,
    quotes, markup and invisible characters make no difference, and a term inside a longer word
    counts. None where there is no term, or one without letters and digits.
    """
    wanted = [letters_of(term) for term in terms]
    if not wanted or not all(wanted):
        return None
    return BitMap(number for number, text in enumerate(corpus.texts) if _holds(text, wanted))


def mentioning_across_edges(corpus: Corpus, terms: Sequence[str]) -> BitMap:
    """Return the chunks between which a term stands, in part in the one, in part in the next.

    Chunks that overlap by more than the longest term hold it whole; only other edges are looked at.
    """
    wanted = [letters_of(term) for term in terms]
    if not wanted or not all(wanted) or len(corpus) < 2:
        return BitMap()
    reach = _STRETCH * max(len(term) for term in terms)
    owner, start, end = corpus.chunk_document, corpus.chunk_start, corpus.chunk_end
    bare = (owner[:-1] == owner[1:]) & (start[1:] + reach > end[:-1])
    found = BitMap()
    for chunk in np.flatnonzero(bare).tolist():
        text, edge = corpus.document_text(int(owner[chunk])), int(end[chunk])
        if _holds(text[max(0, edge - reach) : edge + reach], wanted):
            found.update((chunk, chunk + 1))
    return found


def letters_of(text: str) -> str:
    r"""Return the letters and digits of a text alone, without case and accents.

    >>> letters_of("**Caf\u00e9** Stra\u00dfe&shy;"), letters_of("[type](x.html)-check\u200ber")
    ('cafestrasse', 'typechecker')
    """
    if "&" in text:
        text = html.unescape(text)
    if "](" in text:
        text = _LINK.sub("", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
    folded = _OTHER.sub("", text.casefold()).replace("\N{LATIN SMALL LETTER DOTLESS I}", "i")
    return folded if folded.isascii() else _OTHER.sub("", unicodedata.normalize("NFKD", folded))


def _holds(text: str, wanted: Sequence[str]) -> bool:
    letters = letters_of(text)
    return any(term in letters for term in wanted)
