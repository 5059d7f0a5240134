"""The rows of new chunks, written behind those of an index: what is there stays there.

A word keeps its number, and new words get the next ones: so rows need not be written again because
words came between the others.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.corpus.storage.array_file import stored, write_behind
from tools.corpus.storage.shared_file import share, worth_sharing
from tools.corpus.words.counts import COUNTS, PLACES, SLOTS, STARTS, WORDS, Counts
from tools.corpus.words.merged_words import MergedWords

__all__ = ("AppendedRows",)


@dataclass(frozen=True, slots=True, eq=False)
class AppendedRows:
    """The rows of an index and those of new chunks, to be kept in one file."""

    before: Path
    """The directory of the index."""
    old: Counts
    """Its rows."""
    fresh: Counts
    """Those of the new chunks, over a vocabulary of their own."""
    words: MergedWords
    """The words of both."""

    def are_worth_it(self, chunks: NDArray[np.int64]) -> bool:
        """Return whether enough of the file is still used, and its counts hold the new ones.

        Args:
            chunks: where each chunk is in the index before, or -1, (N,).
        """
        rows = self.old.rows(chunks[chunks >= 0])
        used = int((self.old.starts[rows + 1] - self.old.starts[rows]).sum())
        fit = np.can_cast(self.fresh.counts.dtype, self.old.counts.dtype)
        return fit and worth_sharing(used, stored(self.before / WORDS))

    def save(self, directory: Path, chunks: NDArray[np.int64]) -> None:
        """Write the rows into the directory of the new index; `chunks` as above."""
        for file in (WORDS, COUNTS):
            share(self.before / file, directory / file)
        places, numbers = self._numbered()
        last = int(self.old.starts[-1])
        held = max(stored(directory / file) for file in (WORDS, COUNTS))
        behind = held if len(self.fresh.words) else last
        write_behind(directory / WORDS, behind, [np.take(numbers, self.fresh.words)])
        write_behind(directory / COUNTS, behind, [self.fresh.counts])
        follow = behind == last  # else what a killed build left is a row of its own
        own = behind + self.fresh.starts.astype(np.int64)
        starts = np.concatenate((self.old.starts, own[int(follow) :]))
        new = chunks < 0
        slots = np.empty(len(chunks), dtype=np.int32)
        slots[~new] = self.old.rows(chunks[~new])
        slots[new] = len(starts) - len(self.fresh.starts) + np.arange(int(new.sum()))
        np.save(directory / STARTS, starts)
        np.save(directory / SLOTS, slots)
        np.save(directory / PLACES, places)

    def _numbered(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the place of each word number now, and the number of each word of the new rows."""
        words = self.words
        before = self.old.places
        if before is None:
            before = np.arange(len(words.old), dtype=np.int32)
        numbers = np.empty(len(words.old), dtype=np.int32)
        held = np.flatnonzero(before >= 0)
        numbers[before[held]] = held
        new = np.flatnonzero(~words.known)
        fresh = np.empty(len(words.known), dtype=np.int32)
        fresh[words.known] = numbers[words.beside[words.known]]
        fresh[new] = len(before) + np.arange(len(new))
        places = np.full(len(before), -1, dtype=np.int32)
        places[held] = words.old[before[held]]
        return np.concatenate((places, words.fresh[new])), fresh
