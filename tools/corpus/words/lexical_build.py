"""Writing the lexical index from word counts, and bringing one up to date with new chunks.

From nothing, two passes over runs of chunks. The first finds which words are held at all, so that
the columns are the sorted words; the second writes the rows in these columns and turns each block
into its part of the columns. In memory are the vocabulary, the places in it of the words of each
source, and a block a core.

An update gives the index that would be written from nothing, at a fraction of its work: what is
kept is copied, what came is put in between. Only the words of new chunks are sorted, looked up and
stemmed; all else is renumbered through tables, block by block. In memory are the new chunks' words,
the tables and a block a core.
"""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from agent.english import stems
from tools.corpus.build_settings import Progress, silent
from tools.corpus.mapped_files import (
    ArrayFile,
    loaded,
    mapped,
    mapped_table,
    reserved,
    share,
    stored,
    worth_sharing,
    write_behind,
)
from tools.corpus.processes import in_turn
from tools.corpus.words.counts import (
    COUNTS,
    PLACES,
    SLOTS,
    STARTS,
    WORDS,
    Columns,
    Counts,
    Run,
    blocks,
    count_words,
    cut,
    frequency_of,
)
from tools.corpus.words.lexical import Kinds, LexicalIndex, save_impacts

if TYPE_CHECKING:
    import polars as pl

_BATCH = 16_384


def build_lexical(texts: Iterable[str], directory: Path) -> LexicalIndex:
    """Count the words of the chunks' texts, write the index and return it mapped."""
    counted = [count_words(batch) for batch in _batches(texts)]
    runs = [Run(each, 0, len(each.starts) - 1) for each in counted]
    return write_lexical(runs, directory)


def write_lexical(
    runs: Sequence[Run],
    directory: Path,
    *,
    progress: Progress = silent,
) -> LexicalIndex:
    """Write the index of the runs' chunks, in their order, and return it mapped.

    Runs may share their source.
    """
    directory.mkdir()
    columns = Columns.of(runs)
    words = columns.vocabulary
    with ThreadPoolExecutor(1) as beside:
        stemmed = beside.submit(lambda: save_words(words, stems(words.to_list()), directory))
        _save_matrix(runs, columns, directory, progress)
        stemmed.result()
    save_impacts(directory)
    return LexicalIndex.load(directory)


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(texts)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def save_words(words: "pl.Series", stemmed: "Sequence[str] | pl.Series", directory: Path) -> None:
    """Write the sorted words with their stems."""
    import polars as pl

    table = pl.DataFrame(
        {"word": words, "stem": stemmed}, schema={"word": pl.String, "stem": pl.String}
    )
    table.write_ipc(directory / "vocabulary.arrow", compression="uncompressed")


def save_starts(held: NDArray[np.int64], directory: Path) -> NDArray[np.int64]:
    """Write where each word's postings begin, (V + 1,), and return it.

    `held` has in how many chunks each word stands, (V,).
    """
    starts = np.concatenate(([0], np.cumsum(held)))
    wide = np.int32 if starts[-1] <= np.iinfo(np.int32).max else np.int64
    np.save(directory / "starts.npy", starts.astype(wide))
    return starts


def extent(runs: Sequence[Run]) -> tuple[NDArray[np.int64], Any]:
    """Return where each chunk's row begins, (N + 1,), and the type that holds all counts."""
    sizes, kinds = [np.zeros(1, np.int64)], [np.dtype(np.uint8)]
    for each in cut(runs):
        sizes.append(each.sizes)
        kinds.append(each.counts.dtype)
    return np.cumsum(np.concatenate(sizes)), np.result_type(*kinds)


