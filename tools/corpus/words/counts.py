"""Word counts of chunks, a row a chunk: what the lexical index is made of."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tools.corpus.storage.array_file import mapped
from tools.corpus.storage.arrow_file import mapped_table
from tools.corpus.words.tokenizer import words

if TYPE_CHECKING:
    import polars as pl

__all__ = ("Counted", "Counts", "InMemory", "Rows", "Run", "count_words", "cut")

_FILES = {"starts": "rows.starts.npy", "words": "rows.words.npy", "counts": "rows.counts.npy"}
_OPEN = 8
_LONG = 16_384


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Which words each of n chunks holds, and how often, in compressed rows."""

    vocabulary: "pl.Series"
    """The words, each once, in any order."""
    starts: NDArray[np.int64]
    """Where each chunk's row begins, (n + 1,)."""
    words: NDArray[np.int32]
    """The places of the words in the vocabulary, row after row, ascending within a row."""
    counts: NDArray[np.unsignedinteger[Any]]
    """How often the chunk holds each."""

    def save(self, directory: Path) -> None:
        """Write the rows and the vocabulary into an existing directory."""
        import polars as pl

        for name, file in _FILES.items():
            np.save(directory / file, getattr(self, name))
        table = pl.DataFrame({"word": self.vocabulary})
        table.write_ipc(directory / "vocabulary.arrow", compression="uncompressed")

    @classmethod
    def load(cls, directory: Path) -> "Counts":
        """Map the rows in a directory; raises OSError or ValueError where they are damaged."""
        rows = {name: mapped(directory / each) for name, each in _FILES.items()}
        vocabulary = mapped_table(directory / "vocabulary.arrow")["word"]
        if not len(rows["words"]) == len(rows["counts"]) == rows["starts"][-1]:
            raise ValueError(f"the rows of {str(directory)!r} do not belong together")
        return cls(vocabulary, **rows)


class Counted(Protocol):
    """Where counts are to be had."""

    def __hash__(self) -> int:
        """Return a hash by which it is known again."""
        ...

    def counts(self) -> Counts:
        """Return the counts; what is on disk is mapped."""
        ...


@dataclass(frozen=True, slots=True)
class InMemory:
    """Counts that are at hand."""

    held: Counts

    def counts(self) -> Counts:
        """Return them."""
        return self.held


@dataclass(frozen=True, slots=True)
class Run:
    """Chunks that follow one another, of one place."""

    source: Counted
    first: int
    """The first chunk's row."""
    stop: int
    """The row behind the last chunk's."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The counts of a run, cut out."""

    source: Counted
    """Whose vocabulary the words are of."""
    words: NDArray[np.int32]
    counts: NDArray[np.unsignedinteger[Any]]
    sizes: NDArray[np.int64]
    """How many words each chunk holds."""


def cut(runs: Iterable[Run]) -> Iterator[Rows]:
    """Yield the rows of each run, a long one in pieces; few of the places are open at a time."""
    opened = lru_cache(maxsize=_OPEN)(_counts)
    for run in runs:
        for first in range(run.first, run.stop, _LONG):
            counts = opened(run.source)
            starts = counts.starts[first : min(first + _LONG, run.stop) + 1]
            span = slice(int(starts[0]), int(starts[-1]))
            sizes = starts[1:] - starts[:-1]
            yield Rows(run.source, counts.words[span], counts.counts[span], sizes)


def _counts(source: Counted) -> Counts:
    return source.counts()


def count_words(texts: Iterable[str]) -> Counts:
    """Count the words of chunks.

    >>> counts = count_words(["to be or not to be", ""])
    >>> counts.vocabulary.to_list(), counts.starts.tolist()
    (['to', 'be', 'or', 'not'], [0, 4, 4])
    >>> counts.words.tolist(), counts.counts.tolist()
    ([0, 1, 2, 3], [2, 2, 1, 1])
    """
    import polars as pl

    columns: defaultdict[str, int] = defaultdict(lambda: len(columns))
    places: list[int] = []
    ends: list[int] = [0]
    for text in texts:
        places.extend(map(columns.__getitem__, words(text)))
        ends.append(len(places))
    bounds = np.asarray(ends, dtype=np.int64)
    sizes = bounds[1:] - bounds[:-1]
    rows = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
    width = max(1, len(columns))
    keys, counts = np.unique(rows * width + np.asarray(places, dtype=np.int64), return_counts=True)
    starts = np.searchsorted(keys, np.arange(len(sizes) + 1, dtype=np.int64) * width)
    return Counts(
        vocabulary=pl.Series("word", list(columns), dtype=pl.String),
        starts=starts.astype(np.int64),
        words=(keys % width).astype(np.int32),
        counts=_narrow(counts),
    )


def _narrow(counts: NDArray[Any]) -> NDArray[np.unsignedinteger[Any]]:
    """Return counts in the smallest unsigned type that holds them."""
    return counts.astype(np.min_scalar_type(int(counts.max()) if len(counts) else 0))
