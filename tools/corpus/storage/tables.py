"""The document and chunk tables on disk."""

import mmap
from functools import cached_property
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from agent.errors import CorpusDamaged
from tools.corpus.storage.array_file import mapped
from tools.corpus.storage.arrow_file import mapped_bytes, mapped_table
from tools.corpus.storage.layout import Generation
from tools.corpus.storage.text_views import check_views, series

if TYPE_CHECKING:
    import polars as pl

__all__ = ("ChunkTable", "DocumentTable")


class DocumentTable:
    """Names and titles in memory; texts mapped."""

    def __init__(
        self,
        table: "pl.DataFrame",
        text: bytes | mmap.mmap,
        spans: NDArray[np.int64],
        sums: NDArray[np.uint32],
    ) -> None:
        self.names: tuple[str, ...] = tuple(table["name"].to_list())
        self.titles: tuple[str, ...] = tuple(table["title"].to_list())
        self._table = table
        self._text = text
        self._spans = spans
        self._sums = sums
        self._last: tuple[int, str] | None = None

    @classmethod
    def load(cls, generation: Generation) -> "DocumentTable":
        """Open the table; raises OSError, ValueError or PolarsError where it is damaged."""
        spans = mapped(generation.spans)
        text = mapped_bytes(generation.text)
        if len(spans) and len(text) < spans.max():
            raise ValueError(f"{str(generation.text)!r} has {len(text)} bytes, not {spans.max()}")
        sums = mapped(generation.sums)
        return cls(mapped_table(generation.documents), text, spans, sums)

    @property
    def chars(self) -> int:
        """The characters of all texts."""
        return int(self._table["chars"].sum())

    @property
    def warnings(self) -> list[tuple[str, str]]:
        """The name of a document and what its reader notes of it, for every such note."""
        noted = self._table.select("name", "warnings").explode("warnings").drop_nulls("warnings")
        return noted.rows()

    def text(self, document: int) -> str:
        """Return a document's text; the last one is kept, since a long one is asked for often."""
        last = self._last
        if last is None or last[0] != document:
            start, end = map(int, self._spans[document])
            last = self._last = (document, self.slice(start, end))
        return last[1]

    def is_whole(self, document: int) -> bool:
        """Return whether a document's text has the bytes that were written."""
        start, end = map(int, self._spans[document])
        return crc32(self._text[start:end]) == int(self._sums[document])

    def slice(self, start: int, end: int) -> str:
        """Return the text between two byte offsets of the text file.

        Raises:
            CorpusDamaged: the bytes there are not the ones that were written.
        """
        try:
            return bytes(self._text[start:end]).decode("utf-8")
        except UnicodeDecodeError as error:
            raise CorpusDamaged(
                f"the corpus's texts are damaged ({error}): run `headcount index` with the same "
                "paths again to rebuild it; its runs are kept"
            ) from error


class ChunkTable:
    """The Arrow table of chunks, memory-mapped: its pages are the file's, read when touched."""

    def __init__(
        self, table: "pl.DataFrame", views: NDArray[np.int32], text: bytes | mmap.mmap
    ) -> None:
        self._table = table
        self._views = views
        self._text = text
        self.document: NDArray[np.int32] = table["document"].to_numpy()
        self.start: NDArray[np.int32] = table["start"].to_numpy()
        self.end: NDArray[np.int32] = table["end"].to_numpy()
        self.tokens: NDArray[np.int32] = table["tokens"].to_numpy()
        self._first: NDArray[np.int64] = table["first_byte"].to_numpy()
        self._last: NDArray[np.int64] = table["last_byte"].to_numpy()

    @classmethod
    def load(cls, generation: Generation) -> "ChunkTable":
        """Map the table and the texts; raises OSError, or ValueError where they are damaged."""
        views = mapped(generation.views)
        table = cls(mapped_table(generation.chunks), views, mapped_bytes(generation.text))
        check_views(views, table._first, table._last, len(table._text))
        return table

    def __len__(self) -> int:
        """Return the number of chunks."""
        return len(self.document)

    def bytes(self, chunk: int) -> tuple[int, int]:
        """Return where a chunk's text lies in the text file."""
        return int(self._first[chunk]), int(self._last[chunk])

    def headings(self, chunk: int) -> tuple[str, ...]:
        """Return the headings above a chunk, outermost first."""
        return tuple(self._table["headings"][chunk])

    @cached_property
    def texts(self) -> "pl.Series":
        """The chunks' texts, mapped."""
        return series(np.asarray(self._views), self._text)