def _save_matrix(
    runs: Sequence[Run], columns: Columns, directory: Path, progress: Progress
) -> None:
    """Write the counts by rows and by columns, and each chunk's length in words."""
    starts, kind = extent(runs)
    np.save(directory / STARTS, starts)
    total, chunks = int(starts[-1]), len(starts) - 1
    inverted = _Inverted(columns, directory, total, kind)
    done = 0
    with (
        ArrayFile(directory / WORDS, (total,), np.int32) as words,
        ArrayFile(directory / COUNTS, (total,), kind) as counts,
        ArrayFile(directory / "lengths.npy", (chunks,), np.int32) as lengths,
    ):
        for rows, parts in in_turn(columns.matrices, blocks(cut(runs))):
            words.append(rows.indices)
            counts.append(rows.data)
            lengths.append(np.asarray(rows.sum(axis=1)).ravel())
            inverted.add(done, parts)
            done += rows.shape[0]
            progress("words", done, chunks)


class _Inverted:
    """The columns on disk, filled block by block: in a column, blocks follow one another."""

    def __init__(self, columns: Columns, directory: Path, total: int, kind: Any) -> None:
        self._free = save_starts(columns.held, directory)[:-1].copy()
        self._chunks = reserved(directory / "chunks.npy", total, np.int32)
        self._counts = reserved(directory / "counts.npy", total, kind)

    def add(self, first: int, part: Any) -> None:
        """Put the rows of the chunks from `first` on, a CSC matrix, behind those put before."""
        sizes = np.diff(part.indptr)
        places = np.repeat(self._free - part.indptr[:-1], sizes) + np.arange(len(part.indices))
        self._chunks[places] = part.indices + first
        self._counts[places] = part.data
        self._free += sizes


_BLOCK = 1_000_000
"""Postings of a block."""
Merged = tuple[NDArray[np.int32], NDArray[np.integer[Any]], NDArray[np.int32]]
"""The chunks of some postings, their counts and their kinds."""
_MOST = 100_000
"""New chunks whose words are held in memory together."""


@dataclass(frozen=True, slots=True, eq=False)
class MergedWords:
    """The words that some chunk holds now; nothing is sorted, and only new words are stemmed."""

    table: "pl.DataFrame"
    """Word and stem, sorted by the word's characters, (V,)."""
    held: NDArray[np.int64]
    """In how many chunks each stands, (V,)."""
    old: NDArray[np.int32]
    """The place of each word of the index before; -1 where no chunk holds it any more."""
    fresh: NDArray[np.int32]
    """The place of each word of the new chunks, (F,)."""
    beside: NDArray[np.int64]
    """Before which word of the index before each word of the new chunks would stand, (F,)."""
    known: NDArray[np.bool_]
    """Whether it is that word, (F,)."""

    @classmethod
    def of(
        cls,
        table: "pl.DataFrame",
        left: NDArray[np.int64],
        words: "pl.Series",
        held: NDArray[np.int64],
    ) -> "MergedWords":
        """Merge two sorted vocabularies.

        The table is the old index's, and `left` in how many of the kept chunks each of its words
        stands; words are those of the new chunks, each of which stands in `held` of them, (F,).
        """
        beside, known = _found(table["word"], words)
        frequency = left.copy()
        frequency[beside[known]] += held[known]
        kept = np.flatnonzero(frequency)
        new = np.flatnonzero(~known)
        added = np.searchsorted(kept, beside[new]) + np.arange(len(new))
        free = np.ones(len(kept) + len(new), dtype=np.bool_)
        free[added] = False
        old = np.full(len(table), -1, dtype=np.int32)
        old[kept] = np.flatnonzero(free)
        fresh = np.empty(len(words), dtype=np.int32)
        fresh[known], fresh[new] = old[beside[known]], added
        order, total = np.empty((2, len(free)), dtype=np.int64)
        order[free], order[added] = kept, len(table) + np.arange(len(new))
        total[free], total[added] = frequency[kept], held[new]
        both = _with_stems(table, words.gather(new))
        return cls(both[order], total, old, fresh, beside, known)


