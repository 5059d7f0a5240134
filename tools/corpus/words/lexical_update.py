"""Bringing a lexical index up to date: what is kept is copied, what came is put in between.

The result is the index that would be written from nothing, at a fraction of its work: only the
words of new chunks are sorted, looked up and stemmed; all else is renumbered through tables, block
by block. In memory are the new chunks' words, the tables and a block a core.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tools.corpus.processes.threads import in_turn
from tools.corpus.progress import Progress, silent
from tools.corpus.storage.array_file import ArrayFile, loaded, mapped
from tools.corpus.storage.arrow_file import mapped_table
from tools.corpus.words.appended_rows import AppendedRows
from tools.corpus.words.columns import Columns, blocks, frequency_of
from tools.corpus.words.counts import (
    COUNTS,
    STARTS,
    WORDS,
    Counted,
    Counts,
    InMemory,
    Rows,
    Run,
    cut,
)
from tools.corpus.words.impacts import Kinds
from tools.corpus.words.lexical import LexicalIndex
from tools.corpus.words.lexical_build import extent, save_starts, save_words
from tools.corpus.words.merged_postings import MergedPostings, Postings
from tools.corpus.words.merged_words import MergedWords

if TYPE_CHECKING:
    import polars as pl

__all__ = ("LexicalUpdate", "updatable")

_MOST = 100_000
"""New chunks whose words are held in memory together."""


def updatable(places: NDArray[np.int64]) -> bool:
    """Return whether kept chunks follow one another as before, and the new ones are few enough.

    Args:
        places: where each chunk was before, or -1, (N,).
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
    rows: InMemory
    postings: Postings
    lengths: NDArray[np.int32]

    @classmethod
    def load(cls, directory: Path) -> "_Before":
        names = ("starts", "chunks", "counts", "lengths")
        *postings, lengths = (mapped(directory / f"{each}.npy") for each in names)
        table = mapped_table(directory / "vocabulary.arrow")
        return cls(directory, table, InMemory(Counts.load(directory)), Postings(*postings), lengths)

    def held(self, numbers: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return in how many of the chunks that have a number each word stands, (V,)."""
        edges = np.flatnonzero(np.diff(np.concatenate(([0], numbers < 0, [0]))))
        gone = [Run(self.rows, *span) for span in edges.reshape(-1, 2).tolist()]
        return np.diff(self.postings.starts) - frequency_of(self.rows, gone)


@dataclass(frozen=True, slots=True, eq=False)
class _Fresh:
    """The new chunks' words, in memory."""

    columns: Columns
    rows: InMemory
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
            InMemory(Counts(columns.vocabulary, rows.indptr, rows.indices, rows.data)),
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

        Args:
            before: the directory of the index to start from.
            places: where each of the chunks is there, or -1, (N,); they are `updatable`.
            runs: the chunks; each run is of kept chunks or of new ones.
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
            appended = AppendedRows(self.old.directory, self.old.rows.held, self._own(), self.words)
            if appended.are_worth_it(self.places):
                appended.save(directory, self.places)
                progress("words", len(self.places), len(self.places))
            else:
                self._save_rows(directory, progress)
            self._save_postings(directory)
            saved.result()
        return LexicalIndex.load(directory)

    def _save_rows(self, directory: Path, progress: Progress) -> None:
        """Write the counts by chunk."""
        runs = self._runs()
        starts, kind = extent(runs)
        np.save(directory / STARTS, starts)
        places = np.concatenate((self.words.old, self.words.fresh))
        first: dict[Counted, int] = {self.old.rows: 0, self.fresh.rows: len(self.words.old)}

        def renumbered(block: Sequence[Rows]) -> tuple[NDArray[np.int32], Sequence[Rows]]:
            """All at once: each step on its own would wait for other threads' Python."""
            words = np.concatenate([each.words for each in block])
            sizes = [len(each.words) for each in block]
            words += np.repeat([first[each.source] for each in block], sizes).astype(np.int32)
            return np.take(places, words), block

        done = 0
        with (
            ArrayFile(directory / WORDS, (int(starts[-1]),), np.int32) as words,
            ArrayFile(directory / COUNTS, (int(starts[-1]),), kind) as counts,
        ):
            for columns, block in in_turn(renumbered, blocks(cut(runs))):
                words.append(columns)
                counts.append(np.concatenate([each.counts for each in block]))
                done += sum(len(each.sizes) for each in block)
                progress("words", done, len(self.places))

    def _own(self) -> Counts:
        """Return the new chunks' rows."""
        return self.fresh.rows.held

    def _save_kinds(self, directory: Path) -> Kinds:
        new, old = self.places < 0, self.old.rows.held.greatest()
        most = np.empty(len(self.places), dtype=np.result_type(old, self._own().counts))
        most[new], most[~new] = self._own().greatest(), old[self.places[~new]]
        return Kinds.save(directory, loaded(directory / "lengths.npy"), most)

    def _save_lengths(self, directory: Path) -> None:
        """Write each chunk's length in words."""
        own = self._own()
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

    def _runs(self) -> list[Run]:
        """Return the chunks as runs of the old rows and of the new ones."""
        new = self.places < 0
        rows = np.where(new, np.cumsum(new) - 1, self.places)
        apart = (np.diff(rows) != 1) | (new[1:] != new[:-1])
        edges = [0, *(np.flatnonzero(apart) + 1).tolist(), len(rows)]
        return [
            Run(
                (self.fresh if new[first] else self.old).rows,
                int(rows[first]),
                int(rows[stop - 1]) + 1,
            )
            for first, stop in pairwise(edges)
        ]
