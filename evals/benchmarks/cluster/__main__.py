"""`python -m evals.benchmarks.cluster`: the same predicates near and far, and with a node lost."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import IO, Annotated, Any

import typer

from evals.benchmarks.cluster.nodes import Nodes, two_nodes
from evals.benchmarks.real_text import CHUNK_CHARACTERS, write_mixture
from evals.benchmarks.rows import Unequal
from evals.tables import markdown

__all__ = ("app",)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
_WAYS = ("one index, Polars", "shards, one process", "shards, two Ray nodes")
_LOST = "regex"
"""What is asked while a node is lost."""


@app.command()
def cluster(
    chunks: Annotated[int, typer.Option(min=2000, help="About how many chunks.")] = 20_000,
    rounds: Annotated[int, typer.Option(min=2, help="Rounds; their median is told.")] = 5,
    shards: Annotated[int, typer.Option(min=2, help="About how many shards.")] = 16,
) -> None:
    """Tell what distribution costs on the cores of this machine.

    The two nodes of the cluster share the machine, so nothing can be quicker there: the difference
    is the price of distribution. All ways must keep the same chunks. The table goes to standard
    output, progress to standard error.
    """
    with tempfile.TemporaryDirectory(prefix="headcount-cluster-") as folder:
        place = Path(folder)
        (place / "text").mkdir()
        size = write_mixture(place / "text", chunks * CHUNK_CHARACTERS)
        _say(f"indexing {size / 1e6:.0f} MB: one index, then shards")
        seconds = [_indexed(place), _sharded(place, size // shards)]
        _say("asking one index, then shards in one process")
        told = [_told(place / "x.corpus", rounds), _told(place / "x.shards", rounds)]
        _say("starting two nodes")
        began = time.monotonic()
        with two_nodes() as nodes:
            started = time.monotonic() - began
            told.append(_told(place / "x.shards", rounds, nodes))
            _say("losing a node")
            lost = list(_losing(place / "x.shards", nodes, rounds))
    _check(told, lost)
    rows = [("index", *(f"{each:.1f} s" for each in seconds), "")]
    rows += [(name, *(_typical(each[name]) for each in told)) for name in told[0]]
    first = [f"{next(iter(each.values()))[0]['seconds']:.1f} s" for each in told]
    rows.append(("the first question of a process", *first))
    rows.append(("starting the cluster", "", "", f"{started:.1f} s"))
    rows.append((f"`{_LOST}` while a node is lost", "", "", _worst(lost)))
    typer.echo(markdown(("what", *_WAYS), rows))


def _sharded(place: Path, shard_bytes: int) -> float:
    """Build the shards and return the seconds."""
    from tools.engines.sharded.sharded_build import build_sharded

    began = time.monotonic()
    build_sharded([place / "text"], place / "x.shards", shard_bytes=shard_bytes)
    return time.monotonic() - began


def _indexed(place: Path) -> float:
    """Build the local corpus in a process of its own and return the seconds."""
    program = "from graphs.apps.cli import main; main()"
    into = ["index", str(place / "text"), "--into", str(place / "x.corpus")]
    began = time.monotonic()
    command = [sys.executable, "-c", program, *into]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own program
    return time.monotonic() - began


@contextmanager
def _asking(place: Path, *options: str) -> Iterator[IO[str]]:
    command = [sys.executable, "-m", "evals.benchmarks.cluster.asking", str(place), *options]
    with subprocess.Popen(  # noqa: S603 - our own program
        command, stdout=subprocess.PIPE, text=True
    ) as process:
        if process.stdout is None:
            raise RuntimeError("the asking process has no pipe")
        try:
            yield process.stdout
        finally:
            process.kill()


def _told(
    place: Path, rounds: int, nodes: Nodes | None = None
) -> dict[str, list[Mapping[str, Any]]]:
    """Return what each predicate told in each round."""
    cluster = [] if nodes is None else ["--cluster", nodes.address]
    told: dict[str, list[Mapping[str, Any]]] = {}
    with _asking(place, "--rounds", str(rounds), *cluster) as lines:
        for line in map(json.loads, lines):
            if "name" in line:
                told.setdefault(line["name"], []).append(line)
    return told


def _losing(place: Path, nodes: Nodes, rounds: int) -> Iterator[Mapping[str, Any]]:
    """Ask over and over, kill a node in mid-scan of the second round, and yield the answers."""
    options = ("--rounds", str(rounds + 2), "--only", _LOST, "--cluster", nodes.address)
    begun = 0
    with _asking(place, *options) as lines:
        for line in map(json.loads, lines):
            begun += "begun" in line
            if "begun" in line and begun == 2:
                nodes.kill_one()
            if "name" in line:
                yield line


def _check(
    told: Sequence[Mapping[str, Sequence[Mapping[str, Any]]]], lost: Sequence[Mapping[str, Any]]
) -> None:
    """Raise Unequal where any way kept other chunks; an error is no answer."""
    wanted = {name: answers[0]["digest"] for name, answers in told[0].items()}
    for way, each in zip(_WAYS, told, strict=True):
        for name, answers in each.items():
            if any(answer.get("digest") != wanted[name] for answer in answers):
                raise Unequal(f"{way}: {name} kept other chunks")
    if any("digest" in answer and answer["digest"] != wanted[_LOST] for answer in lost):
        raise Unequal(f"{_LOST} kept other chunks while a node was lost")


def _typical(answers: Sequence[Mapping[str, Any]]) -> str:
    """Return the median time after the first round."""
    return f"{1000 * median(answer['seconds'] for answer in answers[1:]):.0f} ms"


def _worst(lost: Sequence[Mapping[str, Any]]) -> str:
    errors = sum("error" in answer for answer in lost)
    longest = max((answer["seconds"] for answer in lost if "digest" in answer), default=0.0)
    return f"{len(lost) - errors} right, {errors} refused, none wrong; at most {longest:.1f} s"


def _say(line: str) -> None:
    typer.echo(line, err=True)


if __name__ == "__main__":
    app()