def _found(
    vocabulary: "pl.Series", words: "pl.Series"
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return before which word of a sorted vocabulary each word belongs, and whether it is it."""
    places = vocabulary.search_sorted(words).cast(int).to_numpy()
    inside = np.flatnonzero(places < len(vocabulary))
    known = np.zeros(len(words), dtype=np.bool_)
    known[inside] = (vocabulary.gather(places[inside]) == words.gather(inside)).to_numpy()
    return places, known


def _with_stems(table: "pl.DataFrame", words: "pl.Series") -> "pl.DataFrame":
    """Return the table with more words behind its own."""
    import polars as pl

    more = {"word": words, "stem": stems(words.to_list())}
    return pl.concat([table, pl.DataFrame(more, schema=table.schema)])


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Chunks and counts, word after word."""

    starts: NDArray[np.integer[Any]]
    """Where each word's begin, (V + 1,)."""
    chunks: NDArray[np.int32]
    counts: NDArray[np.integer[Any]]


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
        """Find where the new postings belong, whose chunks are numbered as they are now.

        Numbers are what each old chunk has now, ascending; -1 where it went.
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


def updatable(places: NDArray[np.int64]) -> bool:
    """Return whether kept chunks follow one another as before, and the new ones are few enough.

    Places are where each chunk was before, or -1, (N,).
    """
    kept = places[places >= 0]
    few = len(places) - len(kept) <= _MOST
    return few and len(kept) > 0 and bool((kept[1:] > kept[:-1]).all())


def _numbered(runs: Sequence[Run]) -> Iterator[tuple[Run, int]]:
    """Yield the runs that hold anything, with the number of their first chunk."""
    first = 0
    for run in runs:
        if run.stop > run.first:
            yield run, first
        first += run.stop - run.first


@dataclass(frozen=True, slots=True, eq=False)
class _Before:
    """The index to start from, mapped."""

    directory: Path
    table: "pl.DataFrame"
    """Word and stem."""
    rows: Counts
    postings: Postings
    lengths: NDArray[np.int32]

    @classmethod
    def load(cls, directory: Path) -> "_Before":
        names = ("starts", "chunks", "counts", "lengths")
        *postings, lengths = (mapped(directory / f"{each}.npy") for each in names)
        table = mapped_table(directory / "vocabulary.arrow")
        return cls(directory, table, Counts.load(directory), Postings(*postings), lengths)

    def held(self, numbers: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return in how many of the chunks that have a number each word stands, (V,)."""
        edges = np.flatnonzero(np.diff(np.concatenate(([0], numbers < 0, [0]))))
        gone = [Run(self.rows, *span) for span in edges.reshape(-1, 2).tolist()]
        return np.diff(self.postings.starts) - frequency_of(self.rows, gone)


@dataclass(frozen=True, slots=True, eq=False)
class _Fresh:
    """The new chunks' words, in memory."""

    columns: Columns
    rows: Counts
    postings: Postings
    """Of the new chunks, numbered from 0."""

    @classmethod
    def of(cls, runs: Sequence[Run]) -> "_Fresh":
        columns = Columns.of(runs)
        rows, turned = columns.matrices(list(cut(runs)))
        kind = extent(runs)[1]
        rows.data, turned.data = rows.data.astype(kind), turned.data.astype(kind)
        return cls(
            columns,
            Counts(columns.vocabulary, rows.indptr, rows.indices, rows.data),
            Postings(turned.indptr, turned.indices, turned.data),
        )


@dataclass(frozen=True, slots=True, eq=False)
class LexicalUpdate:
    """An index to be written from another and new chunks."""

    old: _Before
    fresh: _Fresh
    places: NDArray[np.int64]
    numbers: NDArray[np.int32]
    """Which number each chunk of the old index has now, or -1."""
    words: MergedWords

    @classmethod
    def of(cls, before: Path, places: NDArray[np.int64], runs: Sequence[Run]) -> "LexicalUpdate":
        """Look the new chunks' words up.

        Places, which are `updatable`, are where each chunk is in the index before, or -1, (N,).
        Each run is of kept chunks or of new ones.
        """
        old = _Before.load(before)
        fresh = _Fresh.of([each for each, first in _numbered(runs) if places[first] < 0])
        kept = np.flatnonzero(places >= 0)
        numbers = np.full(len(old.lengths), -1, dtype=np.int32)
        numbers[places[kept]] = kept
        columns = fresh.columns
        words = MergedWords.of(old.table, old.held(numbers), columns.vocabulary, columns.held)
        return cls(old, fresh, places, numbers, words)

    def save(self, directory: Path, progress: Progress = silent) -> LexicalIndex:
        """Write the index into a directory that is made here, and return it mapped.

        `progress` is told how many chunks are written.
        """
        directory.mkdir()
        words, stems = self.words.table["word"], self.words.table["stem"]
        with ThreadPoolExecutor(1) as beside:
            saved = beside.submit(save_words, words, stems, directory)
            self._save_lengths(directory)
            self._save_rows(directory)
            progress("words", len(self.places), len(self.places))
            self._save_postings(directory)
            saved.result()
        return LexicalIndex.load(directory)

    def is_worth_it(self) -> bool:
        """Return whether enough of the old rows is still used, and their counts hold new ones."""
        before = self.old.rows
        rows = before.rows(self.places[self.places >= 0])
        used = int((before.starts[rows + 1] - before.starts[rows]).sum())
        fit = np.can_cast(self.fresh.rows.counts.dtype, before.counts.dtype)
        return fit and worth_sharing(used, stored(self.old.directory / WORDS))

    def _save_rows(self, directory: Path) -> None:
        """Share the file of the old rows, and write the new ones behind them."""
        before, fresh = self.old.rows, self.fresh.rows
        for file in (WORDS, COUNTS):
            share(self.old.directory / file, directory / file)
        places, numbers = self._numbered()
        last = int(before.starts[-1])
        held = max(stored(directory / file) for file in (WORDS, COUNTS))
        behind = held if len(fresh.words) else last
        write_behind(directory / WORDS, behind, [np.take(numbers, fresh.words)])
        write_behind(directory / COUNTS, behind, [fresh.counts])
        follow = behind == last  # else what a killed build left is a row of its own
        own = behind + fresh.starts.astype(np.int64)
        starts = np.concatenate((before.starts, own[int(follow) :]))
        new = self.places < 0
        slots = np.empty(len(new), dtype=np.int32)
        slots[~new] = before.rows(self.places[~new])
        slots[new] = len(starts) - len(fresh.starts) + np.arange(int(new.sum()))
        np.save(directory / STARTS, starts)
        np.save(directory / SLOTS, slots)
        np.save(directory / PLACES, places)

    def _numbered(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the place of each word number now, and the number of each word of the new rows."""
        words = self.words
        before = self.old.rows.places
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

    def _save_kinds(self, directory: Path) -> Kinds:
        new, old = self.places < 0, self.old.rows.greatest()
        most = np.empty(len(self.places), dtype=np.result_type(old, self.fresh.rows.counts))
        most[new], most[~new] = self.fresh.rows.greatest(), old[self.places[~new]]
        return Kinds.save(directory, loaded(directory / "lengths.npy"), most)

    def _save_lengths(self, directory: Path) -> None:
        own = self.fresh.rows
        running = np.concatenate(([0], np.cumsum(own.counts, dtype=np.int64)))
        lengths = np.empty(len(self.places), dtype=np.int32)
        new = self.places < 0
        lengths[new] = np.diff(running[own.starts])
        lengths[~new] = self.old.lengths[self.places[~new]]
        np.save(directory / "lengths.npy", lengths)

    def _save_postings(self, directory: Path) -> None:
        """Write the counts by word, and the postings' kinds."""
        kinds = self._save_kinds(directory)
        total = int(save_starts(self.words.held, directory)[-1])
        own = self.fresh.postings
        new = np.flatnonzero(self.places < 0).astype(np.int32)
        fresh = Postings(own.starts, new[own.chunks], own.counts)
        merged = MergedPostings.of(self.old.postings, fresh, self.numbers, self.words)
        kind = np.result_type(self.old.postings.counts, own.counts)
        with (
            ArrayFile(directory / "chunks.npy", (total,), np.int32) as chunks,
            ArrayFile(directory / "counts.npy", (total,), kind) as counts,
            kinds.file(directory, total) as impacts,
        ):
            for own_chunks, own_counts, own_kinds in merged.blocks(kinds):
                chunks.append(own_chunks)
                counts.append(own_counts)
                impacts.append(own_kinds)
