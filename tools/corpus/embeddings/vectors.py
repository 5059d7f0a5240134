"""The chunks' vectors, memory-mapped: exact similarities over any set of chunks."""

import threading
import weakref
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from agent.errors import CorpusDamaged
from tools.corpus.checksums import Blocks, Sums
from tools.corpus.generations import Generation
from tools.corpus.mapped_files import mapped, mapping_of
from tools.corpus.processes import cores

_GATHERED = 0.1
"""Above this share of the rows a full product is quicker than gathering them."""
_INDEXED = 2_000
"""Chunks of the largest corpus with a collection: of a larger one it takes seconds to make and
saves none, since a scan of 100,000 rows takes 6 ms."""
_SPARE = 2
"""Chroma orders near ties by chance: so many times the wanted are asked for, and cut exactly."""
_DIGITS = 6
"""Cosines equal to here are ties."""
_ONE_AT_A_TIME = threading.Lock()
"""Chroma shares one client within a process and does not survive two openings at once."""
_LEFT: deque[str] = deque()
"""Collections that nobody asks any more; a collector of garbage may not delete them itself."""
_INDEX = {
    "space": "cosine",
    "ef_construction": 200,
    "ef_search": 1000,
    "max_neighbors": 32,
    "num_threads": 1,
}
"""Chroma's defaults lose 2 of 10 neighbours of a query far from all chunks; one thread, so that two
builds give one graph."""


class Vectors:
    """N unit rows of d numbers, and the nearest chunks by cosine."""

    def __init__(
        self,
        rows: NDArray[np.float32],
        path: Path | None = None,
        blocks: Blocks | None = None,
    ) -> None:
        self._rows = rows
        self._blocks = blocks
        self.path = path
        """The file of the rows; None where they are in memory alone."""

    @classmethod
    def load(cls, generation: Generation, sums: Sums | None = None) -> "Vectors":
        """Map the vectors; raises OSError or ValueError where a file is damaged."""
        path = generation.vectors
        rows = mapped(path)
        if rows.ndim != 2 or rows.dtype != np.float32:
            raise ValueError(f"{str(path)!r} does not hold float32 rows")
        return cls(rows, path, None if sums is None else Blocks(mapping_of(rows), path.name, sums))

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self._rows.shape[1])

    def check(self) -> None:
        """Compare the rows once; raises CorpusDamaged where they are others or no numbers."""
        if self._blocks is not None:
            self._blocks.check()
            if not self._finite:
                raise CorpusDamaged(f"{str(self.path)!r} holds vectors that are no numbers")

    @cached_property
    def _finite(self) -> bool:
        """Whether the rows' sum is a number, which it is where all of theirs are: one pass."""
        with np.errstate(all="ignore"):
            return bool(np.isfinite(self._rows.sum()))

    def rows(self, ids: NDArray[np.integer[Any]] | None = None) -> NDArray[np.float32]:
        """Return the rows of the given chunks, in their order; all of them without ids."""
        self.check()
        return self._rows if ids is None else self._rows[ids]

    def similarity(
        self, query: NDArray[np.float32], ids: NDArray[np.integer[Any]] | None = None
    ) -> NDArray[np.float32]:
        """Return the exact cosines of a unit query vector with the given chunks, in their order.

        A row's sum is the same wherever it stands; BLAS's is not, and takes two to three times as
        long for a single vector.
        """
        query = np.asarray(query, dtype=np.float32).reshape(-1)
        if ids is not None and len(ids) <= _GATHERED * len(self):
            near: NDArray[np.float32] = np.einsum("ij,j->i", self.rows(ids), query)
            return near
        cosines = self._products(query)
        return cosines if ids is None else cosines[ids]

    def _products(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the products of all rows, a part of them on each core."""
        self.check()
        products = np.empty(len(self._rows), dtype=np.float32)
        cuts = np.linspace(0, len(self._rows), cores() + 1).astype(int).tolist()

        def fill(start: int, end: int) -> None:
            np.einsum("ij,j->i", self._rows[start:end], query, out=products[start:end])

        with ThreadPoolExecutor(cores()) as threads:
            list(threads.map(fill, cuts, cuts[1:]))
        return products

    def nearest(self, query: NDArray[np.float32], n: int) -> list[tuple[int, float]]:
        """Return at most n chunks with their cosine to a unit query, best first, then by index.

        Of a small corpus's, more are asked of Chroma than wanted; a large corpus's, and those of
        which as many as were asked for are tied, are found by the exact product.
        """
        if n < 1:
            return []
        found = self._approximate(query, n) if 0 < len(self) <= _INDEXED else None
        if found is not None:
            return found
        return _best(np.arange(len(self)), self.similarity(query), n)

    def _approximate(self, query: NDArray[np.float32], n: int) -> list[tuple[int, float]] | None:
        """Return Chroma's nearest; None where the last of them tie with those beyond."""
        with _ONE_AT_A_TIME:
            found = self._collection.query(
                query_embeddings=np.asarray(query, dtype=np.float32).reshape(1, -1),
                n_results=min(_SPARE * n, len(self)),
                include=[],
            )
        chunks = np.sort(np.asarray([int(chunk) for chunk in found["ids"][0]], dtype=np.int64))
        best = _best(chunks, self.similarity(query, chunks), len(chunks))
        if n < len(best) < len(self):
            cosines = np.array([best[n - 1][1], best[-1][1]], np.float32)
            if len(np.unique(np.round(cosines, _DIGITS))) == 1:
                return None
        return best[:n]

    @cached_property
    def _collection(self) -> Any:
        import chromadb
        from chromadb.config import Settings

        client = chromadb.EphemeralClient(Settings(anonymized_telemetry=False, _env_file=None))
        while _LEFT:
            client.delete_collection(_LEFT.popleft())
        name = uuid4().hex
        index: Any = {"hnsw": _INDEX}
        made = client.create_collection(name, embedding_function=None, configuration=index)
        rows = self.rows(np.arange(len(self)))
        made.add(ids=[str(chunk) for chunk in range(len(rows))], embeddings=rows)
        weakref.finalize(self, _LEFT.append, name)
        return made


def unit_rows(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    """Scale rows to length 1 as float32; zero rows stay zero.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: NDArray[np.float32] = (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return scaled


def highest(scores: NDArray[np.floating[Any]], n: int) -> NDArray[np.int64]:
    """Return the places of the n highest scores, best first, of equal ones the first, at least one.

    Only those that may be among them are sorted: a million take a hundredth of a second, not half
    of one.

    >>> highest(np.array([0.5, 2.0, 1.0, 2.0]), 3).tolist()
    [1, 3, 2]
    """
    places = np.arange(len(scores))
    if n < len(scores):
        places = np.flatnonzero(scores >= np.partition(scores, -n)[-n])
    return places[np.argsort(-scores[places], kind="stable")[:n]]


def _best(
    chunks: NDArray[np.int64], cosines: NDArray[np.float32], n: int
) -> list[tuple[int, float]]:
    """Return the n chunks, ascending, of the highest cosines with these, then by index."""
    order = highest(np.round(cosines, _DIGITS), n)
    return [(int(chunks[place]), float(cosines[place])) for place in order]
