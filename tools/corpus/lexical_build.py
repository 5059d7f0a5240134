"""Counting the words of every chunk and writing the lexical index."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from tools.corpus.lexical import LexicalIndex
from tools.corpus.stems import stems
from tools.corpus.words import words

__all__ = ("build_lexical",)

_BATCH = 16384


def build_lexical(texts: Iterable[str], directory: Path) -> LexicalIndex:
    """Count the words of the chunks' texts, write the index and return it mapped."""
    import polars as pl

    columns: defaultdict[str, int] = defaultdict(lambda: len(columns))
    blocks = [_count(batch, columns) for batch in _batches(texts)]
    vocabulary = sorted(columns)
    matrix = _stack(blocks, [columns[word] for word in vocabulary])
    directory.mkdir()
    np.save(directory / "starts.npy", matrix.indptr)
    np.save(directory / "chunks.npy", matrix.indices)
    np.save(directory / "counts.npy", _narrow(matrix.data))
    np.save(directory / "lengths.npy", np.asarray(matrix.sum(axis=1), dtype=np.int32).ravel())
    schema = {"word": pl.String, "stem": pl.String}
    table = pl.DataFrame({"word": vocabulary, "stem": stems(vocabulary)}, schema=schema)
    table.write_ipc(directory / "vocabulary.arrow", compression="uncompressed")
    return LexicalIndex.load(directory)


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(texts)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def _count(batch: Sequence[str], columns: defaultdict[str, int]) -> Any:
    """Count one batch: a CSR matrix (chunks, words known so far); new words extend `columns`."""
    from scipy.sparse import csr_matrix

    ids: list[int] = []
    ends = [0]
    for text in batch:
        ids.extend([columns[word] for word in words(text)])
        ends.append(len(ids))
    ones = np.ones(len(ids), dtype=np.int32)
    shape = (len(batch), len(columns))
    block = csr_matrix((ones, np.asarray(ids, dtype=np.int32), np.asarray(ends)), shape=shape)
    block.sum_duplicates()
    return block


def _stack(blocks: list[Any], order: Sequence[int]) -> Any:
    """Stack the batches and sort the columns: a canonical CSC matrix (N, V)."""
    from scipy.sparse import csc_matrix, vstack

    for block in blocks:
        block.resize(block.shape[0], len(order))
    if not blocks:
        return csc_matrix((0, 0), dtype=np.int32)
    matrix = vstack(blocks, format="csc")[:, np.asarray(order, dtype=np.int64)]
    matrix.sort_indices()
    return matrix


def _narrow(counts: Any) -> Any:
    """Return the counts in the smallest unsigned type that holds them."""
    return counts.astype(np.min_scalar_type(int(counts.max()) if len(counts) else 0))
