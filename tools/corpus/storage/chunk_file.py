"""The chunk table on disk, written piece by piece as an Arrow file of record batches."""

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    import polars as pl

__all__ = ("ChunkFile",)

_BATCH = 32_768


class ChunkFile:
    """Writes rows in batches of at least 32,768, whatever pieces they come in.

    Headings are written as string views, which Polars maps as they are. They are copied first: a
    slice of views would drag along every byte of the table that it was cut from.
    """

    def __init__(self, path: Path) -> None:
        import pyarrow as pa

        self._file = pa.OSFile(str(path), "wb")
        self._writer: Any = None
        self._waiting: list[pl.DataFrame] = []
        self._rows = 0

    def append(self, rows: "pl.DataFrame") -> None:
        """Add rows behind the others."""
        for piece in (rows,) if rows.is_empty() else rows.iter_slices(_BATCH):
            self._waiting.append(piece)
            self._rows += len(piece)
            if self._rows >= _BATCH:
                self._flush()

    def __enter__(self) -> Self:
        """Return the file."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        """Write what waits, and the file's end."""
        try:
            if kind is None and self._waiting:
                self._flush()
            if self._writer is not None:
                self._writer.close()
        finally:
            self._file.close()

    def _flush(self) -> None:
        import polars as pl
        import pyarrow as pa

        table = pl.concat(self._waiting).rechunk().to_arrow(compat_level=pl.CompatLevel.oldest())
        place = table.schema.get_field_index("headings")
        views = table.column("headings").cast(pa.large_list(pa.string_view()))
        table = table.set_column(place, "headings", views)
        if self._writer is None:
            self._writer = pa.ipc.new_file(self._file, table.schema)
        self._writer.write_table(table)
        self._waiting, self._rows = [], 0
