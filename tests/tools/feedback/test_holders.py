from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.feedback.holders import holders, proven


@dataclass
class Overlapping:
    """One document in chunks of 10 characters that share 4 with the one before."""

    chunk_start: NDArray[np.int32] = field(default_factory=lambda: np.array([0, 6, 12], np.int32))
    chunk_end: NDArray[np.int32] = field(default_factory=lambda: np.array([10, 16, 22], np.int32))

    def chunks_at(self, document: int, start: int, end: int) -> tuple[int, ...]:
        shared = (self.chunk_start < end) & (self.chunk_end > start)
        return tuple(np.flatnonzero(shared).tolist())


@pytest.mark.parametrize(
    ("start", "end", "chunks"),
    [(1, 3, (0,)), (6, 10, (0, 1)), (5, 9, (0,)), (8, 12, (1,)), (3, 14, ())],
    ids=["inside one", "in the overlap", "begins before", "ends after", "in none whole"],
)
def test_a_quote_is_held_by_the_chunks_it_lies_in_from_end_to_end(
    start: int, end: int, chunks: tuple[int, ...]
) -> None:
    assert holders(Overlapping(), 0, start, end) == chunks


def test_all_quotes_together_prove_their_holders() -> None:
    assert proven(Overlapping(), [(0, 6, 10), (0, 18, 20)]) == {0, 1, 2}
    assert proven(Overlapping(), []) == frozenset()
