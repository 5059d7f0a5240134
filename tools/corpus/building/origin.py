"""Where the documents of a build come from: parts read anew, or the generation before.

Both lie on disk in the same files: documents, chunks and word counts. What is opened is kept only
as long as it is used, so that a build may have any number of parts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tools.corpus.manifest import DocumentEntry
from tools.corpus.storage.array_file import loaded, mapped
from tools.corpus.storage.arrow_file import mapped_table
from tools.corpus.storage.layout import Generation
from tools.corpus.words.counts import Counts, Run

if TYPE_CHECKING:
    import polars as pl

__all__ = ("Origin", "Section", "runs")


class Origin:
    """Documents on disk, read and chunked, with the counts of their words."""

    def __init__(
        self, place: Generation, entries: Sequence[DocumentEntry], *, before: bool = False
    ) -> None:
        self.place = place
        self.entries = entries
        self.before = before
        """Whether it is the generation before, whose vectors may be carried over."""

    @cached_property
    def first_chunks(self) -> NDArray[np.int64]:
        """The first chunk of each document and, last, how many there are, (D + 1,)."""
        sizes = np.fromiter((entry.chunks for entry in self.entries), np.int64, len(self.entries))
        return np.concatenate(([0], np.cumsum(sizes)))

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

    @cached_property
    def fields(self) -> Sequence[str]:
        """Each document's field values as JSON."""
        import polars as pl

        return pl.read_ipc(self.place.documents, columns=["fields"])["fields"].to_list()

    def counts(self) -> Counts:
        """Map the counts of the words of all its chunks."""
        return Counts.load(self.place.lexical)

    def chunks(self) -> "pl.DataFrame":
        """Map the table of all its chunks."""
        return mapped_table(self.place.chunks)


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """Documents that follow one another in the corpus to be built."""

    origin: Origin
    first: int
    """The index of its first document in the origin."""
    entries: Sequence[DocumentEntry]
    """Its documents, under the names they have now."""

    @property
    def stop(self) -> int:
        """The index in the origin behind its last document."""
        return self.first + len(self.entries)

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
