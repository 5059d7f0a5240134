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
from tools.corpus.words.counts import COUNTS, STARTS, greatest_of

__all__ = ("Impacts", "Kinds", "save_impacts")

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


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """How the kinds of an index's postings are numbered."""

    total: int
    """How many there are, K."""
    zeroth: NDArray[np.int32]
    """What to add to a count for its kind, by chunk, (N,)."""

    @classmethod
    def save(
        cls, directory: Path, lengths: NDArray[np.int32], most: NDArray[np.integer[Any]]
    ) -> "Kinds":
        """Write an index's kinds into its directory, and return them.

        Every count from one to the greatest in a chunk of some length makes a kind with that
        length.

        Args:
            directory: the index's.
            lengths: the words in each chunk, (N,).
            most: how often each chunk holds a word at most, (N,).
        """
        greatest = np.zeros(int(lengths.max(initial=0)) + 1, dtype=np.int64)
        np.maximum.at(greatest, lengths, most)
        ends = np.cumsum(greatest)
        before = ends - greatest
        total = int(ends[-1])
        times = np.arange(1, total + 1) - np.repeat(before, greatest)
        table = np.stack([times, np.repeat(np.arange(len(greatest)), greatest)])
        np.save(directory / _OF_KINDS, table.astype(np.int32))
        return cls(total, (before - 1).astype(np.int32)[lengths])

    def file(self, directory: Path, postings: int) -> ArrayFile:
        """Return the file of so many postings' kinds, to be written in their order."""
        kind = np.min_scalar_type(max(self.total - 1, 0))
        return ArrayFile(directory / _OF_POSTINGS, (postings,), kind)

    def of(self, chunks: NDArray[np.int32], counts: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
        """Return the kinds of postings, given their chunks and counts."""
        return np.take(self.zeroth, chunks) + counts


def save_impacts(directory: Path) -> None:
    """Write the kinds of the postings of the index that is in a directory."""
    rows = loaded(directory / STARTS), mapped(directory / COUNTS)
    kinds = Kinds.save(directory, loaded(directory / "lengths.npy"), greatest_of(*rows))
    chunks = mapped(directory / "chunks.npy")
    counts = mapped(directory / "counts.npy")
    with kinds.file(directory, len(chunks)) as postings:
        for block in in_turn(
            lambda span: kinds.of(chunks[span], counts[span]), _spans(len(chunks))
        ):
            postings.append(block)


def _spans(total: int) -> Iterator[slice]:
    for first in range(0, total, _BLOCK):
        yield slice(first, min(first + _BLOCK, total))
