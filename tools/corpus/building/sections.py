"""Where the documents of a build come from: parts read anew, or the generation before.

Both lie on disk in the same files: documents, chunks and word counts. What is opened is kept only
as long as it is used, so that a build may have any number of parts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import BinaryIO

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tools.corpus.documents import Document, distinct
from tools.corpus.generations import Generation
from tools.corpus.mapped_files import loaded, mapped, mapped_table, share, worth_sharing
from tools.corpus.words.counts import Run

_COPIED = 1 << 24
_TOLD = ("path", "title", "digest", "reader", "encoding", "language")


def rows_of(documents: Sequence[Document]) -> pl.DataFrame:
    """Return the rows of documents, a column each of what is known of them.

    `read_as` is a document's name as read; in `name`, those that two sources share are numbered.
    """
    names = [each.name for each in documents]
    return pl.DataFrame(
        {
            "name": names,
            "read_as": names,
            **{name: list(map(attrgetter(name), documents)) for name in _TOLD},
            "chars": [len(each.text) for each in documents],
            "chunks": [len(each.chunks) for each in documents],
            "warnings": [list(each.warnings) for each in documents],
        },
        schema={
            **dict.fromkeys(("name", "read_as", *_TOLD), pl.String),
            "chars": pl.Int64,
            "chunks": pl.Int32,
            "warnings": pl.List(pl.String),
        },
    )


def concatenated(pieces: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Return the rows of the pieces, one after another, named so that a name means one document."""
    rows = pl.concat(pieces, rechunk=True)
    return rows.with_columns(
        pl.Series("name", distinct(rows["read_as"].to_list()), dtype=pl.String)
    )


class Origin:
    """Documents on disk, read and chunked, with the counts of their words."""

    def __init__(self, place: Generation, *, before: bool = False) -> None:
        self.place = place
        self.before = before
        """Whether it is the generation before, whose vectors may be carried over."""

    @cached_property
    def documents(self) -> pl.DataFrame:
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
    def views(self) -> NDArray[np.int32]:
        """The views of all its chunks' texts, (N, 4)."""
        views: NDArray[np.int32] = mapped(self.place.views)
        return views

    def chunks(self) -> pl.DataFrame:
        """Map the table of all its chunks."""
        return mapped_table(self.place.chunks)


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """Documents that follow one another in the corpus to be built."""

    origin: Origin
    first: int
    """The index of its first document in the origin."""
    stop: int
    """The index in the origin behind its last document."""

    def __len__(self) -> int:
        return self.stop - self.first

    def documents(self) -> pl.DataFrame:
        """Return the rows of its documents."""
        return self.origin.documents.slice(self.first, len(self))

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
    return [
        Run(each.origin.place.lexical, each.chunks.start, each.chunks.stop) for each in sections
    ]


def join_texts(sections: Sequence[Section], generation: Generation) -> list[NDArray[np.int64]]:
    """Write the sections' texts; return where they lie now, (D, 2) bytes for each section."""
    before = next((each.origin.place.text for each in sections if each.origin.before), None)
    used = sum(int(np.diff(each.spans).sum()) for each in sections if each.origin.before)
    staying = before is not None and worth_sharing(used, before.stat().st_size)
    if before is not None and staying:
        share(before, generation.text)
    found = []
    with generation.text.open("ab") as into:
        for each in sections:
            if staying and each.origin.before:
                found.append(each.spans)
                continue
            start = into.tell()
            _copy(each.origin.place.text, each.spans, into)
            ends = start + np.cumsum(np.diff(each.spans).ravel())
            found.append(np.column_stack((np.concatenate(([start], ends[:-1])), ends)))
    return found


def _copy(file: Path, spans: NDArray[np.int64], into: BinaryIO) -> None:
    """Copy spans of a file, those that follow one another in one go."""
    breaks = np.flatnonzero(spans[1:, 0] != spans[:-1, 1]) + 1
    with file.open("rb") as texts:
        for run in np.split(spans, breaks):
            texts.seek(int(run[0, 0]))
            left = int(run[-1, 1] - run[0, 0])
            while left:
                left -= into.write(texts.read(min(left, _COPIED)))
