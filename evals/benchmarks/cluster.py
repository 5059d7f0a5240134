"""`python -m evals.benchmarks.cluster cost`: what distribution costs, also with a node lost.

It compares one index, shards in one process and shards on a Ray cluster of two nodes, and runs
`ask` and `nodes` as processes of their own.
"""

import hashlib
import json
import logging
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import IO, Annotated, Any

import typer
from pyroaring import BitMap

from agent.errors import HeadcountError
from evals.benchmarks.figures import Unequal
from evals.benchmarks.indexing_speed import build_whole
from evals.benchmarks.real_text import CHUNK_BYTES, write_mixture
from evals.benchmarks.timed_processes import apart
from evals.tables import markdown
from tools.engines.locations import open_engine
from tools.engines.sharded.sharded_build import build_sharded
from tools.filters.arguments import Engine, FilterArguments
from tools.filters.bm25 import Bm25Arguments
from tools.filters.exact import ExactArguments
from tools.filters.fuzzy import FuzzyArguments
from tools.filters.keywords import KeywordsArguments
from tools.filters.metadata import MetadataArguments, PredicateArguments
from tools.filters.regex import RegexArguments
from tools.filters.semantic import SemanticArguments

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
_MODULE = "evals.benchmarks.cluster"
_BOTH = (
    PredicateArguments(field="file type", comparison="is", values=("txt",)),
    PredicateArguments(field="file size", comparison="at_least", values=("17500",)),
)
PREDICATES: Mapping[str, FilterArguments] = {
    "exact": ExactArguments(phrase="license", case_sensitive=True),
    "regex": RegexArguments(pattern=r"\b\d{4}-\d{2}-\d{2}\b"),
    "keywords": KeywordsArguments(words=("tests", "install from source", "coverage")),
    "fuzzy": FuzzyArguments(term="documentaton"),
    "bm25": Bm25Arguments(query="asynchronous database driver", best=300),
    "semantic": SemanticArguments(query="asynchronous database driver", best=300),
    "metadata": MetadataArguments(predicates=_BOTH),
}
"""One predicate a filter."""
_WAYS = ("one index, Polars", "shards, one process", "shards, two Ray nodes")
_LOST = "regex"
"""What is asked while a node is lost."""
_Answers = Mapping[str, Sequence[Mapping[str, Any]]]
"""What `ask` printed of each predicate, round by round."""


