"""Chunks that say the same in the same words, so that a verdict on one holds for the others.

Case, spaces, marks and articles may differ. What is merely alike is judged by itself: names,
numbers and terms part it.
"""

import re
from functools import lru_cache

import numpy as np
from pyroaring import BitMap

from tools.corpus.corpus import Corpus
from tools.passage_windows import passages

_IDLE = frozenset(("a", "an", "the", "this", "that", "these", "those", "such", "said", "also"))
"""Words that may differ, unless a condition has them."""
_MARKS = re.compile(r"(?<!\d)[.,:;]|[.,:;](?!\d)|[\"'“”‘’()*_`|]|(?<!\w)[-–—=]+(?!\w)")
"""Marks that may differ: none within a number, and no other sign."""
_RAREST = 8
"""Words of a chunk that are looked up to find where else they stand together."""


def plain_words(text: str) -> list[str]:
    """Return the folded words of a text without marks that may differ.

    >>> plain_words("“The rent” is  $1,200.50 (monthly).")
    ['the', 'rent', 'is', '$1,200.50', 'monthly']
    """
    return _MARKS.sub(" ", text.casefold()).split()


@lru_cache(maxsize=20_000)
def copies_of(corpus: Corpus, chunk: int, telling: frozenset[str]) -> BitMap:
    """Return the other chunks that a reader is shown in the same words, headings included.

    No `telling` word, those of the conditions, may differ, not even in a document's name or title.
    """
    index = corpus.lexical
    columns = index.rows(np.array([chunk])).indices
    rarest = columns[np.argsort(index.document_frequency[columns], kind="stable")]
    others = BitMap(range(len(corpus)))
    for word in [each for each in index.forms(rarest) if each not in _IDLE][:_RAREST]:
        others &= BitMap(index.postings(word))
        if len(others) < 2:
            return BitMap()
    own = _shown(corpus, chunk, telling)
    same = (each for each in others if each != chunk)
    return BitMap(each for each in same if _shown(corpus, each, telling) == own)


@lru_cache(maxsize=20_000)
def _shown(corpus: Corpus, chunk: int, telling: frozenset[str]) -> list[list[str]]:
    (seen,) = passages(corpus, [chunk])
    idle = _IDLE - telling
    named = re.split(r"[\W_]+", f"{seen.document} {seen.title}".casefold())
    parts = (seen.before, seen.text, seen.after, *seen.headings)
    shown = [[word for word in plain_words(part) if word not in idle] for part in parts]
    return [[word for word in named if word in telling], *shown]
