"""Latent semantic analysis, fitted on the corpus: offline, deterministic, no weights to fetch.

TF-IDF with sublinear term frequency (1 + ln tf), smoothed idf (ln((1 + N) / (1 + n)) + 1) and unit
rows, then a truncated SVD (Halko et al. 2011) to at most 256 dimensions, then unit rows again.
"""

import json
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agent.small_files import read_small
from tools.corpus.embeddings.vectors import unit_rows
from tools.corpus.mapped_files import mapped
from tools.corpus.processes import in_turn
from tools.corpus.words.lexical import LexicalIndex, tf_idf
from tools.corpus.words.lexicon import words

_FEW = 20_000
_MORE = 10
_POWERS = 5
_BLOCK = 4_096

_Dense = NDArray[np.float32]
_Known = tuple[NDArray[np.int64], NDArray[np.float32], _Dense]
_DIMENSIONS = 256
_MOST_WORDS = 100_000
_MOST_ROWS = 100_000
_BATCH = 16_384
_SEED = 0
FACTS = "embedder.json"
_WORDS, _IDF, _COMPONENTS = "words.json", "idf.npy", "components.npy"


def principal_directions(rows: Any, dimensions: int) -> _Dense:
    """Return the right singular vectors of a CSR matrix (n, w), largest first, (dimensions, w)."""
    if rows.shape[0] > _FEW:
        return _of_many(rows, dimensions)
    from sklearn.utils.extmath import randomized_svd

    _, _, components = randomized_svd(rows, dimensions, n_iter=_POWERS, random_state=_SEED)
    return np.ascontiguousarray(components, dtype=np.float32)


def _of_many(rows: Any, dimensions: int) -> _Dense:
    from threadpoolctl import threadpool_limits

    down, across = _blocks(rows), _blocks(rows.T.tocsr())
    shape = (rows.shape[1], min(dimensions + _MORE, *rows.shape))
    drawn = np.random.default_rng(_SEED).standard_normal(shape, dtype=np.float32)
    with threadpool_limits(1, user_api="blas"):  # the threads are ours
        spanned = _spanned(down, drawn)
        for _ in range(_POWERS):
            spanned = _spanned(down, _spanned(across, spanned))
        found = _spanned(across, spanned)[:, :dimensions].T
    strongest = np.abs(found).argmax(axis=1)[:, None]
    return np.ascontiguousarray(found * np.sign(np.take_along_axis(found, strongest, axis=1)))


def _blocks(matrix: Any) -> list[Any]:
    return [matrix[first : first + _BLOCK] for first in range(0, matrix.shape[0], _BLOCK)]


def _spanned(blocks: list[Any], dense: _Dense) -> _Dense:
    """Return the left singular vectors, largest first, (m, k), of CSR blocks (m, w) by (w, k)."""

    def multiplied(block: Any) -> tuple[_Dense, _Dense]:
        made: _Dense = block @ dense
        return made, made.T @ made

    parts = list(in_turn(multiplied, blocks))
    turns = _turns(np.sum([gram for _, gram in parts], axis=0, dtype=np.float64))
    return np.concatenate(list(in_turn(lambda part: part[0] @ turns, parts)))


def _turns(gram: NDArray[np.float64]) -> _Dense:
    """Return what makes columns of this Gram matrix (k, k) orthonormal, largest first, (k, k)."""
    squares, turns = np.linalg.eigh(gram)
    squares, turns = squares[::-1], turns[:, ::-1]
    had = squares > np.finfo(np.float32).eps * len(squares) * squares[0]
    return (turns * np.where(had, 1 / np.sqrt(np.where(had, squares, 1)), 0)).astype(np.float32)


