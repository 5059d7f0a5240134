"""The lexical index: one sparse chunk-word count matrix that serves BM25, postings and counts.

On disk it lies by words, so that a word's postings are one slice, and by chunks, memory-mapped,
beside the sorted vocabulary with its stems and the impacts of the postings.

From nothing, one pass over word counts finds the words, another writes rows and columns block by
block. An update with new chunks gives the same: what is kept is renumbered through tables, what
came is put in between.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from agent.languages import ENGLISH, main_first, stems
from tools.corpus.build_settings import Progress, silent
from tools.corpus.checksums import Blocks, Sums
from tools.corpus.mapped_files import (
    ArrayFile,
    mapped,
    mapped_table,
    mapping_of,
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
from tools.corpus.words.lexicon import Vocabulary
from tools.corpus.words.tokenizer import words

_BLOCK = 4_000_000
_OF_POSTINGS, _OF_KINDS = "impacts.npy", "impacts.kinds.npy"
_ROWS = 16_384
"""TF-IDF rows that are scaled at once."""
_ARRAYS = ("starts", "chunks", "counts", "lengths")


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """How the kinds of an index's postings are numbered.

    A kind is how often a chunk of some length holds a word: every count from one to the greatest in
    a chunk of that length makes one. Of each, the file says both.
    """

    total: int
    """How many there are, K."""
    zeroth: NDArray[np.int32]
    """What to add to a count for its kind, by chunk, (N,)."""

    @classmethod
    def save(cls, directory: Path, most: NDArray[np.integer[Any]]) -> "Kinds":
        """Write an index's kinds; `most` is how often each chunk holds a word at most, (N,)."""
        lengths = mapped(directory / "lengths.npy")
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
    kinds = Kinds.save(directory, Counts.load(directory).greatest())
    chunks, counts = mapped(directory / "chunks.npy"), mapped(directory / "counts.npy")
    spans = (slice(first, first + _BLOCK) for first in range(0, len(chunks), _BLOCK))
    with kinds.file(directory, len(chunks)) as postings:
        for block in in_turn(lambda span: kinds.of(chunks[span], counts[span]), spans):
            postings.append(block)


def tf_idf(counts: Any, idf: NDArray[np.float32]) -> Any:
    """Return the unit TF-IDF rows, (1 + ln tf) · idf, of a CSR count matrix; empty rows stay."""
    weighted = counts.astype(np.float32)
    weighted.data = (1 + np.log(weighted.data)) * idf[weighted.indices]
    for first in range(0, weighted.shape[0], _ROWS):
        starts = weighted.indptr[first : first + _ROWS + 1]
        data = weighted.data[starts[0] : starts[-1]]
        sizes = np.diff(starts)
        rows = np.repeat(np.arange(len(sizes)), sizes)
        lengths = np.sqrt(np.bincount(rows, weights=data * data, minlength=len(sizes)))
        data[:] = data / np.repeat(np.where(lengths > 0, lengths, 1), sizes)
    return weighted


@dataclass(frozen=True, slots=True, eq=False)
class Spoken:
    """The language of each of N chunks."""

    languages: tuple[str, ...]
    """Those of the documents, that of most of them first."""
    chunks: NDArray[np.intp]
    """The place among them of each chunk's, (N,)."""

    @classmethod
    def of(cls, documents: Sequence[str], chunk_document: NDArray[np.int32]) -> "Spoken":
        """Take what each document is in; where that is unknown, the main language."""
        languages = main_first(Counter(documents))
        places = {code: place for place, code in enumerate(languages)}
        own = np.array([places.get(each, 0) for each in documents], dtype=np.intp)
        return cls(languages, own[chunk_document])


