"""Writing the lexical index from word counts, and bringing one up to date with new chunks.

From nothing, one pass finds the words, another writes rows and columns block by block. An update
gives the same: what is kept is renumbered through tables, what came is put in between.
"""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from agent.languages import stems
from tools.corpus.build_settings import Progress, silent
from tools.corpus.mapped_files import (
    ArrayFile,
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
    greatest_of,
)
from tools.corpus.words.lexical import Kinds, LexicalIndex, save_impacts

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
    """Write the index of the runs' chunks, in their order, and return it mapped."""
    directory.mkdir()
    columns = Columns.of(runs)
    words = columns.vocabulary
    with ThreadPoolExecutor(1) as beside:
        stemmed = beside.submit(lambda: _save_words(words, stems(words.to_list()), directory))
        _save_matrix(runs, columns, directory, progress)
        stemmed.result()
    save_impacts(directory)
    return LexicalIndex.load(directory)


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(texts)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def _save_words(words: pl.Series, stemmed: Sequence[str] | pl.Series, directory: Path) -> None:
    table = pl.DataFrame(
        {"word": words, "stem": stemmed}, schema={"word": pl.String, "stem": pl.String}
    )
    table.write_ipc(directory / "vocabulary.arrow", compression="uncompressed")


def _save_starts(held: NDArray[np.int64], directory: Path) -> NDArray[np.int64]:
    """Write where each word's postings begin, (V + 1,), of words in so many chunks; return it."""
    starts = np.concatenate(([0], np.cumsum(held)))
    wide = np.int32 if starts[-1] <= np.iinfo(np.int32).max else np.int64
    np.save(directory / "starts.npy", starts.astype(wide))
    return starts


def _extent(runs: Sequence[Run]) -> tuple[NDArray[np.int64], Any]:
    """Return where each chunk's row begins, (N + 1,), and the type that holds all counts."""
    sizes, kinds = [np.zeros(1, np.int64)], [np.dtype(np.uint8)]
    for each in cut(runs):
        sizes.append(each.sizes)
        kinds.append(each.counts.dtype)
    return np.cumsum(np.concatenate(sizes)), np.result_type(*kinds)


def _save_matrix(
    runs: Sequence[Run], columns: Columns, directory: Path, progress: Progress
) -> None:
    starts, kind = _extent(runs)
    np.save(directory / STARTS, starts)
    total, chunks = int(starts[-1]), len(starts) - 1
    free = _save_starts(columns.held, directory)[:-1].copy()
    held = reserved(directory / "chunks.npy", total, np.int32)
    times = reserved(directory / "counts.npy", total, kind)
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
            own = np.diff(parts.indptr)  # in a column, blocks follow one another
            places = np.repeat(free - parts.indptr[:-1], own) + np.arange(len(parts.indices))
            held[places], times[places] = parts.indices + done, parts.data
            free += own
            done += rows.shape[0]
            progress("words", done, chunks)


_BLOCK = 1_000_000
"""Postings of a block."""
_Merged = tuple[NDArray[np.int32], NDArray[np.integer[Any]], NDArray[np.int32]]
"""The chunks of some postings, their counts and their kinds."""
_MOST = 100_000
"""New chunks whose words are held in memory together."""


def updatable(places: NDArray[np.int64]) -> bool:
    """Return whether kept chunks follow one another as before, and the new ones (-1) are few."""
    kept = places[places >= 0]
    few = len(places) - len(kept) <= _MOST
    return few and len(kept) > 0 and bool((kept[1:] > kept[:-1]).all())


