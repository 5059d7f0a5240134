"""Where the documents of a build come from: parts read anew, or the generation before.

Both lie on disk in the same files: documents, chunks and word counts. What is opened is kept only
as long as it is used, so that a build may have any number of parts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tools.corpus.building.document_rows import renamed
from tools.corpus.storage.array_file import loaded, mapped
from tools.corpus.storage.arrow_file import mapped_table
from tools.corpus.storage.layout import Generation
from tools.corpus.words.counts import Counts, Run

if TYPE_CHECKING:
    import polars as pl

__all__ = ("Origin", "Section", "runs")


class Origin:
    """Documents on disk, read and chunked, with the counts of their words."""

    def __init__(self, place: Generation, *, before: bool = False) -> None:
        self.place = place
        self.before = before
        """Whether it is the generation before, whose vectors may be carried over."""

    @cached_property
    def documents(self) -> "pl.DataFrame":
        """The table of its documents, mapped."""
        return mapped_table(self.place.documents)

    @cached_property
    def first_chunks(self) -> NDArray[np.int64]:
        """The first chunk of each document and, last, how many there are, (D + 1,)."""
        sizes = self.documents["chunks"].to_numpy()
        return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))

    @cached_property
    def spans(self) -> NDArray[np.int64]:
        """Where each document's text lies in the text file, in bytes, (D, 2)."""
        spans: NDArray[np.int64] = loaded(self.place.spans)
        return spans

    @cached_property
    def sums(self) -> NDArray[np.uint32]:
        """The CRC-32 of each document's text, (D,)."""
        sums: NDArray[np.uint32] = loaded(self.place.sums)
        return sums

    @cached_property
    def views(self) -> NDArray[np.int32]:
        """The views of all its chunks' texts, (N, 4)."""
        views: NDArray[np.int32] = mapped(self.place.views)
        return views

    def check(self) -> None:
        """Map all its files once; raises OSError, EOFError or ValueError where one is damaged."""
        chunks, counts = self.chunks(), self.counts()
        documents, values = len(self.documents), mapped_table(self.place.written)
        text = self.place.text.stat().st_size
        rows = {len(chunks), len(counts.starts) - 1, len(mapped(self.place.views))}
        if rows != {int(self.first_chunks[-1])}:
            raise ValueError("the chunks, their words and their texts differ in number")
        spans, sums = loaded(self.place.spans), loaded(self.place.sums)
        if {len(spans), len(sums)} != {documents} or spans.max(initial=0) > text:
            raise ValueError("the documents and their texts differ in number")
        if values["document"].to_numpy().max(initial=0) >= max(1, documents):
            raise ValueError("a field is of no document")

    def counts(self) -> Counts:
        """Map the counts of the words of all its chunks."""
        return Counts.load(self.place.lexical)

    def chunks(self) -> "pl.DataFrame":
        """Map the table of all its chunks."""
        return mapped_table(self.place.chunks)


_NONE: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """Documents that follow one another in the corpus to be built."""

    origin: Origin
    first: int
    """The index of its first document in the origin."""
    stop: int
    """The index in the origin behind its last document."""
    names: Mapping[int, str] = field(default_factory=lambda: _NONE)
    """The names, by index in the origin, of documents that are read under another one now."""

    def __len__(self) -> int:
        """Return the number of its documents."""
        return self.stop - self.first

    def documents(self) -> "pl.DataFrame":
        """Return the rows of its documents, under the names they have now."""
        names = {place - self.first: name for place, name in self.names.items()}
        return renamed(self.origin.documents.slice(self.first, len(self)), names)

    @property
    def chunks(self) -> range:
        """Its chunks, numbered as in the origin."""
        bounds = self.origin.first_chunks
        return range(int(bounds[self.first]), int(bounds[self.stop]))

    @property
    def spans(self) -> NDArray[np.int64]:
        """Where its texts lie in the origin's text file, (D, 2)."""
        return self.origin.spans[self.first : self.stop]


def runs(sections: Sequence[Section]) -> list[Run]:
    """Return the sections' chunks as runs of word counts."""
    return [Run(each.origin, each.chunks.start, each.chunks.stop) for each in sections]
