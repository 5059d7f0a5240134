"""Embedding the chunks of a build: vectors of unchanged chunks are carried over where they hold.

A paid or pretrained model's vectors hold as long as the model is the same. The LSA space is the
corpus's own: it is fitted anew until the corpus is large, and then whenever a tenth of it changed.
"""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tools.corpus.building.origin import Section
from tools.corpus.corpus import Corpus
from tools.corpus.embeddings.embedder import Embedder
from tools.corpus.embeddings.lsa import LsaEmbedder
from tools.corpus.progress import Progress
from tools.corpus.storage.generations import flush
from tools.corpus.words.lexical import LexicalIndex

if TYPE_CHECKING:
    import polars as pl

__all__ = ("Carried", "Embedding", "by_text", "space")

_BATCH = 256
"""Texts that a pretrained model embeds at a time."""
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

    One that is fitted is saved at `kept`, whole or not at all, from where a build that was killed
    takes it up.
    """
    old = None if previous is None else previous.embedder
    if isinstance(old, LsaEmbedder):
        drift = old.drift + carried.changed
        if len(carried.places) >= _SMALL and drift <= _DRIFT * len(carried.places):
            return old.drifted(drift), True
    if not kept.is_dir():
        drafted = kept.with_name(f"{kept.name}.new")
        shutil.rmtree(drafted, ignore_errors=True)
        LsaEmbedder.fit(index).save(drafted)
        flush(drafted)
        drafted.replace(kept)
    return LsaEmbedder.load(kept), False


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
