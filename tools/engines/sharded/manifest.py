"""The manifest of a sharded corpus: its shards in order, and what is known of all of them."""

import hashlib
from collections import Counter
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, ValidationError

from agent.errors import CorpusDamaged, CorpusMissing
from tools.corpus.settings import BuildSettings
from tools.engines.sharded.place import MANIFEST, Place

__all__ = ("FORMAT", "Shard", "ShardedManifest", "content_digest")

FORMAT = 1
"""Raised with every change of the files or of what readers and chunker make of the same bytes."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Shard(_Record):
    """One shard: the receipt that its building leaves."""

    name: str
    """The digest of what it was made of; its files carry it."""
    documents: int
    chunks: int
    words: int
    """Words in all chunks, repeats counted."""
    chars: int
    """Characters of its documents."""
    keys: dict[str, int]
    """The metadata keys as written, with their document counts."""
    unreadable: tuple[tuple[str, str], ...]
    """Path and reason of every file or row that could not be read."""


class ShardedManifest(_Record):
    """Everything an engine must know before it reads a shard."""

    format: int
    settings: BuildSettings
    sources: tuple[str, ...]
    shards: tuple[Shard, ...]
    vocabulary: str
    """The digest that names the vocabulary."""
    embedder: str | None
    """The digest that names the embedder and the vectors; None where there are no vectors."""
    dimensions: int
    """The length of a vector; 0 where there are none."""

    @property
    def chunks(self) -> int:
        """The number of chunks, N."""
        return sum(shard.chunks for shard in self.shards)

    @property
    def documents(self) -> int:
        """The number of documents, D."""
        return sum(shard.documents for shard in self.shards)

    @property
    def keys(self) -> dict[str, int]:
        """The metadata keys as written with their document counts, most widespread first."""
        counts: Counter[str] = Counter()
        for shard in self.shards:
            counts.update(shard.keys)
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    @classmethod
    def load(cls, place: Place) -> "ShardedManifest":
        """Read the manifest at a place.

        Raises:
            CorpusMissing: no build has finished there.
            CorpusDamaged: it is broken, or of another version.
            CorpusUnreachable: the place cannot be read.
        """
        data = place.read(MANIFEST)
        if data is None:
            raise CorpusMissing(
                f"there is no sharded corpus at {place.root!r}: make one with "
                f"`headcount index PATH --into {place.root} --engine daft`"
            )
        try:
            manifest = cls.model_validate_json(data)
        except ValidationError as error:
            (wrong, *_) = error.errors(include_url=False)
            raise CorpusDamaged(
                f"the manifest at {place.root!r} is broken ({wrong['msg']}): index anew"
            ) from error
        if manifest.format != FORMAT:
            raise CorpusDamaged(
                f"the corpus at {place.root!r} has format {manifest.format}, this version reads "
                f"{FORMAT}: index it anew"
            )
        return manifest


def content_digest(parts: Sequence[str]) -> str:
    """Return a name for what is made of these parts, 20 hexadecimal digits.

    >>> content_digest(["a", "b"]) == content_digest(["ab"])
    False
    """
    taken = hashlib.sha256()
    for part in parts:
        taken.update(len(part.encode()).to_bytes(8) + part.encode())
    return taken.hexdigest()[:20]
