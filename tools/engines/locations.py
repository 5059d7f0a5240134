"""From a corpus's location to what evaluates predicates over it: the location says which engine."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyroaring import BitMap

from agent.errors import SettingsError
from tools.corpus.corpus import Corpus, open_corpus
from tools.engines.sharded.daft_session import on_cluster
from tools.engines.sharded.sharded_corpus import Passage, is_sharded, open_sharded, sharded_passages
from tools.engines.sharded.sharded_engine import ShardedEngine
from tools.filters.registry import Engine, LocalEngine


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A corpus that can be filtered."""

    chunk_count: int
    engine: Engine
    passages: Callable[[BitMap], Sequence[Passage]]
    """Returns the passages of chunks, in their order."""


def open_engine(location: str, cluster: str | None = None) -> Opened:
    """Open the corpus at a location: a folder, or the place of shards.

    A Ray cluster's address has shards filtered there, else in this process.

    Raises:
        SettingsError: a cluster is named for a corpus without shards, or an extra is missing.
        CorpusMissing: there is no corpus.
        CorpusDamaged: it is broken, or of another version.
    """
    if is_sharded(location):
        if cluster is not None:
            on_cluster(cluster)
        sharded = open_sharded(location)
        return Opened(
            chunk_count=sharded.chunk_count,
            engine=ShardedEngine(sharded),
            passages=lambda chunks: sharded_passages(sharded, chunks),
        )
    if cluster is not None:
        raise SettingsError(
            f"{location!r} has no shards for a cluster: make some with "
            "`headcount index PATH --into PLACE --engine daft`"
        )
    corpus = open_corpus(Path(location))
    return Opened(
        chunk_count=len(corpus),
        engine=LocalEngine(corpus),
        passages=lambda chunks: [_passage(corpus, chunk) for chunk in chunks],
    )


def _passage(corpus: Corpus, chunk: int) -> Passage:
    return Passage(
        document=corpus.documents[int(corpus.chunk_document[chunk])],
        start=int(corpus.chunk_start[chunk]),
        end=int(corpus.chunk_end[chunk]),
        text=corpus.chunk_text(chunk),
    )
