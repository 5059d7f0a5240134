"""Writing the chunks' vectors block by block: those of unchanged chunks stay where they are."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.corpus.building.embed import Carried, Embedding
from tools.corpus.embeddings.vectors import Vectors
from tools.corpus.processes.threads import in_turn
from tools.corpus.progress import Progress
from tools.corpus.storage.array_file import ArrayFile, stored, write_behind
from tools.corpus.storage.layout import Generation
from tools.corpus.storage.shared_file import share, worth_sharing

__all__ = ("VectorsFile",)

_BLOCK = 16_384


@dataclass(frozen=True, slots=True)
class VectorsFile:
    """The vectors of one build."""

    carried: Carried
    """Which chunks have theirs in the generation before."""
    before: Vectors | None
    """Those of the generation before; needed where chunks have theirs there."""
    embedding: Embedding
    """Makes the others."""
    progress: Progress
    shared: bool = False
    """Whether threads may embed blocks side by side."""

    def save(self, generation: Generation) -> None:
        """Write the rows, those made before by sharing their file where that is worth it."""
        known = int((self.carried.places >= 0).sum())
        total = len(self.carried.places)
        path = None if self.before is None else self.before.path
        if self.before is None or path is None or not worth_sharing(known, stored(path)):
            self._save_all(generation.vectors)
        else:
            self._save_behind(path, self.before.slots, generation)
        self.progress("embed", total, total)

    def _save_all(self, path: Path) -> None:
        total = len(self.carried.places)
        blocks = self._blocks(np.arange(total))
        first = next(blocks)
        with ArrayFile(path, (total, first.shape[1]), np.float32) as file:
            file.append(first)
            for made in blocks:
                file.append(made)

    def _save_behind(
        self, before: Path, slots: NDArray[np.integer[Any]], generation: Generation
    ) -> None:
        share(before, generation.vectors)
        places = self.carried.places
        fresh = np.flatnonzero(places < 0)
        behind = stored(generation.vectors)
        placed = np.zeros(len(places), dtype=np.int32)
        placed[places >= 0] = slots[places[places >= 0]]
        placed[fresh] = np.arange(behind, behind + len(fresh))
        write_behind(generation.vectors, behind, self._blocks(fresh))
        np.save(generation.slots, placed)

    def _blocks(self, chunks: NDArray[np.int64]) -> Iterator[NDArray[np.float32]]:
        """Yield the rows of the given chunks, block by block."""
        cuts = [chunks[start : start + _BLOCK] for start in range(0, len(chunks), _BLOCK)]
        done = 0
        for made in in_turn(self._rows, cuts) if self.shared else map(self._rows, cuts):
            self.progress("embed", done, len(self.carried.places))
            yield made
            done += len(made)

    def _rows(self, chunks: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the rows of the given chunks, some taken over and some made."""
        places = self.carried.places[chunks]
        fresh = places < 0
        if self.before is None or fresh.all():
            return self.embedding(chunks)
        rows = np.empty((len(chunks), self.before.dimensions), dtype=np.float32)
        rows[~fresh] = self.before.rows(places[~fresh])
        if fresh.any():
            rows[fresh] = self.embedding(chunks[fresh])
        return rows
