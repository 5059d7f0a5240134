"""Rows of length one: what every vector of a corpus is."""

import numpy as np
from numpy.typing import NDArray

__all__ = ("unit_rows",)


def unit_rows(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    """Scale rows to length 1 as float32; zero rows stay zero.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: NDArray[np.float32] = (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return scaled
