"""What a filter works on: sets of a corpus's chunks, and their ranking."""

from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from tools.corpus.embeddings.vectors import highest


def bitmap(chunks: NDArray[np.integer[Any]]) -> BitMap:
    """Return an array of chunk ids as a set; by way of `array`, which is read without iterating.

    >>> bitmap(np.array([3, 1, 3]))
    BitMap([1, 3])
    """
    return BitMap(array("I", np.ascontiguousarray(chunks, dtype=np.uint32).tobytes()))


def ids(chunks: BitMap) -> NDArray[np.int64]:
    """Return a set's chunk ids, ascending, (n,).

    >>> ids(BitMap([5, 2]))
    array([2, 5])
    """
    return np.frombuffer(chunks.to_array(), dtype=np.uint32).astype(np.int64)


def best(
    chunks: NDArray[np.int64],
    scores: NDArray[np.floating[Any]],
    *,
    count: int | None,
    least: float | None,
) -> BitMap:
    """Return the chunks of the highest scores; of equal scores, the lowest chunk ids."""
    if least is not None:
        reached = scores >= least
        chunks, scores = chunks[reached], scores[reached]
    if count is not None and count < len(chunks):
        chunks = chunks[highest(scores, count)]
    return bitmap(chunks)