class LexicalIndex(Vocabulary):
    """Word counts of N chunks over V word forms.

    BM25 scores can be negative: never filter on `score > 0`. The idf is the corpus's, whatever
    snapshot is scored.
    """

    def __init__(
        self,
        table: pl.DataFrame,
        arrays: dict[str, NDArray[Any]],
        rows: Counts,
        kinds: tuple[NDArray[np.unsignedinteger[Any]], NDArray[np.int32]],
        blocks: Sequence[Blocks] = (),
        spoken: Spoken | None = None,
    ) -> None:
        self._spoken = spoken or Spoken((ENGLISH,), np.zeros(len(arrays["lengths"]), np.intp))
        super().__init__(table, len(arrays["lengths"]), self._spoken.languages)
        self._blocks = blocks
        self._rows = rows
        self._impacts, self._kinds = kinds
        """The kind of each posting; of each kind how often a chunk holds the word, and the words in
        that chunk, (2, K)."""
        self._starts = arrays["starts"]
        self._chunks = arrays["chunks"]
        self._counts = arrays["counts"]
        self.lengths: NDArray[np.int32] = arrays["lengths"]
        """Words in each chunk, (N,)."""

    @classmethod
    def load(
        cls, directory: Path, sums: Sums | None = None, spoken: Spoken | None = None
    ) -> "LexicalIndex":
        """Map the index in a directory; raises OSError or ValueError where it is damaged."""
        table = mapped_table(directory / "vocabulary.arrow")
        arrays = {name: mapped(directory / f"{name}.npy") for name in _ARRAYS}
        rows, files = Counts.load(directory), (WORDS, COUNTS)
        blocks = [
            Blocks(mapping_of(each), f"{directory.name}/{file}", sums)
            for file, each in zip(files, (rows.words, rows.counts), strict=True)
            if sums is not None
        ]
        kinds = mapped(directory / _OF_POSTINGS), mapped(directory / _OF_KINDS)
        index = cls(table, arrays, rows, kinds, blocks, spoken)
        sizes = {len(index._chunks), len(index._counts), rows.total()}
        sizes.add(len(index._impacts))
        if len(index._starts) != len(table) + 1 or sizes != {int(index._starts[-1])}:
            raise ValueError("the lexical index's files do not belong together")
        return index

    @cached_property
    def document_frequency(self) -> NDArray[np.int64]:
        """In how many chunks each word form stands, (V,)."""
        return np.diff(self._starts).astype(np.int64)

    @property
    def matrix(self) -> Any:
        """The counts as a SciPy CSC matrix (N, V), on the mapped arrays."""
        from scipy.sparse import csc_matrix

        arrays = (self._counts, self._chunks, self._starts)
        return csc_matrix(arrays, shape=(len(self.lengths), len(self)), copy=False)

    def rows(self, chunks: NDArray[np.integer[Any]]) -> Any:
        """Return the counts of the given chunks as a SciPy CSR matrix (n, V), in their order."""
        from scipy.sparse import csr_matrix

        starts, places = self._held(chunks)
        words = self._rows.placed(self._rows.words[places])
        arrays = (self._rows.counts[places], words, starts)
        return csr_matrix(arrays, shape=(len(chunks), len(self)))

    def check(self) -> None:
        """Compare the counts by chunk with their checksums, once; raises CorpusDamaged."""
        for each in self._blocks:
            each.check()

    def _held(
        self, chunks: NDArray[np.integer[Any]]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return where the rows of the given chunks begin, (n + 1,), and their entries in all."""
        self.check()
        rows = self._rows.rows(chunks)
        first = self._rows.starts[rows]
        sizes = self._rows.starts[rows + 1] - first
        starts = np.concatenate(([0], np.cumsum(sizes)))
        return starts, np.repeat(first - starts[:-1], sizes) + np.arange(int(starts[-1]))

    def postings(self, word: str) -> NDArray[np.int32]:
        """Return the chunks that hold a word form, ascending; empty where it is unknown."""
        column = self.column(word)
        return self._chunks[self._slice(column)] if column >= 0 else self._chunks[:0]

    def holding(self, forms: Iterable[str]) -> NDArray[np.int64]:
        """Return the chunks that hold at least one of the word forms, ascending."""
        held = np.zeros(len(self.lengths), dtype=np.bool_)
        for form in forms:
            held[self.postings(form)] = True
        return np.flatnonzero(held)

    def _stands_in(self, column: int, language: int) -> bool:
        return bool((self._spoken.chunks[self._chunks[self._slice(column)]] == language).any())

    def bm25(self, query: str | Sequence[str]) -> NDArray[np.float64]:
        """Return every chunk's BM25 score for a text or a list of words, (N,)."""
        from scipy.sparse import csc_matrix

        asked = Counter(words(query) if isinstance(query, str) else query)
        found = {self.column(word): times for word, times in asked.items()}
        known = {column: times for column, times in found.items() if column >= 0}
        if not known:
            return np.zeros(len(self.lengths))
        columns = np.fromiter(known, dtype=np.int64)
        spans = [self._slice(column) for column in known]
        chunks = np.concatenate([self._chunks[span] for span in spans])
        shares = np.take(self._shares, np.concatenate([self._impacts[span] for span in spans]))
        ends = np.cumsum([0, *(span.stop - span.start for span in spans)], dtype=chunks.dtype)
        terms = csc_matrix(
            (shares, chunks, ends), shape=(len(self.lengths), len(spans)), copy=False
        )
        weights = np.fromiter(known.values(), dtype=np.float64) * self.idf[columns]
        scores: NDArray[np.float64] = terms @ (weights * (self.k1 + 1))
        return scores

    @cached_property
    def _shares(self) -> NDArray[np.float64]:
        """Of each kind of posting, the share of (k1 + 1) · idf that it adds to a score."""
        mean = self.lengths.mean() if self.lengths.any() else 1.0
        lengths = np.arange(int(self.lengths.max(initial=0)) + 1)
        damping = self.k1 * (1 - self.b + self.b * lengths / mean)
        times, lengths = self._kinds
        shares: NDArray[np.float64] = times / (times + damping[lengths])
        return shares

    def _slice(self, column: int) -> slice:
        return slice(int(self._starts[column]), int(self._starts[column + 1]))


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


_MERGED_AT_ONCE = 1_000_000
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
        self._starts, self._chunks, self._counts, self._lengths = (
            mapped(before / f"{each}.npy") for each in _ARRAYS
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
        firsts = np.arange(0, max(1, len(self._chunks)), _MERGED_AT_ONCE)
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
        old = slice(first, first + _MERGED_AT_ONCE)
        chunks = np.take(self._numbers, self._chunks[old])
        stays = chunks >= 0
        at = beside[start:stop] - first
        at -= np.searchsorted(np.flatnonzero(~stays), at)
        own = self._new[self._turned.indices[start:stop]]
        merged = np.insert(chunks[stays], at, own)
        counts = np.insert(self._counts[old][stays], at, self._turned.data[start:stop])
        return merged, counts, kinds.of(merged, counts)
