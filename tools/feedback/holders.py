"""Which chunks hold a quote: the one it was found in, and neighbours that overlap it."""

from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ("Spans", "holders", "proven")


class Spans(Protocol):
    """The part of a corpus that says where its chunks lie."""

    @property
    def chunk_start(self) -> NDArray[np.integer[Any]]:
        """Where each chunk starts in its document's text, (N,)."""
        ...

    @property
    def chunk_end(self) -> NDArray[np.integer[Any]]:
        """Where each chunk ends, exclusive, (N,)."""
        ...

    def chunks_at(self, document: int, start: int, end: int) -> tuple[int, ...]:
        """Return the chunks that share a character with a span of a document."""
        ...


def holders(corpus: Spans, document: int, start: int, end: int) -> tuple[int, ...]:
    """Return the chunks in which all of `text[start:end]` of a document lies, ascending."""
    return tuple(
        chunk
        for chunk in corpus.chunks_at(document, start, end)
        if corpus.chunk_start[chunk] <= start and end <= corpus.chunk_end[chunk]
    )


def proven(corpus: Spans, quotes: Iterable[tuple[int, int, int]]) -> frozenset[int]:
    """Return every chunk that some located quote proves: those it lies in from end to end.

    Chunks overlap. A neighbour that was not read, but holds the whole quote, satisfies the
    condition by the same words, so that it needs no call. A neighbour that holds a part of the
    quote is not proven.

    Args:
        corpus: where the chunks are.
        quotes: document, start and end of each quote.
    """
    return frozenset(chunk for quote in quotes for chunk in holders(corpus, *quote))
