"""`python -m evals.benchmarks.cluster.model`: what a billion chunks would take, as measured."""

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evals.tables import markdown

if TYPE_CHECKING:
    from evals.benchmarks.cluster.nodes import Costs

__all__ = ("Cluster", "app", "modelled")

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
_ONE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"), "1")
_BILLION = 1_000_000_000
_MINUTE = 60
_HOUR = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """What the shards are spread over."""

    nodes: int
    cores: int
    """Of a node."""
    gigabytes: float
    """That a node reads from its store in a second."""


@app.command()
def model(
    measure: Annotated[int, typer.Option(min=2000, help="About how many chunks.")] = 20_000,
    chunks: Annotated[int, typer.Option(min=1, help="How many are modelled.")] = _BILLION,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes of the cluster.")] = 20,
    cores: Annotated[int, typer.Option(min=1, help="Cores of a node.")] = 16,
    gigabytes: Annotated[float, typer.Option(help="A node reads so many a second.")] = 1.0,
) -> None:
    """Measure what a shard's chunks cost here, and compute what many would take on a cluster.

    Costs are taken to grow with the chunks: every job is a task a shard, without exchange between
    them. A filter takes as long as its computing or its reading, whichever is longer.
    """
    os.environ.update(_ONE)
    from evals.benchmarks.cluster.nodes import measured

    with tempfile.TemporaryDirectory(prefix="headcount-model-") as place:
        costs = measured(measure, Path(place))
    cluster = Cluster(nodes=nodes, cores=cores, gigabytes=gigabytes)
    typer.echo(markdown(("measured, a chunk", "cost"), _told(costs)))
    head = (f"{chunks:,} chunks", "core-hours", f"on {nodes} × {cores} cores", "bytes")
    typer.echo("\n" + markdown(head, modelled(costs, chunks, cluster)))


def modelled(costs: "Costs", chunks: int, cluster: Cluster) -> Iterator[tuple[str, str, str, str]]:
    """Yield what each step over so many chunks takes: a name, core-hours, time, bytes."""
    texts = costs.kept["documents"] + costs.kept["chunks"]
    written = texts + costs.kept["words"]
    steps = [
        ("read and chunk", costs.read, written, "written"),
        ("embed", costs.embed, costs.kept["vectors"], "written"),
    ]
    steps += [
        (
            f"`{name}` over everything",
            seconds,
            costs.kept["vectors" if name == "semantic" else "chunks"],
            "read",
        )
        for name, seconds in costs.scans.items()
    ]
    for name, seconds, size, verb in steps:
        computing = seconds * chunks / (cluster.nodes * cluster.cores)
        moving = size * chunks / (cluster.nodes * cluster.gigabytes * 1e9)
        took = _time(max(computing, moving)) + (", its reading" if moving > computing else "")
        hours = f"{seconds * chunks / _HOUR:,.1f}"
        yield name, hours, took, f"{size * chunks / 1e12:.2f} TB {verb}"


def _told(costs: "Costs") -> Iterator[tuple[str, str]]:
    yield f"text, the mean of {costs.chunks:,} chunks", f"{costs.text:,.0f} bytes"
    yield "read, chunk, count, write", f"{costs.read * 1e6:,.0f} µs"
    yield "embed by LSA", f"{costs.embed * 1e6:,.0f} µs"
    yield from ((f"`{name}`", f"{each * 1e6:.2f} µs") for name, each in costs.scans.items())
    yield from ((f"{name} on disk", f"{each:,.0f} bytes") for name, each in costs.kept.items())


def _time(seconds: float) -> str:
    """Return a time in the unit that suits it.

    >>> _time(12.34), _time(400), _time(9000)
    ('12 s', '7 min', '2.5 h')
    """
    if seconds < 2 * _MINUTE:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE:.0f} min" if seconds < 2 * _HOUR else f"{seconds / _HOUR:.1f} h"


if __name__ == "__main__":
    app()
