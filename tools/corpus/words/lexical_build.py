"""Writing the lexical index from the word counts of runs of chunks, block by block.

Two passes. The first finds which words are held at all, so that the columns are the sorted words;
the second writes the rows in these columns and turns each block into its part of the columns. In
memory are the vocabulary, the places in it of the words of each source, and a block a core.
"""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from agent.english import stems
from tools.corpus.build_settings import Progress, silent
from tools.corpus.mapped_files import ArrayFile, reserved
from tools.corpus.processes import in_turn
from tools.corpus.words.counts import (
    COUNTS,
    STARTS,
    WORDS,
    Columns,
    InMemory,
    Run,
    blocks,
    count_words,
    cut,
)
from tools.corpus.words.lexical import LexicalIndex, save_impacts

if TYPE_CHECKING:
    import polars as pl

_BATCH = 16_384


def build_lexical(texts: Iterable[str], directory: Path) -> LexicalIndex:
    """Count the words of the chunks' texts, write the index and return it mapped."""
    counted = [count_words(batch) for batch in _batches(texts)]
    runs = [Run(InMemory(each), 0, len(each.starts) - 1) for each in counted]
    return write_lexical(runs, directory)


def write_lexical(
    runs: Sequence[Run],
    directory: Path,
    *,
    progress: Progress = silent,
) -> LexicalIndex:
    """Write the index of the runs' chunks, in their order, and return it mapped.

    Args:
        runs: the chunks; runs may share their source.
        directory: where the index goes; made here.
        progress: told how many chunks are written.
    """
    directory.mkdir()
    columns = Columns.of(runs)
    with ThreadPoolExecutor(1) as beside:
        stemmed = beside.submit(_save_stemmed, columns.vocabulary, directory)
        _save_matrix(runs, columns, directory, progress)
        stemmed.result()
    save_impacts(directory)
    return LexicalIndex.load(directory)


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(texts)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def _save_stemmed(words: "pl.Series", directory: Path) -> None:
    save_words(words, stems(words.to_list()), directory)


def save_words(words: "pl.Series", stemmed: "Sequence[str] | pl.Series", directory: Path) -> None:
    """Write the sorted words with their stems."""
    import polars as pl

    table = pl.DataFrame(
        {"word": words, "stem": stemmed}, schema={"word": pl.String, "stem": pl.String}
    )
    table.write_ipc(directory / "vocabulary.arrow", compression="uncompressed")


def save_starts(held: NDArray[np.int64], directory: Path) -> NDArray[np.int64]:
    """Write where each word's postings begin, (V + 1,), and return it.

    Args:
        held: in how many chunks each word stands, (V,).
        directory: the index's.
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
