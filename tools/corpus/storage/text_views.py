"""The chunks' texts as Arrow string views into the text file: no text is stored twice.

A view is 16 bytes: the length and, of a text of at most 12 bytes, the text itself, else its first
four bytes, its window and where it begins in that window (Arrow columnar format, "variable-size
binary view"). Offsets have 32 bits, so that the text file is seen through windows of 2 GiB, one
every GiB: a text that begins in the first half of a window ends within it.
"""

import mmap
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import polars as pl

__all__ = ("check_views", "moved", "series", "views_of")

_INLINE = 12
_PREFIX = 4
_SHIFT = 30
_WINDOW = (1 << 31) - 1
_BATCH = 32_768
"""Rows of a batch, so that scans have something to share among cores."""


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
    return moved(views, first)


def moved(views: NDArray[np.int32], first: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the views of the same texts where they begin at other byte offsets, (n, 4)."""
    long = views[:, 0] > _INLINE
    windows, offsets = first >> _SHIFT, first & ((1 << _SHIFT) - 1)
    begin = np.where(long[:, np.newaxis], np.column_stack((windows, offsets)), views[:, 2:])
    return np.hstack((views[:, :2], begin.astype(np.int32)))


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


def series(views: NDArray[np.int32], text: bytes | mmap.mmap) -> "pl.Series":
    """Return the texts, mapped: checked views into the text file of one corpus."""
    import polars as pl
    import pyarrow as pa

    windows = _windows(text)
    batches = [
        pa.Array.from_buffers(pa.string_view(), len(rows), [None, pa.py_buffer(rows), *windows])
        for rows in (views[first : first + _BATCH] for first in range(0, len(views), _BATCH))
    ]
    texts = pl.from_arrow(pa.chunked_array(batches, type=pa.string_view()), rechunk=False)
    return pl.Series("text", texts)


def _windows(text: bytes | mmap.mmap) -> list[Any]:
    import pyarrow as pa

    whole = pa.py_buffer(text)
    starts = range(0, max(1, len(text)), 1 << _SHIFT)
    return [whole.slice(start, min(_WINDOW, len(text) - start)) for start in starts]
