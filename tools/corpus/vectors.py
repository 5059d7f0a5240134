"""The chunks' vectors, memory-mapped: exact similarities over any set of chunks."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ("Vectors",)

_GATHERED = 0.1
"""Above this share of the rows a full product is quicker than gathering them."""


class Vectors:
    """N unit rows of d numbers."""

    def __init__(self, rows: NDArray[np.float32]) -> None:
        self._rows = rows

    @classmethod
    def load(cls, path: Path) -> "Vectors":
        """Map the vectors; raises OSError or ValueError where the file is damaged."""
        rows = np.load(path, mmap_mode="r")
        if rows.ndim != 2 or rows.dtype != np.float32:
            raise ValueError(f"{str(path)!r} does not hold float32 rows")
        return cls(np.asarray(rows))

    def __len__(self) -> int:
        """Return the number of chunks."""
        return len(self._rows)

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self._rows.shape[1])

    def rows(self, ids: NDArray[np.integer[Any]] | None = None) -> NDArray[np.float32]:
        """Return the rows of the given chunks, in their order; all of them without ids."""
        return self._rows if ids is None else self._rows[ids]

    def similarity(
        self, query: NDArray[np.float32], ids: NDArray[np.integer[Any]] | None = None
    ) -> NDArray[np.float32]:
        """Return the exact cosines of a unit query vector with the given chunks, in their order."""
        query = np.asarray(query, dtype=np.float32).reshape(-1)
        few = ids is not None and len(ids) <= _GATHERED * len(self)
        cosines: NDArray[np.float32] = (self._rows[ids] if few else self._rows) @ query
        return cosines if ids is None or few else cosines[ids]
