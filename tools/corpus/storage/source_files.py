"""The files a generation was read from, in a table of their own: only builds look at them."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tools.corpus.storage.arrow_file import mapped_table

__all__ = ("SourceFile", "Stamp", "load_files", "save_files")

Stamp = tuple[int, int, int]
"""What a file looks like from outside: bytes, time of change in nanoseconds, inode."""
_STAMP = ("size", "changed", "inode")


class SourceFile(NamedTuple):
    """One readable file; its documents follow one another in the document table."""

    path: str
    """Path below its root, with suffix."""
    name: str
    """The document name it gives, which depends on the files beside it."""
    digest: str
    """SHA-256 of its bytes, hexadecimal."""
    documents: int
    """How many documents it holds."""
    stamp: Stamp | None
    """What it looked like before it was read; None where that proves nothing."""

    @property
    def content(self) -> tuple[str, str, str, int]:
        """All but what it looks like from outside."""
        return self.path, self.name, self.digest, self.documents


def save_files(files: Sequence[SourceFile], place: Path) -> None:
    """Write the table of the files, in their order."""
    import polars as pl

    strings = dict.fromkeys(("path", "name", "digest"), pl.String)
    schema = {**strings, "documents": pl.Int32, "size": pl.Int64, "changed": pl.Int64}
    rows = zip(*((*file[:4], *(file.stamp or (None, None, None))) for file in files), strict=True)
    table = pl.DataFrame(list(rows) or None, schema={**schema, "inode": pl.UInt64})
    table.write_ipc(place, compression="uncompressed")


def load_files(place: Path) -> list[SourceFile]:
    """Read the table of the files; raises OSError or ValueError where it is damaged."""
    columns = mapped_table(place).to_dict(as_series=False)
    stamps = zip(*(columns.pop(each) for each in _STAMP), strict=True)
    seen = (None if None in stamp else stamp for stamp in stamps)
    return list(map(SourceFile, *columns.values(), seen))
