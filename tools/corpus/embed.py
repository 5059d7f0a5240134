"""Embedding the chunks of a build: vectors of unchanged chunks are carried over where they hold.

A paid or pretrained model's vectors hold as long as the model is the same. The LSA space is the
corpus's own: it is fitted anew until the corpus is large, and then whenever a tenth of it changed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tools.corpus.array_file import ArrayFile
from tools.corpus.corpus import Corpus
from tools.corpus.embedder import Embedder
from tools.corpus.lexical import LexicalIndex
from tools.corpus.lsa import LsaEmbedder
from tools.corpus.origin import Section
from tools.corpus.progress import Progress
from tools.corpus.threads import in_turn

if TYPE_CHECKING:
    import polars as pl

__all__ = ("Carried", "Embedding", "by_text", "save_vectors", "space")

_BATCH = 256
"""Texts that a pretrained model embeds at a time."""
_BLOCK = 16_384
_SMALL = 20_000
"""Below so many chunks an LSA space is fitted in seconds, and always."""
_DRIFT = 0.1
"""The share of the chunks that may change before the LSA space is fitted again."""

Embedding = Callable[[NDArray[np.int64]], NDArray[np.float32]]
"""Returns the unit rows of the given chunks."""


@dataclass(frozen=True, slots=True)
class Carried:
    """Where the chunks of a build were in the generation before."""

    places: NDArray[np.int64]
    """For each chunk its place there, or -1 where it is new, (N,)."""
    gone: int
    """How many chunks of that generation are no longer there."""

    @classmethod
    def of(cls, sections: Sequence[Section], before: int) -> "Carried":
        """Number the sections' chunks; `before` is how many there were."""
        places = [
            np.asarray(each.chunks) if each.origin.before else np.full(len(each.chunks), -1)
            for each in sections
        ]
        numbered = np.concatenate([np.zeros(0, np.int64), *places]).astype(np.int64)
        return cls(numbered, before - int((numbered >= 0).sum()))

    def none(self) -> "Carried":
        """Return the same chunks as if all were new."""
        return Carried(np.full_like(self.places, -1), self.gone)

    @property
    def changed(self) -> int:
        """How many chunks came or went."""
        return int((self.places < 0).sum()) + self.gone


def space(
    index: LexicalIndex, carried: Carried, previous: Corpus | None, kept: Path
) -> tuple[LsaEmbedder, bool]:
    """Return the LSA space of a build, and whether it is that of the generation before.

    One that is fitted is saved at `kept`, from where a build that was killed takes it up.
    """
    old = None if previous is None else previous.embedder
    if isinstance(old, LsaEmbedder):
        drift = old.drift + carried.changed
        if len(carried.places) >= _SMALL and drift <= _DRIFT * len(carried.places):
            return old.drifted(drift), True
    if (kept / "embedder.json").is_file():
        return LsaEmbedder.load(kept), False
    fitted = LsaEmbedder.fit(index)
    fitted.save(kept)
    return fitted, False


def by_text(embedder: Embedder, texts: "pl.Series", progress: Progress) -> Embedding:
    """Return the embedding of the texts' chunks by a model that embeds texts."""

    def rows(chunks: NDArray[np.int64]) -> NDArray[np.float32]:
        made = []
        for start in range(0, len(chunks), _BATCH):
            batch = chunks[start : start + _BATCH]
            progress("embed", int(batch[0]), len(texts))
            made.append(embedder.embed(texts.gather(batch).to_list()))
        return np.concatenate(made)

    return rows


def save_vectors(
    path: Path,
    carried: Carried,
    rows: NDArray[np.float32],
    embedding: Embedding,
    progress: Progress,
    *,
    shared: bool = False,
) -> int:
    """Write the chunks' unit rows, block by block; return their length.

    Args:
        path: the file.
        carried: which of them lie in `rows` already.
        rows: the vectors of the generation before.
        embedding: makes those of the other chunks.
        progress: told how many chunks are done.
        shared: whether threads may embed blocks side by side.
    """
    total = len(carried.places)
    first = _block(0, carried, rows, embedding)

    def block(start: int) -> NDArray[np.float32]:
        return _block(start, carried, rows, embedding)

    done = len(first)
    others = range(done, total, _BLOCK)
    with ArrayFile(path, (total, first.shape[1]), np.float32) as file:
        file.append(first)
        for made in in_turn(block, others) if shared else map(block, others):
            progress("embed", done, total)
            file.append(made)
            done += len(made)
    progress("embed", total, total)
    return int(first.shape[1])


def _block(
    start: int, carried: Carried, rows: NDArray[np.float32], embedding: Embedding
) -> NDArray[np.float32]:
    places = carried.places[start : start + _BLOCK]
    fresh, known = np.flatnonzero(places < 0), np.flatnonzero(places >= 0)
    made = embedding(start + fresh) if len(fresh) else rows[:0]
    block = np.zeros((len(places), made.shape[1]), dtype=np.float32)
    block[fresh] = made
    if len(known):
        block[known] = rows[places[known]]
    return block
