"""The tables of documents, chunks and source files on disk."""

import io
import mmap
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from agent.small_files import read_small
from tools.corpus.checksums import sealed, unsealed
from tools.corpus.generations import Generation
from tools.corpus.mapped_files import check_views, mapped, mapped_table, series

_BATCH = 32_768
_MOST = 1 << 30
"""Bytes of a table of the files, which grows with them."""
Stamp = tuple[int, int, int]
"""What a file looks like from outside: bytes, time of change in nanoseconds, inode."""
_STAMP = ("size", "changed", "inode")


def notes_of(documents: pl.DataFrame) -> tuple[tuple[str, str], ...]:
    """Return the path of a file and what its reader notes of it, each note once a file."""
    noted = documents.select("path", "warnings").explode("warnings").drop_nulls("warnings")
    return tuple(dict.fromkeys(noted.iter_rows()))


class ChunkTable:
    """The Arrow table of chunks, memory-mapped: its pages are the file's, read when touched."""

    def __init__(self, generation: Generation) -> None:
        """Map the table; raises OSError, or ValueError where it is damaged."""
        self._views = mapped(generation.views)
        self._table = table = mapped_table(generation.chunks)
        self.document: NDArray[np.int32] = table["document"].to_numpy()
        self.start: NDArray[np.int32] = table["start"].to_numpy()
        self.end: NDArray[np.int32] = table["end"].to_numpy()
        self.tokens: NDArray[np.int32] = table["tokens"].to_numpy()
        self._first: NDArray[np.int64] = table["first_byte"].to_numpy()
        self._last: NDArray[np.int64] = table["last_byte"].to_numpy()
        check_views(self._views, self._first, self._last, generation.text.stat().st_size)

    def __len__(self) -> int:
        return len(self.document)

    def texts(self, text: bytes | mmap.mmap) -> pl.Series:
        """Return the chunks' texts, mapped: views into all documents' texts."""
        return series(np.asarray(self._views), text)

    def bytes(self, chunk: int) -> tuple[int, int]:
        """Return where a chunk's text lies in the text file."""
        return int(self._first[chunk]), int(self._last[chunk])

    def headings(self, chunk: int) -> tuple[str, ...]:
        """Return the headings above a chunk, outermost first."""
        return tuple(self._table["headings"][chunk])


def save_chunks(rows: pl.DataFrame, place: Path) -> None:
    """Write the rows of chunks, headings as string views, which Polars maps as they are."""
    rows.write_ipc(place, compression="uncompressed", record_batch_size=_BATCH)


class SourceFile(NamedTuple):
    """One readable file; its documents follow one another in the document table."""

    path: str
    """Path below its root, with suffix."""
    name: str
    """The document name it gives, which depends on the files beside it."""
    digest: str
    """SHA-256 of its bytes, hexadecimal."""
    documents: int
    metadata: str
    """The digest of what was said of it elsewhere; empty where nothing was."""
    ocr: str
    """The languages in which its scans were read, `-` where they were not; empty without any."""
    stamp: Stamp | None
    """What it looked like before it was read; None where that proves nothing."""

    @property
    def content(self) -> tuple[object, ...]:
        """All but what it looks like from outside."""
        return tuple(self._replace(stamp=None))


def save_files(files: Sequence[SourceFile], place: Path) -> None:
    """Write the table of the files, in their order, with its checksum behind it."""
    schema: dict[str, type[pl.DataType]] = dict.fromkeys(SourceFile._fields[:-1], pl.String)
    schema |= {"documents": pl.Int32, "size": pl.Int64, "changed": pl.Int64, "inode": pl.UInt64}
    rows = ((*file[:-1], *(file.stamp or (None, None, None))) for file in files)
    table = pl.DataFrame(list(zip(*rows, strict=True)) or None, schema=schema)
    written = io.BytesIO()
    table.write_ipc(written, compression="uncompressed")
    place.write_bytes(sealed(written.getvalue()))


def load_files(place: Path) -> list[SourceFile]:
    """Read the table of the files; raises OSError or ValueError where it is damaged."""
    columns = pl.read_ipc(unsealed(read_small(place, _MOST))).to_dict(as_series=False)
    stamps = zip(*(columns.pop(each) for each in _STAMP), strict=True)
    seen = (None if None in stamp else stamp for stamp in stamps)
    return list(map(SourceFile, *columns.values(), seen))
