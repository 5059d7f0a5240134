"""Writing the fields of a build: the catalogue, the values, and each document's as JSON."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path

from tools.corpus.fields.table import join_fields
from tools.corpus.storage.arrow_file import mapped_table
from tools.corpus.storage.layout import Generation

__all__ = ("Piece", "save_written", "write_fields")

Piece = tuple[str, int, int]
"""Some documents' fields: the file that holds them as JSON, the first document, and the stop."""
_OPEN = 8
_COLUMN = "fields"


def write_fields(pieces: Iterable[Piece], generation: Generation) -> None:
    """Write the fields of the pieces' documents, one piece after another."""
    opened = lru_cache(maxsize=_OPEN)(mapped_table)
    found = (opened(Path(file))[_COLUMN][first:stop].to_list() for file, first, stop in pieces)
    written = list(chain.from_iterable(found))
    save_written(join_fields(written, generation.fields, generation.values), generation.written)


def save_written(fields: Sequence[str], place: Path) -> None:
    """Write each document's fields, which are JSON."""
    import polars as pl

    table = pl.DataFrame({_COLUMN: fields}, schema={_COLUMN: pl.String})
    table.write_ipc(place, compression="uncompressed")
