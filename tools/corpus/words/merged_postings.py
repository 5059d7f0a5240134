"""The postings of a lexical index without those of chunks that went, with those of new chunks.

A posting is a chunk that holds a word, and how often it does; they lie word after word and, within
a word, by chunk. Kept chunks come in the order that they had, so that kept postings do as well: new
ones are put between them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.corpus.processes.threads import in_turn
from tools.corpus.words.impacts import Kinds
from tools.corpus.words.merged_words import MergedWords

__all__ = ("MergedPostings", "Postings")

_BLOCK = 1_000_000
"""Postings of a block."""


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Chunks and counts, word after word."""

    starts: NDArray[np.integer[Any]]
    """Where each word's begin, (V + 1,)."""
    chunks: NDArray[np.int32]
    counts: NDArray[np.integer[Any]]


Merged = tuple[NDArray[np.int32], NDArray[np.integer[Any]], NDArray[np.int32]]
"""The chunks of some postings, their counts and their kinds."""


@dataclass(frozen=True, slots=True, eq=False)
class MergedPostings:
    """Postings to be merged block by block."""

    old: Postings
    fresh: Postings
    beside: NDArray[np.int64]
    """Before which old posting each new one belongs, ascending."""
    numbers: NDArray[np.int32]
    """Which number each old chunk has now, or -1."""

    @classmethod
    def of(
        cls, old: Postings, fresh: Postings, numbers: NDArray[np.int32], words: MergedWords
    ) -> "MergedPostings":
        """Find where the new postings belong.

        Args:
            old: the postings before.
            fresh: those of the new chunks, numbered as they are now.
            numbers: which number each chunk of the old ones has now, ascending; -1 where it went.
            words: the words of both.
        """
        sizes = np.diff(fresh.starts)
        low = np.repeat(old.starts[words.beside].astype(np.int64), sizes)
        high = np.repeat(old.starts[words.beside + words.known].astype(np.int64), sizes)
        kept = np.flatnonzero(numbers >= 0)
        behind = np.concatenate(([0], kept + 1))[np.searchsorted(numbers[kept], fresh.chunks)]
        return cls(old, fresh, _first_at_least(old.chunks, low, high, behind), numbers)

    def blocks(self, kinds: Kinds) -> Iterator[Merged]:
        """Yield chunks, counts and kinds, in order; made on every core."""
        firsts = np.arange(0, max(1, len(self.old.chunks)), _BLOCK)
        bounds = np.searchsorted(self.beside, [*firsts, len(self.old.chunks)])
        bounds[-1] = len(self.beside)
        yield from in_turn(
            lambda spans: self._block(*spans, kinds),
            (
                (slice(first, first + _BLOCK), slice(*fresh))
                for first, *fresh in zip(firsts, bounds[:-1], bounds[1:], strict=True)
            ),
        )

    def _block(self, old: slice, fresh: slice, kinds: Kinds) -> Merged:
        chunks = np.take(self.numbers, self.old.chunks[old])
        stays = chunks >= 0
        beside = self.beside[fresh] - old.start
        gone = np.searchsorted(np.flatnonzero(~stays), beside)
        places = beside - gone + np.arange(len(beside))
        merged = _put(chunks[stays], self.fresh.chunks[fresh], places)
        counts = _put(self.old.counts[old][stays], self.fresh.counts[fresh], places)
        return merged, counts, kinds.of(merged, counts)


def _put(kept: NDArray[Any], fresh: NDArray[Any], places: NDArray[np.int64]) -> NDArray[Any]:
    """Return kept values with new ones between them, at these places of the result."""
    free = np.ones(len(kept) + len(fresh), dtype=np.bool_)
    free[places] = False
    merged = np.empty(len(free), dtype=np.result_type(kept, fresh))
    merged[free], merged[places] = kept, fresh
    return merged


def _first_at_least(
    values: NDArray[np.int32],
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    wanted: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return, for each span from low to high of ascending values, where those wanted begin.

    >>> values = np.array([1, 4, 6, 0, 9], dtype=np.int32)
    >>> _first_at_least(values, np.array([0, 3]), np.array([3, 5]), np.array([5, 10])).tolist()
    [2, 5]
    """
    low, high = low.copy(), high.copy()
    while len(left := np.flatnonzero(low < high)):
        middle = (low[left] + high[left]) // 2
        below = values[middle] < wanted[left]
        low[left[below]] = middle[below] + 1
        high[left[~below]] = middle[~below]
    return low
