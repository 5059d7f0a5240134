"""Files that a corpus maps into memory: arrays, Arrow tables, and texts as views into one file.

Arrays are read by one thread at a time, or written piece by piece and never held in memory.
"""

import mmap
import os
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Lock
from tokenize import TokenError
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.lib import format as npy
from numpy.typing import DTypeLike, NDArray

_reading = Lock()
"""Two threads cannot parse headers at a time: Python up to 3.11.7 raises SystemError where garbage
is collected meanwhile (python/cpython#106905)."""
_INLINE = 12
_PREFIX = 4
_SHIFT = 30
_WINDOW = (1 << 31) - 1
_BATCH = 32_768
"""Rows of a batch, so that scans have something to share among cores."""


def mapped(path: Path) -> NDArray[Any]:
    """Map an array file; raises OSError, or ValueError where it is damaged.

    It is a plain array over the map, since cutting a `memmap` takes microseconds.
    """
    with _reading:
        try:
            return np.asarray(npy.open_memmap(path, mode="r"))
        except (  # NumPy parses a header as Python
            ArithmeticError, LookupError, MemoryError, RecursionError, SyntaxError, TokenError,
            TypeError,
        ) as error:  # fmt: skip
            raise ValueError(f"{str(path)!r} has no header of an array") from error


def mapping_of(array: NDArray[Any]) -> mmap.mmap:
    """Return the map of the whole file that a mapped array lies in."""
    held: Any = array
    while not isinstance(held, mmap.mmap):
        held = held.base
    return held


def reserved(path: Path, size: int, dtype: DTypeLike) -> NDArray[Any]:
    """Make an array file of so many zeros and return it mapped, to be written in any order.

    Its space on the disk is taken at once: a full disk is an OSError here, where a write into a
    map could only end the process.
    """
    if not size:
        np.save(path, np.zeros(0, dtype))
        return np.zeros(0, dtype)
    made = npy.open_memmap(path, "w+", np.dtype(dtype), (size,))
    if hasattr(os, "posix_fallocate"):
        with path.open("rb+") as file:
            os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
    return made


class ArrayFile(AbstractContextManager["ArrayFile"]):
    """Writes an `.npy` file of a known shape, row after row.

    Written with plain writes, not through a map: mapped pages would count as this process's memory.
    """

    def __init__(self, path: Path, shape: tuple[int, ...], dtype: DTypeLike) -> None:
        self._dtype = np.dtype(dtype)
        self._left = shape[0]
        self._path = path
        self._file = path.open("wb")
        header = {"descr": npy.dtype_to_descr(self._dtype), "fortran_order": False, "shape": shape}
        npy.write_array_header_1_0(self._file, header)

    def append(self, rows: NDArray[Any]) -> None:
        """Write the next rows."""
        self._left -= len(rows)
        np.ascontiguousarray(rows, dtype=self._dtype).tofile(self._file)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close the file; raises ValueError where more or fewer rows were written than it says."""
        self._file.close()
        if kind is None and self._left:
            raise ValueError(f"{str(self._path)!r} lacks {self._left} rows")


def mapped_table(path: Path) -> pl.DataFrame:
    """Map an uncompressed table; raises OSError, or ValueError where it is damaged.

    Polars reads a file of one record batch into memory; Arrow's own reader maps it.
    """
    with pa.memory_map(str(path)) as file:
        table = pa.ipc.open_file(file).read_all()
    table.validate(full=True)
    return pl.DataFrame(pl.from_arrow(table, rechunk=False))


def mapped_bytes(path: Path) -> bytes | mmap.mmap:
    """Map a file; an empty one cannot be mapped."""
    with path.open("rb") as file:
        if not path.stat().st_size:
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def views_of(
    text: bytes | mmap.mmap, first: NDArray[np.int64], last: NDArray[np.int64]
) -> NDArray[np.int32]:
    """Return the views of the texts between byte offsets, (n, 4)."""
    raw = np.frombuffer(text, dtype=np.uint8)
    sizes = last - first
    views = np.zeros((len(first), 4), dtype=np.int32)
    views[:, 0] = sizes
    begun = np.zeros((len(first), _INLINE), dtype=np.uint8)
    short = sizes <= _INLINE
    for place in range(_INLINE):
        held = np.flatnonzero((short if place >= _PREFIX else True) & (sizes > place))
        begun[held, place] = raw[first[held] + place]
    views[:, 1:] = begun.view(np.int32)
    long = ~short
    views[long, 2], views[long, 3] = first[long] >> _SHIFT, first[long] & ((1 << _SHIFT) - 1)
    return views


def check_views(
    views: NDArray[np.int32], first: NDArray[np.int64], last: NDArray[np.int64], size: int
) -> None:
    """Raise ValueError where views do not stand for these spans of a text file of `size` bytes."""
    sizes = last - first
    if views.shape != (len(first), 4) or not np.array_equal(views[:, 0], sizes):
        raise ValueError("the chunks' texts are not those of the chunk table")
    if len(first) and (int(sizes.min()) < 0 or int(first.min()) < 0 or int(last.max()) > size):
        raise ValueError(f"the texts end at {int(last.max())}, and the text file at {size}")
    long = sizes > _INLINE
    begin = (views[long, 2].astype(np.int64) << _SHIFT) + views[long, 3]
    if not np.array_equal(begin, first[long]):
        raise ValueError("the chunks' texts lie elsewhere than the chunk table says")


def series(views: NDArray[np.int32], text: bytes | mmap.mmap) -> pl.Series:
    """Return the texts, mapped: checked views into the text file of one corpus."""
    whole = pa.py_buffer(text)
    starts = range(0, max(1, len(text)), 1 << _SHIFT)
    windows = [whole.slice(start, min(_WINDOW, len(text) - start)) for start in starts]
    batches = [
        pa.Array.from_buffers(pa.string_view(), len(rows), [None, pa.py_buffer(rows), *windows])
        for rows in (views[first : first + _BATCH] for first in range(0, len(views), _BATCH))
    ]
    texts = pa.chunked_array(batches, type=pa.string_view())
    # As a table: for an array alone Polars would load Arrow's functions.
    return pl.DataFrame(pl.from_arrow(pa.table({"text": texts}), rechunk=False))["text"]
