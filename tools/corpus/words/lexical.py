"""The lexical index: one sparse chunk-word count matrix that serves BM25, postings and counts.

On disk it lies by words, so that a word's postings are one slice, and by chunks, memory-mapped,
beside the sorted vocabulary with its stems and the impacts of the postings.

One pass over word counts finds the words, another writes rows and columns block by block.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from agent.languages import ENGLISH, main_first, stems
from tools.corpus.build_settings import Progress, silent
from tools.corpus.checksums import Blocks, Sums
from tools.corpus.mapped_files import ArrayFile, mapped, mapped_table, mapping_of, reserved
from tools.corpus.processes import in_turn
from tools.corpus.words.lexicon import Vocabulary, words

_OF_STARTS, _OF_WORDS, _OF_COUNTS = "rows.starts.npy", "rows.words.npy", "rows.counts.npy"
_OPEN = 8
_BLOCK = 4_000_000
"""Words of a block, repeats within a chunk not counted."""
_BATCH = 16_384
"""Chunks that are counted, or whose rows are cut out, at once."""
_OF_POSTINGS, _OF_KINDS = "impacts.npy", "impacts.kinds.npy"
_ROWS = 16_384
"""TF-IDF rows that are scaled at once."""


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
        np.save(directory / _OF_STARTS, self.starts)
        np.save(directory / _OF_WORDS, self.words)
        np.save(directory / _OF_COUNTS, self.counts)
        table = pl.DataFrame({"word": self.vocabulary})
        table.write_ipc(directory / "vocabulary.arrow", compression="uncompressed")

    @classmethod
    def load(cls, directory: Path) -> "Counts":
        """Map the rows in a directory; raises OSError or ValueError where they are damaged."""
        starts = mapped(directory / _OF_STARTS)
        vocabulary = mapped_table(directory / "vocabulary.arrow")["word"]
        words, counts = mapped(directory / _OF_WORDS), mapped(directory / _OF_COUNTS)
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


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The counts of a run, cut out."""

    source: Source
    """Whose vocabulary the words are of."""
    words: NDArray[np.int32]
    counts: NDArray[np.unsignedinteger[Any]]
    sizes: NDArray[np.int64]
    """How many words each chunk holds."""


def _cut(runs: Iterable[Run]) -> Iterator[Rows]:
    """Yield the rows of each run, a long one in pieces; few of the places are open at a time."""
    opened = lru_cache(maxsize=_OPEN)(counts_of)
    for run in runs:
        for first in range(run.first, run.stop, _BATCH):
            counts = opened(run.source)
            starts = counts.starts[first : min(first + _BATCH, run.stop) + 1]
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
        groups: dict[Source, list[Run]] = {}
        for run in runs:
            groups.setdefault(run.source, []).append(run)
        frequencies = {source: _frequency(source, own) for source, own in groups.items()}
        words = {
            source: counts_of(source).vocabulary.gather(np.flatnonzero(frequency))
            for source, frequency in frequencies.items()
        }
        none = pl.Series("word", [], pl.String)
        vocabulary = pl.concat([none, *words.values()]).unique().sort()
        held = np.zeros(len(vocabulary), dtype=np.int64)
        lookups: dict[Source, NDArray[np.int32]] = {}
        for source, frequency in frequencies.items():
            found = vocabulary.search_sorted(words[source]).cast(pl.Int32).to_numpy()
            lookups[source] = np.full(len(frequency), -1, dtype=np.int32)
            lookups[source][frequency > 0] = found
            held[found] += frequency[frequency > 0]
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
    for block in _in_blocks(_cut(runs)):
        frequency += np.bincount(np.concatenate([each.words for each in block]), minlength=words)
    return frequency


def _in_blocks(rows: Iterable[Rows]) -> Iterator[list[Rows]]:
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