@app.command()
def cost(
    chunks: Annotated[int, typer.Option(min=2000, help="About how many chunks.")] = 20_000,
    rounds: Annotated[int, typer.Option(min=2, help="Rounds; their median is shown.")] = 5,
    shards: Annotated[int, typer.Option(min=2, help="About how many shards.")] = 16,
) -> None:
    """Show what distribution costs on the cores of this machine.

    The two nodes of the cluster share the machine, so nothing can be quicker there: the difference
    is the price of distribution. All ways must keep the same chunks. The table goes to standard
    output, progress to standard error.
    """
    with tempfile.TemporaryDirectory(prefix="headcount-cluster-") as folder:
        place = Path(folder)
        text, whole, sharded = place / "text", place / "x.corpus", place / "x.shards"
        text.mkdir()
        size = write_mixture(text, chunks * CHUNK_BYTES)
        typer.echo(f"indexing {size / 1e6:.0f} MB: one index, then shards", err=True)
        indexed = apart(build_whole, text, whole).result
        began = time.monotonic()
        build_sharded([text], sharded, shard_bytes=size // shards)
        seconds = (indexed, time.monotonic() - began)
        typer.echo("asking one index, then shards in one process", err=True)
        answers = [_answers(each, rounds) for each in (whole, sharded)]
        typer.echo("starting two nodes", err=True)
        began = time.monotonic()
        with two_nodes() as nodes:
            started = time.monotonic() - began
            answers.append(_answers(sharded, rounds, "--cluster", nodes.address))
            typer.echo("losing a node", err=True)
            lost = list(_losing(sharded, nodes, rounds))
    _check(answers, lost)
    rows = [("index", *(f"{each:.1f} s" for each in seconds), "")]
    for name in answers[0]:
        later = ([told["seconds"] for told in each[name][1:]] for each in answers)
        rows.append((name, *(f"{1000 * median(each):.0f} ms" for each in later)))
    first = [f"{next(iter(each.values()))[0]['seconds']:.1f} s" for each in answers]
    rows.append(("the first question of a process", *first))
    rows.append(("starting the cluster", "", "", f"{started:.1f} s"))
    rows.append((f"`{_LOST}` while a node is lost", "", "", _worst(lost)))
    typer.echo(markdown(("what", *_WAYS), rows))


def _answers(place: Path, rounds: int, *options: str) -> _Answers:
    """Return what came of each predicate in each round."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    with asking(place, "--rounds", str(rounds), *options) as lines:
        for line in map(json.loads, lines):
            if "name" in line:
                found.setdefault(line["name"], []).append(line)
    return found


def _losing(place: Path, nodes: "Nodes", rounds: int) -> Iterator[Mapping[str, Any]]:
    """Ask over and over, kill a node in mid-scan of the second round, and yield the answers."""
    options = ("--rounds", str(rounds + 2), "--only", _LOST, "--cluster", nodes.address)
    begun = 0
    with asking(place, *options) as lines:
        for line in map(json.loads, lines):
            begun += "begun" in line
            if "begun" in line and begun == 2:
                nodes.kill_one()
            if "name" in line:
                yield line


def _check(answers: Sequence[_Answers], lost: Sequence[Mapping[str, Any]]) -> None:
    """Raise Unequal where any way kept other chunks; an error is no answer."""
    wanted = {name: each[0]["digest"] for name, each in answers[0].items()}
    for way, found in zip(_WAYS, answers, strict=True):
        for name, each in found.items():
            if any(answer.get("digest") != wanted[name] for answer in each):
                raise Unequal(f"{way}: {name} kept other chunks")
    if any("digest" in answer and answer["digest"] != wanted[_LOST] for answer in lost):
        raise Unequal(f"{_LOST} kept other chunks while a node was lost")


def _worst(lost: Sequence[Mapping[str, Any]]) -> str:
    errors = sum("error" in answer for answer in lost)
    longest = max((answer["seconds"] for answer in lost if "digest" in answer), default=0.0)
    return f"{len(lost) - errors} right, {errors} refused, none wrong; at most {longest:.1f} s"


@contextmanager
def asking(place: Path, *options: str) -> Iterator[IO[str]]:
    """Run `ask` in a process of its own and yield its output."""
    command = [sys.executable, "-P", "-m", _MODULE, "ask", str(place), *options]
    with subprocess.Popen(  # noqa: S603 - our own program
        command, stdout=subprocess.PIPE, text=True
    ) as process:
        if process.stdout is None:
            raise RuntimeError("the asking process has no pipe")
        try:
            yield process.stdout
        finally:
            process.kill()


@app.command()
def ask(
    place: str,
    cluster: Annotated[str | None, typer.Option(help="The head's address.")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="How often each is asked.")] = 3,
    only: Annotated[str | None, typer.Option(help="Ask this predicate alone.")] = None,
) -> None:
    """Ask every predicate in every round.

    A line of JSON goes out before each (`{"begun": NAME}`) and after it, with the seconds, how many
    chunks it kept and their digest, or with the error.
    """
    engine = open_engine(place, cluster)
    everything = BitMap(range(engine.corpus.chunk_count))
    for _ in range(rounds):
        for name, predicate in PREDICATES.items():
            if only in (None, name):
                typer.echo(json.dumps({"begun": name}))
                typer.echo(json.dumps({"name": name} | _asked(engine, predicate, everything)))


def _asked(engine: Engine, predicate: FilterArguments, snapshot: BitMap) -> dict[str, object]:
    began = time.perf_counter()
    try:
        kept = engine.keep(predicate, snapshot)
    except HeadcountError as error:
        return {"error": f"{type(error).__name__}: {error}"}
    seconds = time.perf_counter() - began
    digest = hashlib.sha256(kept.serialize()).hexdigest()
    return {"seconds": seconds, "kept": len(kept), "digest": digest}


_STORE = 256 * 1024 * 1024
_PATIENCE = 180
"""Seconds for a node to start: the machine may be busy."""
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
    with (
        tempfile.TemporaryFile("w+") as written,
        subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-P", "-m", _MODULE, "nodes"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=written,
            text=True,
            env=os.environ | _QUIET,
        ) as process,
    ):
        try:
            address = process.stdout.readline().strip() if process.stdout else ""
            if not address:
                written.seek(0)
                raise RuntimeError(f"the cluster did not start: {written.read()}")
            yield Nodes(process, address)
        finally:
            if process.stdin is not None:
                process.stdin.close()
            process.wait(timeout=_PATIENCE)


@app.command()
def nodes() -> None:
    """Run a Ray cluster of two nodes until standard input ends, having printed its address.

    A line `kill` kills the second node at once, as a loss of power would, and prints `killed`.
    """
    from ray.cluster_utils import Cluster as RayCluster

    logging.getLogger("ray").setLevel(logging.ERROR)
    head = {"num_cpus": 1, "object_store_memory": _STORE, "include_dashboard": False}
    cluster = RayCluster(initialize_head=True, head_node_args=head)
    other = cluster.add_node(num_cpus=1, object_store_memory=_STORE)
    cluster.wait_for_nodes(timeout=_PATIENCE)
    typer.echo(cluster.address)
    for line in sys.stdin:
        if line.strip() == "kill":
            other.kill_raylet(check_alive=False)
            threading.Thread(target=cluster.remove_node, args=(other, False), daemon=True).start()
            typer.echo("killed")
    cluster.shutdown()


if __name__ == "__main__":
    app()
