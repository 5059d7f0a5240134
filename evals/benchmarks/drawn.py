"""Words of the corpus to look for, drawn from its vocabulary."""

import numpy as np

from tools.corpus.words.lexical import LexicalIndex

__all__ = ("drawn_words",)

_LETTERS = 8


def drawn_words(index: LexicalIndex, number: int, *, share: float) -> list[str]:
    """Return plain words of eight letters or more that stand nearest to that share of the chunks.

    Raises:
        LookupError: the corpus has fewer such words.
    """
    wanted = share * len(index.lengths)
    apart = np.abs(index.document_frequency - wanted)
    words = [index.vocabulary[column] for column in np.argsort(apart, kind="stable")]
    found = [word for word in words if len(word) >= _LETTERS and word.isascii() and word.isalpha()]
    if len(found) < number:
        raise LookupError(f"the corpus has fewer than {number} long words")
    return found[:number]
