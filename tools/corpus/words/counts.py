"""Word counts of chunks, a row a chunk: what the lexical index is made of."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tools.corpus.mapped_files import mapped, mapped_table
from tools.corpus.words.tokenizer import words

STARTS, WORDS, COUNTS = "rows.starts.npy", "rows.words.npy", "rows.counts.npy"
_OPEN = 8
_LONG = 16_384
_BLOCK = 4_000_000
"""Words of a block, repeats within a chunk not counted."""


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Which words each of N chunks holds, and how often, in compressed rows."""

    vocabulary: pl.Series
    """The words, each once, in any order."""
    starts: NDArray[np.int64]
    """Where each chunk's row begins, (N + 1,)."""
    words: NDArray[np.int32]
    """The places of the words in the vocabulary, row after row; they ascend within a row."""
    counts: NDArray[np.unsignedinteger[Any]]
    """How often the chunk holds each."""

    def greatest(self) -> NDArray[np.integer[Any]]:
        """Return how often each chunk holds a word at most, 0 where it holds none, (N,)."""
        greatest = np.zeros(len(self.starts) - 1, dtype=self.counts.dtype)
        held = np.flatnonzero(np.diff(self.starts))
        if len(held):
            greatest[held] = np.maximum.reduceat(self.counts, self.starts[held])
        return greatest

    def save(self, directory: Path) -> None:
        """Write the rows and the vocabulary into an existing directory."""
        np.save(directory / STARTS, self.starts)
        np.save(directory / WORDS, self.words)
        np.save(directory / COUNTS, self.counts)
        table = pl.DataFrame({"word": self.vocabulary})
        table.write_ipc(directory / "vocabulary.arrow", compression="uncompressed")

    @classmethod
    def load(cls, directory: Path) -> "Counts":
        """Map the rows in a directory; raises OSError or ValueError where they are damaged."""
        starts = mapped(directory / STARTS)
        vocabulary = mapped_table(directory / "vocabulary.arrow")["word"]
        words, counts = mapped(directory / WORDS), mapped(directory / COUNTS)
        if not len(words) == len(counts) == starts[-1]:
            raise ValueError(f"the rows of {str(directory)!r} do not belong together")
        return cls(vocabulary, starts, words, counts)


Source = Counts | Path
"""Counts, or the directory that holds them."""


def counts_of(source: Source) -> Counts:
    """Return the counts; those in a directory are mapped."""
    return Counts.load(source) if isinstance(source, Path) else source


@dataclass(frozen=True, slots=True)
class Run:
    """Chunks that follow one another, of one place."""

    source: Source
    first: int
    """The first chunk's row."""
    stop: int
    """The row behind the last chunk's."""

    def __len__(self) -> int:
        return self.stop - self.first


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The counts of a run, cut out."""

    source: Source
    """Whose vocabulary the words are of."""
    words: NDArray[np.int32]
    counts: NDArray[np.unsignedinteger[Any]]
    sizes: NDArray[np.int64]
    """How many words each chunk holds."""


def cut(runs: Iterable[Run]) -> Iterator[Rows]:
    """Yield the rows of each run, a long one in pieces; few of the places are open at a time."""
    opened = lru_cache(maxsize=_OPEN)(counts_of)
    for run in runs:
        for first in range(run.first, run.stop, _LONG):
            counts = opened(run.source)
            starts = counts.starts[first : min(first + _LONG, run.stop) + 1]
            span = slice(int(starts[0]), int(starts[-1]))
            yield Rows(run.source, counts.words[span], counts.counts[span], np.diff(starts))


def count_words(texts: Iterable[str]) -> Counts:
    """Count the words of chunks.

    >>> counts = count_words(["to be or not to be", ""])
    >>> counts.vocabulary.to_list(), counts.starts.tolist()
    (['to', 'be', 'or', 'not'], [0, 4, 4])
    >>> counts.words.tolist(), counts.counts.tolist()
    ([0, 1, 2, 3], [2, 2, 1, 1])
    """
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
        counts=counts.astype(np.min_scalar_type(int(counts.max()) if len(counts) else 0)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The words that some chunk holds, sorted: a word's place is its column."""

    vocabulary: pl.Series
    """Sorted by their characters."""
    held: NDArray[np.int64]
    """In how many chunks each word stands, (V,)."""
    lookups: Mapping[Source, NDArray[np.int32]]
    """The column of each word of a source's vocabulary; -1 where no chunk holds it."""

    @classmethod
    def of(cls, runs: Sequence[Run]) -> "Columns":
        """Find the words of all runs, a source after another."""
        used: dict[Source, NDArray[np.int64]] = {}
        frequencies: dict[Source, NDArray[np.int64]] = {}
        for source, own in _by_source(runs).items():
            frequency = _frequency(source, own)
            used[source] = np.flatnonzero(frequency)
            frequencies[source] = frequency[used[source]]
        vocabulary, columns = _numbered(
            [counts_of(source).vocabulary.gather(places) for source, places in used.items()]
        )
        held = np.zeros(len(vocabulary), dtype=np.int64)
        lookups: dict[Source, NDArray[np.int32]] = {}
        for (source, places), found in zip(used.items(), columns, strict=True):
            lookup = np.full(len(counts_of(source).vocabulary), -1, dtype=np.int32)
            lookup[places] = found
            lookups[source] = lookup
            held[found] += frequencies[source]
        return cls(vocabulary, held, lookups)

    def matrices(self, block: Sequence[Rows]) -> tuple[Any, Any]:
        """Return the counts of the rows by these columns, as a CSR and as a CSC matrix, sorted."""
        from scipy.sparse import csr_matrix

        none = np.zeros(0, dtype=np.int32)
        words = [none, *(np.take(self.lookups[each.source], each.words) for each in block)]
        counts = [none, *(each.counts for each in block)]
        sizes = np.concatenate([np.zeros(1, np.int64), *(each.sizes for each in block)])
        shape = (len(sizes) - 1, len(self.vocabulary))
        held = (np.concatenate(counts, dtype=np.int32), np.concatenate(words), np.cumsum(sizes))
        turned = csr_matrix(held, shape=shape).tocsc()
        return turned.tocsr(), turned


def _frequency(source: Source, runs: Sequence[Run]) -> NDArray[np.int64]:
    """Return in how many chunks of a source's runs each word of its vocabulary stands."""
    words = len(counts_of(source).vocabulary)
    frequency = np.zeros(words, dtype=np.int64)
    for block in blocks(cut(runs)):
        frequency += np.bincount(np.concatenate([each.words for each in block]), minlength=words)
    return frequency


def _numbered(sources: Sequence[pl.Series]) -> tuple[pl.Series, list[NDArray[np.int32]]]:
    """Return all words, each once and sorted, and the places in them of each source's words."""
    words = pl.concat([pl.Series("word", [], pl.String), *sources]).unique().sort()
    return words, [words.search_sorted(each).cast(pl.Int32).to_numpy() for each in sources]


def blocks(rows: Iterable[Rows]) -> Iterator[list[Rows]]:
    """Yield rows in groups of at least four million words, but for the last."""
    block: list[Rows] = []
    size = 0
    for each in rows:
        block.append(each)
        size += len(each.words)
        if size >= _BLOCK:
            yield block
            block, size = [], 0
    if block:
        yield block


def _by_source(runs: Sequence[Run]) -> dict[Source, list[Run]]:
    groups: dict[Source, list[Run]] = {}
    for run in runs:
        groups.setdefault(run.source, []).append(run)
    return groups
