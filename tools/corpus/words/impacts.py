"""The impacts of postings: what each adds to a chunk's BM25 score, known by its kind.

BM25 asks of a posting only how often the chunk holds the word and how long the chunk is. Few such
pairs occur, some 20,000 in a million chunks: so each posting keeps the number of its pair, and a
query looks up a table that a core's cache holds, not the lengths of all chunks.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.corpus.processes.threads import in_turn
from tools.corpus.storage.array_file import ArrayFile, loaded, mapped

__all__ = ("Impacts", "save_impacts")

_BLOCK = 4_000_000
_OF_POSTINGS, _OF_KINDS = "impacts.npy", "impacts.kinds.npy"


@dataclass(frozen=True, slots=True, eq=False)
class Impacts:
    """The kinds of an index's postings, of K."""

    postings: NDArray[np.unsignedinteger[Any]]
    """The kind of each posting, a word's postings after another's."""
    times: NDArray[np.int32]
    """How often a chunk holds the word in a posting of each kind, (K,)."""
    lengths: NDArray[np.int32]
    """The words in that chunk, (K,)."""

    @classmethod
    def load(cls, directory: Path) -> "Impacts":
        """Map the kinds in a directory; raises OSError or ValueError where they are damaged."""
        times, lengths = loaded(directory / _OF_KINDS)
        return cls(mapped(directory / _OF_POSTINGS), times, lengths)

    def shares(self, damping: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return times / (times + damping) of each kind, given the dampings by length, (K,)."""
        shares: NDArray[np.float64] = self.times / (self.times + damping[self.lengths])
        return shares


def save_impacts(directory: Path) -> None:
    """Write the kinds of the postings of the index that is in a directory.

    Every count from one to the greatest in a chunk of some length makes a kind with that length.
    """
    lengths = loaded(directory / "lengths.npy")
    greatest = _greatest(directory, lengths)
    ends = np.cumsum(greatest)
    before = ends - greatest
    kinds = int(ends[-1])
    times = np.arange(1, kinds + 1) - np.repeat(before, greatest)
    table = np.stack([times, np.repeat(np.arange(len(greatest)), greatest)])
    np.save(directory / _OF_KINDS, table.astype(np.int32))
    chunks = mapped(directory / "chunks.npy")
    counts = mapped(directory / "counts.npy")
    zeroth = (before - 1).astype(np.int32)[lengths]
    with ArrayFile(
        directory / _OF_POSTINGS, (len(chunks),), np.min_scalar_type(max(kinds - 1, 0))
    ) as postings:
        for block in in_turn(
            lambda span: np.take(zeroth, chunks[span]) + counts[span], _spans(len(chunks))
        ):
            postings.append(block)


def _greatest(directory: Path, lengths: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return how often a chunk of each length holds a word at most, by length."""
    starts = loaded(directory / "rows.starts.npy")
    counts = mapped(directory / "rows.counts.npy")
    greatest = np.zeros(int(lengths.max(initial=0)) + 1, dtype=np.int64)
    held = np.flatnonzero(lengths)
    if len(held):
        np.maximum.at(greatest, lengths[held], np.maximum.reduceat(counts, starts[held]))
    return greatest


def _spans(total: int) -> Iterator[slice]:
    for first in range(0, total, _BLOCK):
        yield slice(first, min(first + _BLOCK, total))