class LsaEmbedder:
    """A fitted LSA space of V' words."""

    name = "lsa"

    def __init__(
        self,
        vocabulary: Sequence[str],
        idf: NDArray[np.float32],
        components: NDArray[np.float32],
        drift: int = 0,
    ) -> None:
        self._vocabulary = vocabulary
        self._idf = idf
        self._components = components
        self.drift = drift
        """How many chunks came or went since it was fitted."""
        self._known: tuple[LexicalIndex, _Known] | None = None

    @classmethod
    def fit(cls, index: LexicalIndex, dimensions: int = _DIMENSIONS) -> "LsaEmbedder":
        """Fit on the counts of a lexical index.

        Words of one chunk only are left out of corpora of 20 chunks and more, as are the rarest
        beyond 100,000; above 100,000 chunks the space is fitted on a sample of that size.
        """
        columns = _columns(index)
        idf = index.smooth_idf[columns]
        vocabulary = index.forms(columns)
        most = min(dimensions, len(index.lengths), len(columns))
        if not most:
            return cls(vocabulary, idf, np.zeros((1, len(columns)), dtype=np.float32))
        counts = index.rows(sample(len(index.lengths)))[:, columns]
        return cls(vocabulary, idf, principal_directions(tf_idf(counts, idf), most))

    @classmethod
    def load(cls, directory: Path) -> "LsaEmbedder":
        """Map a saved space."""
        vocabulary = json.loads(read_small(directory / _WORDS))
        idf = mapped(directory / _IDF)
        components = mapped(directory / _COMPONENTS)
        if components.shape[1] != len(vocabulary) or len(idf) != len(vocabulary):
            raise ValueError("the LSA files do not belong together")
        saved = json.loads(read_small(directory / FACTS))
        return cls(vocabulary, idf, components, int(saved["drift"]))

    def drifted(self, drift: int) -> "LsaEmbedder":
        """Return the same space for a corpus of which so many chunks came or went meanwhile."""
        return LsaEmbedder(self._vocabulary, self._idf, self._components, drift)

    @property
    def dimensions(self) -> int:
        """The length of a vector, at most 256."""
        return int(self._components.shape[0])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows, (n, dimensions)."""
        from scipy.sparse import csr_matrix

        counts: list[int] = []
        columns: list[int] = []
        ends = [0]
        for text in texts:
            known = Counter(self._columns[word] for word in words(text) if word in self._columns)
            columns.extend(known.keys())
            counts.extend(known.values())
            ends.append(len(columns))
        used, places = np.unique(np.array(columns, dtype=np.int64), return_inverse=True)
        shape = (len(texts), len(used))
        counted = csr_matrix((counts, places, ends), shape=shape, dtype=np.float32)
        # A product with all components would first copy all of them, 100 MB for one query.
        return _projected(counted, self._idf[used], self._components[:, used].T)

    def rows(
        self, index: LexicalIndex, chunks: NDArray[np.integer[Any]] | None = None
    ) -> NDArray[np.float32]:
        """Return the unit rows of an index's chunks, or of some of them, (n, dimensions)."""
        wanted = np.arange(len(index.lengths)) if chunks is None else chunks
        columns, idf, tall = self._known_to(index)
        rows = np.zeros((len(wanted), self.dimensions), dtype=np.float32)
        for start in range(0, len(wanted), _BATCH):
            counts = index.rows(wanted[start : start + _BATCH])[:, columns]
            rows[start : start + _BATCH] = _projected(counts, idf, tall)
        return rows

    def save(self, directory: Path) -> None:
        """Write the words, their idf and the components."""
        directory.mkdir(parents=True)
        written = json.dumps(list(self._vocabulary), ensure_ascii=False)
        (directory / _WORDS).write_text(written, encoding="utf-8")
        np.save(directory / _IDF, self._idf)
        np.save(directory / _COMPONENTS, self._components)
        facts = {"name": self.name, "dimensions": self.dimensions, "drift": self.drift}
        (directory / FACTS).write_text(json.dumps(facts), encoding="utf-8")

    def _known_to(self, index: LexicalIndex) -> _Known:
        """Return the columns of the words that an index has, their idf, and a row for each."""
        if self._known is None or self._known[0] is not index:
            places = index.places(self._vocabulary)
            known = np.flatnonzero(places >= 0)
            tall = np.ascontiguousarray(self._components.T[known])  # or each product turned them
            self._known = index, (places[known], self._idf[known], tall)
        return self._known[1]

    @cached_property
    def _columns(self) -> dict[str, int]:
        return {word: column for column, word in enumerate(self._vocabulary)}


def _columns(index: LexicalIndex) -> NDArray[np.int64]:
    """Return the columns of the words the space is built of, ascending."""
    held = index.document_frequency
    columns = np.flatnonzero(held >= (2 if len(index.lengths) >= 20 else 1))
    most_frequent = np.argsort(-held[columns], kind="stable")[:_MOST_WORDS]
    return np.sort(columns[most_frequent])


def sample(chunks: int) -> NDArray[np.int64]:
    """Return the chunks that a space is fitted on: all, or 100,000 of them, ascending."""
    if chunks <= _MOST_ROWS:
        return np.arange(chunks)
    return np.sort(np.random.default_rng(_SEED).choice(chunks, _MOST_ROWS, replace=False))


def _projected(
    counts: Any, idf: NDArray[np.float32], components: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the unit rows of a CSR count matrix (n, w), components being (w, d)."""
    if not all(counts.shape):
        return np.zeros((counts.shape[0], components.shape[1]), dtype=np.float32)
    return unit_rows(tf_idf(counts, idf) @ components)
