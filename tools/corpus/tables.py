"""The document and chunk tables on disk."""

import mmap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from agent.errors import CorpusDamaged
from tools.corpus.arrow_file import mapped_table
from tools.corpus.layout import Generation

if TYPE_CHECKING:
    import polars as pl

__all__ = ("ChunkTable", "DocumentTable")


class DocumentTable:
    """Names, titles and fields in memory; texts mapped."""

    def __init__(self, table: "pl.DataFrame", text: bytes | mmap.mmap, starts: Any) -> None:
        self.names: tuple[str, ...] = tuple(table["name"].to_list())
        self.titles: tuple[str, ...] = tuple(table["title"].to_list())
        self.fields: Sequence[str] = table["fields"].to_list()
        """Each document's field values as JSON."""
        self._text = text
        self._starts = starts
        self._last: tuple[int, str] | None = None

    @classmethod
    def load(cls, generation: Generation) -> "DocumentTable":
        """Open the table; raises OSError, ValueError or PolarsError where it is damaged."""
        import polars as pl

        starts = np.load(generation.starts, mmap_mode="r")
        text = _mapped(generation.text)
        if len(text) != starts[-1]:
            raise ValueError(f"{str(generation.text)!r} has {len(text)} bytes, not {starts[-1]}")
        return cls(pl.read_ipc(generation.documents), text, starts)

    def text(self, document: int) -> str:
        """Return a document's text; the last one is kept, since a long one is asked for often."""
        last = self._last
        if last is None or last[0] != document:
            start, end = int(self._starts[document]), int(self._starts[document + 1])
            last = self._last = (document, self.slice(start, end))
        return last[1]

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

    def __init__(self, table: "pl.DataFrame") -> None:
        self.frame = table
        """A row a chunk, as the file has it."""
        self.document: NDArray[np.int32] = table["document"].to_numpy()
        self.start: NDArray[np.int32] = table["start"].to_numpy()
        self.end: NDArray[np.int32] = table["end"].to_numpy()
        self.tokens: NDArray[np.int32] = table["tokens"].to_numpy()
        self._first: NDArray[np.int64] = table["first_byte"].to_numpy()
        self._last: NDArray[np.int64] = table["last_byte"].to_numpy()

    @classmethod
    def load(cls, path: Path) -> "ChunkTable":
        """Map the table; raises OSError, or ValueError where it is damaged."""
        return cls(mapped_table(path))

    def __len__(self) -> int:
        """Return the number of chunks."""
        return len(self.document)

    def bytes(self, chunk: int) -> tuple[int, int]:
        """Return where a chunk's text lies in the text file."""
        return int(self._first[chunk]), int(self._last[chunk])

    def headings(self, chunk: int) -> tuple[str, ...]:
        """Return the headings above a chunk, outermost first."""
        return tuple(self.frame["headings"][chunk])

    @property
    def texts(self) -> "pl.Series":
        """The chunks' texts."""
        return self.frame["text"]


def _mapped(path: Path) -> bytes | mmap.mmap:
    """Map a file; an empty one cannot be mapped."""
    with path.open("rb") as file:
        if not path.stat().st_size:
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
