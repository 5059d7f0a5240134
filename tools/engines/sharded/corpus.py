"""A sharded corpus, opened: what is known of the whole, and where each shard's chunks begin.

Chunks are numbered 0 to N - 1 over the shards in their order, documents 0 to D - 1.
"""

from functools import cached_property
from itertools import accumulate
from pathlib import Path

from agent.errors import CorpusDamaged
from tools.corpus.embeddings.embedder import Embedder
from tools.corpus.fields.field_values import fold
from tools.corpus.words.word_forms import WordForms
from tools.engines.sharded.embedder_file import fetch_embedder
from tools.engines.sharded.manifest import Shard, ShardedManifest
from tools.engines.sharded.place import MANIFEST, Place
from tools.engines.sharded.vocabulary import ShardedVocabulary

__all__ = ("ShardedCorpus", "is_sharded", "open_sharded")


class ShardedCorpus:
    """The statistics of a sharded corpus; its texts, postings and vectors stay in the shards."""

    def __init__(self, place: Place, manifest: ShardedManifest) -> None:
        self.place = place
        self.manifest = manifest
        self.shards: tuple[Shard, ...] = manifest.shards
        starts = list(accumulate((shard.chunks for shard in self.shards), initial=0))
        self.starts: dict[str, int] = {
            shard.name: start for shard, start in zip(self.shards, starts, strict=False)
        }
        """The first chunk of each shard, by the shard's name."""

    @property
    def chunk_count(self) -> int:
        """The number of chunks, N."""
        return self.manifest.chunks

    @cached_property
    def lexical(self) -> ShardedVocabulary:
        """The word forms of all shards.

        Raises:
            CorpusDamaged: the vocabulary is missing or broken.
        """
        from polars.exceptions import PolarsError

        data = self.place.read(f"vocabulary/{self.manifest.vocabulary}.parquet")
        try:
            return ShardedVocabulary.load(data or b"", self.chunk_count)
        except PolarsError as error:
            raise CorpusDamaged(
                f"the vocabulary at {self.place.root!r} cannot be read ({error}): index anew"
            ) from error

    @cached_property
    def lexicon(self) -> WordForms:
        """What stands for a word."""
        return WordForms(self.lexical)

    @cached_property
    def embedder(self) -> Embedder | None:
        """What embeds a query; None where the corpus was indexed without vectors."""
        digest = self.manifest.embedder
        return None if digest is None else fetch_embedder(self.place, digest)

    @cached_property
    def field_names(self) -> list[str]:
        """The metadata fields, most widespread first; spellings of one key are one field."""
        names: dict[str, str] = {}
        for key in self.manifest.keys:
            names.setdefault(fold(key), key)
        return list(names.values())


def open_sharded(root: str | Path) -> ShardedCorpus:
    """Open a sharded corpus; raises as `ShardedManifest.load`, and where Daft is missing."""
    place = Place.of(root)
    return ShardedCorpus(place, ShardedManifest.load(place))


def is_sharded(root: str | Path) -> bool:
    """Return whether a location is a sharded corpus's: a URL, or a folder with its manifest."""
    place = Place.of(root)
    return place.is_remote or (place.folder / MANIFEST).is_file()
