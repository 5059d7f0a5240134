"""Writing the fields of a build: the catalogue, and the values by field and by document."""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tools.corpus.fields.catalogue import join_fields
from tools.corpus.fields.value_rows import save_rows
from tools.corpus.storage.arrow_file import mapped_table
from tools.corpus.storage.layout import Generation

if TYPE_CHECKING:
    import polars as pl

__all__ = ("Piece", "write_fields")

Piece = tuple[str, int, int]
"""Some documents' fields: the file that holds their rows, the first document, and the stop."""
_OPEN = 8


def write_fields(pieces: Iterable[Piece], generation: Generation) -> None:
    """Write the fields of the pieces' documents, one piece after another."""
    rows = join_fields(_concatenated(pieces), generation.fields, generation.values)
    save_rows(rows, generation.written)


def _concatenated(pieces: Iterable[Piece]) -> "pl.DataFrame":
    """Return the rows of the pieces' documents, these numbered anew."""
    import polars as pl

    opened = lru_cache(maxsize=_OPEN)(_opened)
    taken, documents, count = [], [], 0
    for file, first, stop in pieces:
        rows, own = opened(file)
        start, end = np.searchsorted(own, np.array([first, stop], np.int32)).tolist()
        taken.append(rows.slice(start, end - start))
        documents.append(own[start:end] + np.int32(count - first))
        count += stop - first
    rows = pl.concat(taken, rechunk=True)
    return rows.with_columns(pl.Series("document", np.concatenate(documents)))


def _opened(file: str) -> "tuple[pl.DataFrame, NDArray[np.int32]]":
    """Map rows; return them and their documents, ascending."""
    rows = mapped_table(Path(file))
    return rows, rows["document"].to_numpy()
