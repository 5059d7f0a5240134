"""A Ray cluster of two nodes on this machine, and a program that asks shards on it.

Each is a process of its own, `ask` and `nodes` of this file, since a process has one runner.
"""

import hashlib
import json
import logging
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import typer
from pyroaring import BitMap

from agent.errors import HeadcountError
from tools.engines.sharded.sharded_engine import open_engine
from tools.filters.arguments import FilterArguments
from tools.filters.bm25 import Bm25Arguments
from tools.filters.metadata import MetadataArguments, PredicateArguments
from tools.filters.regex import RegexArguments
from tools.filters.semantic import SemanticArguments

BOTH = (
    PredicateArguments(field="file type", comparison="is", values=("txt",)),
    PredicateArguments(field="file size", comparison="at_least", values=("17500",)),
)
PREDICATES: Mapping[str, FilterArguments] = {
    "regex": RegexArguments(pattern=r"\b\d{4}-\d{2}-\d{2}\b"),
    "bm25": Bm25Arguments(query="asynchronous database driver", best=300),
    "semantic": SemanticArguments(query="asynchronous database driver", best=300),
    "metadata": MetadataArguments(predicates=BOTH),
}
STORE = 256 * 1024 * 1024
PATIENCE = 180
"""Seconds for a node to start: the machine may be busy."""
QUIET = {
    "RAY_raylet_start_wait_time_s": str(PATIENCE),
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DISABLE_IMPORT_WARNING": "1",
}


@contextmanager
def asking(place: Path, *, rounds: int = 1, only: str = "", cluster: str = "") -> Iterator[IO[str]]:
    """Run `ask` in a process of its own and yield its output."""
    command = [sys.executable, "-P", __file__, "ask", str(place), str(rounds), only, cluster]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process.stdout
        finally:
            process.kill()


def ask(place: str, rounds: str, only: str, cluster: str) -> None:
    """Ask every predicate, or only one, in every round.

    A line of JSON goes out before each (`{"begun": NAME}`) and after it, with how many chunks it
    kept and their digest, or with the error.
    """
    engine = open_engine(place, cluster or None)
    everything = BitMap(range(engine.corpus.chunk_count))
    for _ in range(int(rounds)):
        for name, predicate in PREDICATES.items():
            if only in ("", name):
                typer.echo(json.dumps({"begun": name}))
                try:
                    kept = engine.keep(predicate, everything)
                except HeadcountError as error:
                    told = {"error": f"{type(error).__name__}: {error}"}
                else:
                    digest = hashlib.sha256(kept.serialize()).hexdigest()
                    told = {"kept": len(kept), "digest": digest}
                typer.echo(json.dumps({"name": name} | told))


@dataclass(frozen=True, slots=True)
class Nodes:
    """A cluster that runs in a process of its own."""

    process: "subprocess.Popen[str]"
    address: str

    def kill_one(self) -> None:
        """Kill the node that is not the head, and return when it is dead."""
        self.process.stdin.write("kill\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline().strip() == "killed"


@contextmanager
def two_nodes() -> Iterator[Nodes]:
    """Start two nodes of one core each and take them down afterwards."""
    with (
        tempfile.TemporaryFile("w+") as written,
        subprocess.Popen(
            [sys.executable, "-P", __file__, "nodes"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=written,
            text=True,
            env=os.environ | QUIET,
        ) as process,
    ):
        try:
            address = process.stdout.readline().strip()
            written.seek(0)
            assert address, written.read()
            yield Nodes(process, address)
        finally:
            process.stdin.close()
            process.wait(timeout=PATIENCE)


def nodes() -> None:
    """Run a Ray cluster of two nodes until standard input ends, having printed its address.

    A line `kill` kills the second node at once, as a loss of power would, and prints `killed`.
    """
    from ray.cluster_utils import Cluster as RayCluster

    logging.getLogger("ray").setLevel(logging.ERROR)
    head = {"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False}
    cluster = RayCluster(initialize_head=True, head_node_args=head)
    other = cluster.add_node(num_cpus=1, object_store_memory=STORE)
    cluster.wait_for_nodes(timeout=PATIENCE)
    typer.echo(cluster.address)
    for line in sys.stdin:
        if line.strip() == "kill":
            other.kill_raylet(check_alive=False)
            threading.Thread(target=cluster.remove_node, args=(other, False), daemon=True).start()
            typer.echo("killed")
    cluster.shutdown()


if __name__ == "__main__":
    {"ask": ask, "nodes": nodes}[sys.argv[1]](*sys.argv[2:])
