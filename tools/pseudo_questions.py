"""Questions made from a corpus itself: its titles, headings and sentences.

Each is about one thing that the corpus says, so that what it retrieves shows what a clear retrieval
looks like there.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from tools.corpus.chunking.chunker import sentences
from tools.corpus.words.tokenizer import words

__all__ = ("pseudo_questions",)

_RULE = re.compile(r"([^\w\s])\1{2,}")
_FEWEST_WORDS = 2
_MOST_WORDS = 30


class Titled(Protocol):
    """A corpus with titles and headings."""

    def __len__(self) -> int:
        """Return the number of chunks."""
        ...

    @property
    def titles(self) -> Sequence[str]:
        """The documents' titles."""
        ...

    def headings(self, chunk: int) -> tuple[str, ...]:
        """Return the headings above a chunk, outermost first."""
        ...

    def chunk_text(self, chunk: int) -> str:
        """Return a chunk's text."""
        ...


def pseudo_questions(corpus: Titled, limit: int = 60) -> tuple[str, ...]:
    """Return at most `limit` different texts of 2 to 30 words, a third of each kind at most.

    They are taken at even distances over the documents and chunks, so that the same corpus gives
    the same questions.
    """
    share = -(-limit // 3)
    titles = (corpus.titles[each] for each in _spread(len(corpus.titles), share))
    chunks = _spread(len(corpus), share)
    headings = (" ".join(corpus.headings(chunk)[-1:]) for chunk in chunks)
    said = (_sentence(corpus.chunk_text(chunk)) for chunk in chunks)
    found = dict.fromkeys(_plain(text) for text in (*titles, *headings, *said))
    return tuple(text for text in found if _FEWEST_WORDS <= len(words(text)) <= _MOST_WORDS)[:limit]


def _plain(text: str) -> str:
    """Return the text on one line, without the rules drawn under headings."""
    return " ".join(_RULE.sub(" ", text).split())


def _spread(n: int, wanted: int) -> list[int]:
    """Return at most so many numbers below n, at even distances."""
    if not n:
        return []
    return [int(each) for each in np.unique(np.linspace(0, n - 1, min(n, wanted)).astype(int))]


def _sentence(text: str) -> str:
    """Return the first sentence of a fitting length; empty where there is none."""
    return next(_fitting(text), "")


def _fitting(text: str) -> Iterator[str]:
    for start, end in sentences(text):
        if _FEWEST_WORDS < len(words(text[start:end])) <= _MOST_WORDS:
            yield text[start:end]