def save_impacts(directory: Path) -> None:
    """Write the kinds of the postings of the index that is in a directory.

    A kind is how often a chunk of some length holds a word: every count from one to the greatest in
    a chunk of that length makes one. Of each, a file of its own says both.
    """
    most, lengths = Counts.load(directory).greatest(), mapped(directory / "lengths.npy")
    greatest = np.zeros(int(lengths.max(initial=0)) + 1, dtype=np.int64)
    np.maximum.at(greatest, lengths, most)
    ends = np.cumsum(greatest)
    before = ends - greatest
    total = int(ends[-1])
    times = np.arange(1, total + 1) - np.repeat(before, greatest)
    table = np.stack([times, np.repeat(np.arange(len(greatest)), greatest)])
    np.save(directory / _OF_KINDS, table.astype(np.int32))
    zeroth = (before - 1).astype(np.int32)[lengths]  # what to add to a count for its kind
    chunks, counts = mapped(directory / "chunks.npy"), mapped(directory / "counts.npy")
    spans = (slice(first, first + _BLOCK) for first in range(0, len(chunks), _BLOCK))
    kind = np.min_scalar_type(max(total - 1, 0))
    with ArrayFile(directory / _OF_POSTINGS, (len(chunks),), kind) as postings:
        for block in in_turn(lambda span: np.take(zeroth, chunks[span]) + counts[span], spans):
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
        self, directory: Path, sums: Sums | None = None, spoken: Spoken | None = None
    ) -> None:
        """Map the index in a directory; raises OSError or ValueError where it is damaged."""
        self.lengths: NDArray[np.int32] = mapped(directory / "lengths.npy")
        """Words in each chunk, (N,)."""
        self._spoken = spoken or Spoken((ENGLISH,), np.zeros(len(self.lengths), np.intp))
        table = mapped_table(directory / "vocabulary.arrow")
        super().__init__(table, len(self.lengths), self._spoken.languages)
        self._starts = mapped(directory / "starts.npy")
        self._chunks = mapped(directory / "chunks.npy")
        self._counts = mapped(directory / "counts.npy")
        self._impacts = mapped(directory / _OF_POSTINGS)
        """The kind of each posting."""
        self._kinds = mapped(directory / _OF_KINDS)
        """Of each kind how often a chunk holds the word, and the words in that chunk, (2, K)."""
        self._rows = Counts.load(directory)
        rows = {_OF_WORDS: self._rows.words, _OF_COUNTS: self._rows.counts}
        self._blocks = [
            Blocks(mapping_of(each), f"{directory.name}/{file}", sums)
            for file, each in rows.items()
            if sums is not None
        ]
        sizes = {len(each) for each in (self._chunks, self._counts, self._impacts, *rows.values())}
        if len(self._starts) != len(table) + 1 or sizes != {int(self._starts[-1])}:
            raise ValueError("the lexical index's files do not belong together")

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
        self.check()
        return self._by_chunk[chunks]

    @cached_property
    def _by_chunk(self) -> Any:
        """The counts as a SciPy CSR matrix (N, V), on the mapped arrays."""
        from scipy.sparse import csr_matrix

        arrays = (self._rows.counts, self._rows.words, self._rows.starts)
        return csr_matrix(arrays, shape=(len(self.lengths), len(self)), copy=False)

    def check(self) -> None:
        """Compare the counts by chunk with their checksums, once; raises CorpusDamaged."""
        for each in self._blocks:
            each.check()

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


def build_lexical(texts: Iterable[str], directory: Path) -> LexicalIndex:
    """Count the words of the chunks' texts, write the index and return it mapped."""
    rest = iter(texts)
    batches = iter(lambda: list(islice(rest, _BATCH)), [])
    runs = [Run(each, 0, len(each.starts) - 1) for each in map(count_words, batches)]
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
        stemmed = beside.submit(_save_words, words, directory)
        _save_matrix(runs, columns, directory, progress)
        stemmed.result()
    save_impacts(directory)
    return LexicalIndex(directory)


def _save_words(words: pl.Series, directory: Path) -> None:
    forms = {"word": words, "stem": stems(words.to_list())}
    table = pl.DataFrame(forms, schema={"word": pl.String, "stem": pl.String})
    table.write_ipc(directory / "vocabulary.arrow", compression="uncompressed")


def _extent(runs: Sequence[Run]) -> tuple[NDArray[np.int64], Any]:
    """Return where each chunk's row begins, (N + 1,), and the type that holds all counts."""
    sizes, kinds = [np.zeros(1, np.int64)], [np.dtype(np.uint8)]
    for each in _cut(runs):
        sizes.append(each.sizes)
        kinds.append(each.counts.dtype)
    return np.cumsum(np.concatenate(sizes)), np.result_type(*kinds)


def _save_matrix(
    runs: Sequence[Run], columns: Columns, directory: Path, progress: Progress
) -> None:
    starts, kind = _extent(runs)
    np.save(directory / _OF_STARTS, starts)
    total, chunks = int(starts[-1]), len(starts) - 1
    postings = np.concatenate(([0], np.cumsum(columns.held)))
    wide = np.int32 if postings[-1] <= np.iinfo(np.int32).max else np.int64
    np.save(directory / "starts.npy", postings.astype(wide))
    free = postings[:-1].copy()
    held = reserved(directory / "chunks.npy", total, np.int32)
    times = reserved(directory / "counts.npy", total, kind)
    done = 0
    with (
        ArrayFile(directory / _OF_WORDS, (total,), np.int32) as words,
        ArrayFile(directory / _OF_COUNTS, (total,), kind) as counts,
        ArrayFile(directory / "lengths.npy", (chunks,), np.int32) as lengths,
    ):
        for rows, parts in in_turn(columns.matrices, _in_blocks(_cut(runs))):
            words.append(rows.indices)
            counts.append(rows.data)
            lengths.append(np.asarray(rows.sum(axis=1)).ravel())
            own = np.diff(parts.indptr)  # in a column, blocks follow one another
            places = np.repeat(free - parts.indptr[:-1], own) + np.arange(len(parts.indices))
            held[places], times[places] = parts.indices + done, parts.data
            free += own
            done += rows.shape[0]
            progress("words", done, chunks)
