"""`python -m evals.benchmarks.growth`: real text of several sizes, all that grows with it."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from agent.errors import SettingsError
from evals.benchmarks.growth.steps import Taken

__all__ = ("app",)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
_SIZES = "10000,100000,1000000"
_QUESTION = "Which documents mention Kerberos?"


@app.command()
def growth(
    into: Annotated[Path, typer.Option(help="Folder for texts and corpora, which stay.")],
    chunks: Annotated[str, typer.Option(help="About how many chunks, by commas.")] = _SIZES,
    text: Annotated[
        list[Path], typer.Option(help="Folders of real text; the system's without any.")
    ] = [],  # noqa: B006 - Typer copies it
    question: Annotated[str, typer.Option(help="What is asked of each size.")] = _QUESTION,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds; their median is told.")] = 5,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the figures as JSON to this file.")
    ] = None,
) -> None:
    """Index real text of several sizes, and time all that is done with it.

    Each step is a process of its own. A smaller text is a sample of a larger one. A corpus that is
    there already, as `python -m evals.benchmarks` leaves it too, is not indexed again. The table
    goes to standard output: time on the clock, processor time, peak memory where the process did
    nothing else.
    """
    sizes = [int(each) for each in chunks.split(",")]
    try:
        made = {size: _indexed(size, into, text) for size in sorted(sizes, reverse=True)}
    except SettingsError as error:
        _say(f"error: {error}")
        raise typer.Exit(1) from error
    told = {size: dict(_measured(*made[size], question, rounds)) for size in sizes}
    typer.echo(_table(told))
    if json_file is not None:
        plain = {
            size: {what: asdict(taken) for what, taken in rows.items()}
            for size, rows in told.items()
        }
        json_file.write_text(json.dumps(plain, ensure_ascii=False, indent=1) + "\n", "utf-8")


def _indexed(size: int, into: Path, text: Sequence[Path]) -> tuple[Path, Taken]:
    """Return a corpus of the size, and what indexing it took."""
    from evals.benchmarks.real_text import TEXT, sized

    found = sized(size, into, text or TEXT, _say)
    held = sum(file.stat().st_size for file in found.corpus.rglob("*") if file.is_file())
    read = sum(file.stat().st_size for file in found.folder.rglob("*") if file.is_file())
    note = f"{read / 1e6:,.0f} MB of text, {held / 1e6:,.0f} MB on disk"
    took = found.taken
    return found.corpus, Taken(took.seconds, took.cpu, took.peak_mb, note)


def _measured(
    corpus: Path, indexed: Taken, question: str, rounds: int
) -> Iterator[tuple[str, Taken]]:
    yield "index", indexed
    _say(f"searching {corpus.name}")
    yield from _step("start", str(corpus))
    yield from _step("filters", str(corpus), str(rounds))
    yield from _step("reading", str(corpus), str(rounds))
    yield from _step("ask", str(corpus), question)
    yield from (("asked again", taken) for _, taken in _step("ask", str(corpus), question))


def _step(name: str, *arguments: str) -> Iterator[tuple[str, Taken]]:
    """Run a step in a process of its own; raise CalledProcessError where it fails."""
    code = "import sys; from evals.benchmarks.growth.steps import tell; tell(*sys.argv[1:])"
    command = [sys.executable, "-c", code, name, *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603
    for line in done.stdout.splitlines():
        taken = json.loads(line)
        yield taken.pop("what"), Taken(**taken)


def _table(told: Mapping[int, Mapping[str, Taken]]) -> str:
    from evals.tables import markdown

    whats = dict.fromkeys(what for rows in told.values() for what in rows)
    head = ("what", *(f"{size:,} chunks" for size in told))
    return markdown(head, [(what, *(_cell(r.get(what)) for r in told.values())) for what in whats])


def _cell(taken: Taken | None) -> str:
    if taken is None:
        return "not measured"
    parts = [f"{_time(taken.clock)} ({_time(taken.cpu)} CPU)"]
    parts += [] if taken.peak_mb is None else [f"{taken.peak_mb:,.0f} MB at the peak"]
    return "; ".join(parts + [taken.note] * bool(taken.note))


def _time(seconds: float) -> str:
    """Return a time in the unit that suits it.

    >>> _time(0.0000123), _time(0.0123), _time(12.34)
    ('12 µs', '12 ms', '12.3 s')
    """
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _say(line: str) -> None:
    typer.echo(line, err=True)


if __name__ == "__main__":
    app()
