"""Documents in memory, cut into the chunks that a test asks for."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

Spans = Iterable[tuple[int, int]]


def evenly(text: str, size: int, overlap: int = 0) -> Spans:
    """Cut every so many characters, with so many of the chunk before."""
    starts = range(0, len(text), size)
    return [(max(0, start - overlap), min(start + size, len(text))) for start in starts]


class CutCorpus:
    """Documents by name, with the places of the chunks of each."""

    lexicon: Any = None

    def __init__(self, documents: Mapping[str, str], spans: Iterable[Spans]) -> None:
        self.documents = list(documents)
        self.titles = [name.upper() for name in documents]
        self.spans = [(at, *span) for at, each in enumerate(spans) for span in each]
        columns = np.array(self.spans, dtype=np.int32).reshape(-1, 3).T
        self.chunk_document, self.chunk_start, self.chunk_end = columns
        self._texts = list(documents.values())
        shown = [self._texts[at][start:end] for at, start, end in self.spans]
        self.texts = pl.Series(shown, dtype=pl.String)

    def __len__(self) -> int:
        return len(self.spans)

    def document_text(self, document: int) -> str:
        return self._texts[document]

    def chunk_text(self, chunk: int) -> str:
        text: str = self.texts[chunk]
        return text

    def headings(self, chunk: int) -> tuple[str, ...]:
        return (f"part {chunk}",)

    def chunks_of(self, document: int) -> range:
        first, stop = np.searchsorted(self.chunk_document, [document, document + 1])
        return range(first, stop)

    def chunks_at(self, document: int, start: int, end: int) -> tuple[int, ...]:
        shared = (self.chunk_start < end) & (self.chunk_end > start)
        return tuple(np.flatnonzero(shared & (self.chunk_document == document)).tolist())

    @cached_property
    def lexical(self) -> Any:
        return self

    def bm25(self, query: str) -> NDArray[np.float64]:
        """Count the query's words."""
        words = query.casefold().split()
        shown = [text.casefold() for text in self.texts]
        return np.array([sum(text.count(word) for word in words) for text in shown], dtype=float)
