"""Arrays on disk: read by one thread at a time, or written piece by piece.

An array that is written piece by piece need never be in memory.
"""

import math
import os
from collections.abc import Iterable
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.lib import format as npy
from numpy.typing import DTypeLike, NDArray

__all__ = (
    "ArrayFile",
    "loaded",
    "mapped",
    "mapped_behind",
    "memmap",
    "reserved",
    "stored",
    "write_behind",
)


_reading = Lock()
"""Two threads cannot parse headers at a time: Python up to 3.11.7 raises SystemError where garbage
is collected meanwhile (python/cpython#106905)."""


def loaded(path: Path) -> NDArray[Any]:
    """Read an array file; raises OSError, or ValueError where it is damaged."""
    with _reading:
        found: NDArray[Any] = np.load(path)
    return found


def mapped(path: Path) -> NDArray[Any]:
    """Map an array file; a plain array over it, since cutting a `memmap` takes microseconds.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is damaged.
    """
    return np.asarray(memmap(path))


def memmap(path: Path) -> Any:
    """Map an array file and tell its `offset`, too; raises as `mapped`."""
    with _reading:
        return np.load(path, mmap_mode="r")


def mapped_behind(path: Path) -> NDArray[Any]:
    """Map an array file's rows and the whole ones behind them; raises as `mapped`."""
    rows = memmap(path)
    size = _row_size(rows)
    held = (path.stat().st_size - rows.offset) // size if size else len(rows)
    if held == len(rows):
        return np.asarray(rows)
    return np.asarray(np.memmap(path, rows.dtype, "r", rows.offset, (held, *rows.shape[1:])))


def stored(path: Path) -> int:
    """Return how many rows an array file holds with those behind it, one cut short among them."""
    rows = memmap(path)
    return -(-(path.stat().st_size - int(rows.offset)) // max(1, _row_size(rows)))


def write_behind(path: Path, at: int, blocks: Iterable[NDArray[Any]]) -> None:
    """Write rows into an array file, the first as row `at`; its header counts none of them."""
    header = memmap(path)
    with path.open("r+b") as file:
        file.seek(header.offset + at * _row_size(header))
        for rows in blocks:
            np.ascontiguousarray(rows, dtype=header.dtype).tofile(file)


def _row_size(rows: Any) -> int:
    """Return the bytes of a row."""
    return int(math.prod(rows.shape[1:]) * rows.itemsize)


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


class ArrayFile:
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

    def __enter__(self) -> Self:
        """Return the file."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        _error: BaseException | None,
        _at: TracebackType | None,
    ) -> None:
        """Close the file.

        Raises:
            ValueError: more or fewer rows were written than the header says.
        """
        self._file.close()
        if kind is None and self._left:
            raise ValueError(f"{str(self._path)!r} lacks {self._left} rows")
