"""A snapshot over shards: which shards it touches, and which of their rows are in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from tools.engines.sharded.corpus import ShardedCorpus
from tools.engines.sharded.reading import read, yielding
from tools.filters.bitmaps import bitmap, ids

__all__ = ("Selection", "joined")

_NARROWED = 0.25
"""Below this share of the touched shards' chunks, rows are cut to the snapshot first."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The rows of a table of chunks that a job looks at."""

    corpus: ShardedCorpus
    parts: Mapping[str, BitMap]
    """The snapshot's chunks within each shard that it touches, by the shard's name."""

    @classmethod
    def of(cls, corpus: ShardedCorpus, snapshot: BitMap) -> "Selection":
        """Cut a snapshot into its shards' parts."""
        parts = {}
        for shard in corpus.shards:
            start = corpus.starts[shard.name]
            part = snapshot & BitMap(range(start, start + shard.chunks))
            if part:
                parts[shard.name] = part.shift(-start)
        return cls(corpus, parts)

    @property
    def _sizes(self) -> dict[str, int]:
        return {each.name: each.chunks for each in self.corpus.shards if each.name in self.parts}

    @property
    def is_narrow(self) -> bool:
        """Whether the rows are few enough to be cut to the snapshot before anything is asked."""
        return sum(map(len, self.parts.values())) < _NARROWED * sum(self._sizes.values())

    @property
    def rows(self) -> dict[str, int]:
        """How many rows of each shard the job looks at."""
        return (
            {name: len(part) for name, part in self.parts.items()}
            if self.is_narrow
            else (self._sizes)
        )

    def frame(self, table: str) -> Any:
        """Return the rows of `chunks` or `vectors` that the job looks at."""
        frame = read(self.corpus, table, list(self.parts))
        if not self.is_narrow:
            return frame
        return frame.where(yielding(_within(self._masks()), "bool", "shard", "chunk"))

    def _masks(self) -> dict[str, NDArray[np.bool_]]:
        """Return for each shard which of its chunks are in the snapshot."""
        masks = {name: np.zeros(size, dtype=bool) for name, size in self._sizes.items()}
        for name, part in self.parts.items():
            masks[name][ids(part)] = True
        return masks


def joined(corpus: ShardedCorpus, found: Mapping[str, NDArray[Any]]) -> BitMap:
    """Return chunks given within their shards as one set of the corpus's chunks."""
    parts = (bitmap(chunks).shift(corpus.starts[name]) for name, chunks in found.items())
    return BitMap.union(BitMap(), *parts)


def _within(masks: Mapping[str, NDArray[np.bool_]]) -> Any:
    def within(shard: Any, chunk: Any) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        names, chunks = shard.to_arrow(), chunk.to_arrow().to_numpy()
        kept = np.zeros(len(chunks), dtype=bool)
        for name in pc.unique(names).to_pylist():
            own = pc.equal(names, name).to_numpy(zero_copy_only=False)
            kept[own] = masks[name][chunks[own]]
        return pa.array(kept)

    return within