@dataclass(frozen=True, slots=True, eq=False)
class _MergedWords:
    """The words that some chunk holds now; nothing is sorted, and only new words are stemmed."""

    table: pl.DataFrame
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
    def of(cls, table: pl.DataFrame, left: NDArray[np.int64], columns: Columns) -> "_MergedWords":
        """Merge the old table, with how many of the kept chunks hold each word, and new columns."""
        words = columns.vocabulary
        beside = table["word"].search_sorted(words).cast(int).to_numpy()
        inside = np.flatnonzero(beside < len(table))
        known = np.zeros(len(words), dtype=np.bool_)
        known[inside] = (table["word"].gather(beside[inside]) == words.gather(inside)).to_numpy()
        frequency = left.copy()
        frequency[beside[known]] += columns.held[known]
        kept, new = np.flatnonzero(frequency), np.flatnonzero(~known)
        added = np.searchsorted(kept, beside[new])
        order = np.insert(kept, added, len(table) + np.arange(len(new)))
        total = np.insert(frequency[kept], added, columns.held[new])
        own = words.gather(new)
        more = pl.DataFrame({"word": own, "stem": stems(own.to_list())}, schema=table.schema)
        places = np.full(len(table) + len(new), -1, dtype=np.int32)
        places[order] = np.arange(len(order), dtype=np.int32)
        fresh = np.empty(len(words), dtype=np.int32)
        fresh[known], fresh[new] = places[beside[known]], places[len(table) :]
        both = pl.concat([table, more])
        return cls(both[order], total, places[: len(table)], fresh, beside, known)


