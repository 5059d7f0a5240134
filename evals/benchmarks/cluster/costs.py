"""What the shards of a corpus cost: seconds of one core and bytes, measured in one process."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pyroaring import BitMap

from evals.benchmarks.cluster.asking import PREDICATES
from evals.benchmarks.mixture import CHUNK_CHARACTERS, write_mixture
from tools.corpus.build_settings import BuildSettings
from tools.engines.sharded.shard_manifest import plan_shards
from tools.engines.sharded.sharded_build import build_shard, build_sharded
from tools.engines.sharded.sharded_corpus import ShardedCorpus, open_sharded
from tools.engines.sharded.sharded_engine import ShardedEngine

__all__ = ("KEPT", "SCANS", "Costs", "measured")

SCANS = ("exact", "regex", "semantic")
"""Filters that read every shard."""
KEPT = ("documents", "chunks", "words", "vectors")
"""What a shard keeps: documents and chunks with their texts, postings, vectors."""
_EMBEDDED = 2000
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Costs:
    """What a chunk costs, the mean of all."""

    chunks: int
    """Of how many it is the mean."""
    text: float
    """Bytes of its text."""
    read: float
    """Seconds to read it, chunk it, count its words and write the tables."""
    embed: float
    """Seconds to embed it by LSA."""
    scans: dict[str, float]
    """Seconds of each filter."""
    kept: dict[str, float]
    """Bytes on disk of each kind."""


def measured(chunks: int, place: Path) -> Costs:
    """Make shards of about so many chunks in an empty folder, and tell what they cost.

    Processor time, all threads together: the start of a job is in a filter's, so that the costs of
    few shards are those of many at most.
    """
    text, shards = place / "text", place / "x.shards"
    text.mkdir()
    size = write_mixture(text, chunks * CHUNK_CHARACTERS)
    settings = BuildSettings()
    plan = plan_shards([text], None, settings, size)
    read = _spent(lambda: [build_shard(each, settings) for each in plan])
    build_sharded([text], shards, shard_bytes=size // 4)
    opened = open_sharded(shards)
    count = opened.chunk_count
    return Costs(
        chunks=count,
        text=size / count,
        read=read / count,
        embed=_embedding(opened, text),
        scans={name: _scanning(opened, name) / count for name in SCANS},
        kept={folder: _bytes(shards / folder) / count for folder in KEPT},
    )


def _embedding(corpus: ShardedCorpus, text: Path) -> float:
    """Return the seconds to embed a chunk, of texts as long as chunks."""
    embedder = corpus.embedder
    if embedder is None:
        raise RuntimeError("the shards have no embedder")
    whole = "".join(file.read_text(encoding="utf-8") for file in sorted(text.iterdir()))
    cut = [whole[at * CHUNK_CHARACTERS :][:CHUNK_CHARACTERS] for at in range(_EMBEDDED)]
    texts = [each for each in cut if each]
    return _spent(lambda: embedder.embed(texts)) / len(texts)


def _scanning(corpus: ShardedCorpus, name: str) -> float:
    engine, everything = ShardedEngine(corpus), BitMap(range(corpus.chunk_count))
    return min(_spent(lambda: engine.keep(PREDICATES[name], everything)) for _ in range(_ROUNDS))


def _spent(do: Callable[[], object]) -> float:
    began = time.process_time()
    do()
    return time.process_time() - began


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
