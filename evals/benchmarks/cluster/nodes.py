"""`python -m evals.benchmarks.cluster.nodes`: a Ray cluster of two nodes on this machine.

Prints the address of its head. A line `kill` on standard input kills the second node at once, as a
loss of power would, and prints `killed`. At the end of the input the cluster is taken down.
"""

import logging
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pyroaring import BitMap

from evals.benchmarks.cluster.asking import PREDICATES
from evals.benchmarks.real_text import CHUNK_CHARACTERS, write_mixture
from tools.corpus.build_settings import BuildSettings
from tools.engines.sharded.shard_manifest import plan_shards
from tools.engines.sharded.sharded_build import build_shard, build_sharded
from tools.engines.sharded.sharded_corpus import ShardedCorpus, open_sharded
from tools.engines.sharded.sharded_engine import ShardedEngine

__all__ = ("KEPT", "SCANS", "Costs", "Nodes", "measured", "two_nodes")

_STORE = 256 * 1024 * 1024
_PATIENCE = 180
"""Seconds for a node to start: the machine may be busy."""
_TOLD = 2000
_QUIET = {
    "RAY_raylet_start_wait_time_s": str(_PATIENCE),
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DISABLE_IMPORT_WARNING": "1",
}


@dataclass(frozen=True, slots=True)
class Nodes:
    """A cluster that runs in a process of its own."""

    process: "subprocess.Popen[str]"
    address: str

    def kill_one(self) -> None:
        """Kill the node that is not the head, and return when it is dead."""
        if self.process.stdin is None or self.process.stdout is None:
            raise RuntimeError("the cluster's process has no pipes")
        self.process.stdin.write("kill\n")
        self.process.stdin.flush()
        if self.process.stdout.readline().strip() != "killed":
            raise RuntimeError("the node was not killed")


@contextmanager
def two_nodes() -> Iterator[Nodes]:
    """Start two nodes of one core each and take them down afterwards."""
    with tempfile.TemporaryFile("w+") as told:
        process = subprocess.Popen(
            [sys.executable, "-m", "evals.benchmarks.cluster.nodes"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=told,
            text=True,
            env=os.environ | _QUIET,
        )
        with _ended(process):
            address = process.stdout.readline().strip() if process.stdout else ""
            if not address:
                told.seek(0)
                raise RuntimeError(f"the cluster did not start: {told.read()[-_TOLD:]}")
            yield Nodes(process, address)


@contextmanager
def _ended(process: "subprocess.Popen[str]") -> Iterator[None]:
    """Take the cluster down at the end."""
    with process:
        try:
            yield
        finally:
            if process.stdin is not None:
                process.stdin.close()
            process.wait(timeout=_PATIENCE)


def _serve() -> None:
    from ray.cluster_utils import Cluster

    logging.getLogger("ray").setLevel(logging.ERROR)
    node = {
        "num_cpus": 1,
        "object_store_memory": _STORE,
        "include_dashboard": False,
    }
    cluster = Cluster(initialize_head=True, head_node_args=node)
    other = cluster.add_node(num_cpus=1, object_store_memory=_STORE)
    cluster.wait_for_nodes(timeout=_PATIENCE)
    _say(cluster.address)
    for line in sys.stdin:
        if line.strip() == "kill":
            other.kill_raylet(check_alive=False)
            threading.Thread(target=cluster.remove_node, args=(other, False), daemon=True).start()
            _say("killed")
    cluster.shutdown()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _serve()


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