class LexicalUpdate:
    """An index to be written from another and new chunks."""

    def __init__(self, before: Path, places: NDArray[np.int64], runs: Sequence[Run]) -> None:
        """Look the new chunks' words up; a run is of kept chunks or of new ones."""
        self._before = before
        self._places = places
        self._kept = places >= 0
        self._new = np.flatnonzero(places < 0).astype(np.int32)
        self._rows = Counts.load(before)
        names = ("starts", "chunks", "counts", "lengths")
        self._starts, self._chunks, self._counts, self._lengths = (
            mapped(before / f"{each}.npy") for each in names
        )
        self._numbers = np.full(len(self._lengths), -1, dtype=np.int32)
        """Which number each chunk of the old index has now, or -1."""
        self._numbers[places[self._kept]] = np.flatnonzero(self._kept)
        firsts = accumulate((each.stop - each.first for each in runs), initial=0)
        filled = [(each, first) for each, first in zip(runs, firsts, strict=False) if len(each)]
        fresh = [each for each, first in filled if places[first] < 0]
        columns = Columns.of(fresh)
        self._kind = _extent(fresh)[1]
        self._fresh, self._turned = columns.matrices(list(cut(fresh)))
        """The new chunks' counts, by row and by column."""
        table = mapped_table(before / "vocabulary.arrow")
        self._words = _MergedWords.of(table, self._held(), columns)

    def is_worth_it(self) -> bool:
        """Return whether enough of the old rows is still used, and their counts hold new ones."""
        rows = self._rows.rows(self._places[self._kept])
        used = int((self._rows.starts[rows + 1] - self._rows.starts[rows]).sum())
        fit = np.can_cast(self._kind, self._rows.counts.dtype)
        return fit and worth_sharing(used, stored(self._before / WORDS))

    def save(self, directory: Path, progress: Progress = silent) -> LexicalIndex:
        """Write the index into a directory that is made here, and return it mapped."""
        directory.mkdir()
        words, stems = self._words.table["word"], self._words.table["stem"]
        with ThreadPoolExecutor(1) as beside:
            saved = beside.submit(_save_words, words, stems, directory)
            lengths = np.asarray(self._fresh.sum(axis=1)).ravel()
            np.save(directory / "lengths.npy", self._mixed(self._lengths, lengths))
            self._save_rows(directory)
            progress("words", len(self._places), len(self._places))
            self._save_postings(directory)
            saved.result()
        return LexicalIndex.load(directory)

    def _held(self) -> NDArray[np.int64]:
        """Return in how many of the kept chunks each word of the index before stands."""
        edges = np.flatnonzero(np.diff(np.concatenate(([0], self._numbers < 0, [0]))))
        gone = [Run(self._rows, *span) for span in edges.reshape(-1, 2).tolist()]
        return np.diff(self._starts) - frequency_of(self._rows, gone)

    def _mixed(
        self, old: NDArray[np.integer[Any]], fresh: NDArray[np.integer[Any]]
    ) -> NDArray[np.int32]:
        """Return what chunks have, given what each chunk of before and each new one has, (N,)."""
        mixed = np.empty(len(self._places), dtype=np.int32)
        mixed[self._kept], mixed[~self._kept] = old[self._places[self._kept]], fresh
        return mixed

    def _save_rows(self, directory: Path) -> None:
        """Share the file of the old rows, and write the new ones behind them."""
        before, fresh = self._rows, self._fresh
        for file in (WORDS, COUNTS):
            share(self._before / file, directory / file)
        places, numbers = self._numbered()
        last = int(before.starts[-1])
        held = max(stored(directory / file) for file in (WORDS, COUNTS))
        behind = held if fresh.nnz else last
        write_behind(directory / WORDS, behind, [np.take(numbers, fresh.indices)])
        write_behind(directory / COUNTS, behind, [fresh.data])
        follow = behind == last  # else what a killed build left is a row of its own
        own = behind + fresh.indptr.astype(np.int64)
        starts = np.concatenate((before.starts, own[int(follow) :]))
        rows = before.rows(np.arange(len(self._lengths)))
        added = len(starts) - len(own) + np.arange(len(self._new))
        np.save(directory / STARTS, starts)
        np.save(directory / SLOTS, self._mixed(rows, added))
        np.save(directory / PLACES, places)

    def _numbered(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the place of each word number now, and the number of each word of the new rows."""
        words = self._words
        before = self._rows.places
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

    def _save_postings(self, directory: Path) -> None:
        own = greatest_of(self._fresh.indptr, self._fresh.data)
        kinds = Kinds.save(directory, self._mixed(self._rows.greatest(), own))
        total = int(_save_starts(self._words.held, directory)[-1])
        beside = self._beside()
        firsts = np.arange(0, max(1, len(self._chunks)), _BLOCK)
        bounds = np.searchsorted(beside, [*firsts, len(self._chunks)])
        bounds[-1] = len(beside)
        spans = zip(firsts, bounds[:-1], bounds[1:], strict=True)
        with (
            ArrayFile(directory / "chunks.npy", (total,), np.int32) as chunks,
            ArrayFile(directory / "counts.npy", (total,), self._counts.dtype) as counts,
            kinds.file(directory, total) as impacts,
        ):
            for merged in in_turn(partial(self._merged, kinds, beside), spans):
                for file, rows in zip((chunks, counts, impacts), merged, strict=True):
                    file.append(rows)

    def _beside(self) -> NDArray[np.int64]:
        """Return before which old posting each new one belongs, ascending."""
        words, kept = self._words, np.flatnonzero(self._numbers >= 0)
        behind = np.concatenate(([0], kept + 1)).astype(np.int32)
        wanted = behind[np.searchsorted(self._numbers[kept], self._new[self._turned.indices])]
        low = self._starts[words.beside].tolist()
        high = self._starts[words.beside + words.known].tolist()
        own = zip(low, high, np.split(wanted, self._turned.indptr[1:-1]), strict=False)
        found = [first + self._chunks[first:stop].searchsorted(each) for first, stop, each in own]
        return np.concatenate([np.zeros(0, np.int64), *found])

    def _merged(
        self, kinds: Kinds, beside: NDArray[np.int64], span: tuple[int, int, int]
    ) -> _Merged:
        """Return a block of old postings, renumbered, with the new ones of a span between them."""
        first, start, stop = span
        old = slice(first, first + _BLOCK)
        chunks = np.take(self._numbers, self._chunks[old])
        stays = chunks >= 0
        at = beside[start:stop] - first
        at -= np.searchsorted(np.flatnonzero(~stays), at)
        own = self._new[self._turned.indices[start:stop]]
        merged = np.insert(chunks[stays], at, own)
        counts = np.insert(self._counts[old][stays], at, self._turned.data[start:stop])
        return merged, counts, kinds.of(merged, counts)
