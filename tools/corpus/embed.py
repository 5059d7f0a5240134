"""Embedding the chunks of a build: the LSA space is fitted anew, paid vectors are carried over."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.corpus.corpus import Corpus
from tools.corpus.embedder import Embedder, new_embedder
from tools.corpus.entry import Entry
from tools.corpus.lexical import LexicalIndex
from tools.corpus.lsa import LsaEmbedder
from tools.corpus.progress import Progress
from tools.corpus.settings import BuildSettings, Endpoint

__all__ = ("Carried", "embed_chunks")

_BATCH = 256


@dataclass(frozen=True, slots=True)
class Carried:
    """The rows of an earlier generation that the same model made."""

    rows: NDArray[np.float32]
    places: NDArray[np.int64]
    """For each new chunk its row in `rows`, or -1 where there is none, (N,)."""

    @classmethod
    def of(cls, entries: Sequence[Entry], previous: Corpus | None, name: str) -> "Carried":
        """Look up the rows of the entries that were carried over."""
        same = previous is not None and previous.manifest.settings.embedder == name
        rows = previous.vectors.rows() if previous is not None and same else np.zeros((0, 0), "f4")
        places: list[int] = []
        for entry in entries:
            first, count = entry.carried, len(entry.chunks)
            known = same and first is not None
            places.extend(
                range(first, first + count) if known and first is not None else [-1] * count
            )
        return cls(rows, np.asarray(places, dtype=np.int64))


def embed_chunks(
    index: LexicalIndex,
    texts: Sequence[str],
    carried: Carried,
    settings: BuildSettings,
    endpoint: Endpoint,
    progress: Progress,
) -> tuple[Embedder, NDArray[np.float32]]:
    """Return the embedder of the settings and the chunks' unit rows, (N, d)."""
    if settings.embedder == "lsa":
        progress("embed", 0, len(texts))
        fitted = LsaEmbedder.fit(index)
        return fitted, fitted.rows(index)
    embedder = new_embedder(settings.embedder, endpoint)
    return embedder, _embedded(embedder, texts, carried, progress)


def _embedded(
    embedder: Embedder, texts: Sequence[str], carried: Carried, progress: Progress
) -> NDArray[np.float32]:
    fresh = np.flatnonzero(carried.places < 0)
    blocks: list[NDArray[np.float32]] = []
    for start in range(0, len(fresh), _BATCH):
        progress("embed", start, len(fresh))
        blocks.append(embedder.embed([texts[chunk] for chunk in fresh[start : start + _BATCH]]))
    progress("embed", len(fresh), len(fresh))
    width = blocks[0].shape[1] if blocks else carried.rows.shape[1]
    rows = np.zeros((len(texts), width), dtype=np.float32)
    kept = carried.places >= 0
    if kept.any():
        rows[kept] = carried.rows[carried.places[kept]]
    if blocks:
        rows[fresh] = np.concatenate(blocks)
    return rows
