"""Files, memory-mapped: their pages are the file's, read when touched."""

import mmap
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

__all__ = ("mapped_bytes", "mapped_table")


def mapped_table(path: Path) -> "pl.DataFrame":
    """Map an uncompressed table.

    Polars reads a file of one record batch into memory; Arrow's own reader maps it, and Polars
    takes the mapped buffers over without a copy.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is damaged.
    """
    import polars as pl
    import pyarrow as pa

    with pa.memory_map(str(path)) as file:
        table = pa.ipc.open_file(file).read_all()
    return pl.DataFrame(pl.from_arrow(table, rechunk=False))


def mapped_bytes(path: Path) -> bytes | mmap.mmap:
    """Map a file; an empty one cannot be mapped."""
    with path.open("rb") as file:
        if not path.stat().st_size:
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
