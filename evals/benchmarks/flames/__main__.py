"""`python -m evals.benchmarks.flames`: flame graphs of a build, a whole question, the filters."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from evals.benchmarks.flames.stacks import draw, folded, pruned

__all__ = ("app",)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
_RATE = "50"
"""Samples a second."""
_LEAST = 0.004
"""A function of a smaller share of the time is not drawn."""
_QUESTION = "Which documents mention Kerberos?"


@app.command()
def flames(
    text: Annotated[Path, typer.Option(help="A folder of text, which is indexed.")],
    corpus: Annotated[Path, typer.Option(help="A corpus, which is searched and asked.")],
    into: Annotated[Path, typer.Option(help="The folder for the SVG files.")],
    question: Annotated[str, typer.Option(help="What is asked.")] = _QUESTION,
    rounds: Annotated[int, typer.Option(min=1, help="How often each filter runs.")] = 20,
) -> None:
    """Profile indexing, asking offline and the filters with py-spy; draw each as an SVG file.

    Only time in which a thread ran is counted, that of all processes together.
    """
    profiler = shutil.which("py-spy") or shutil.which("py-spy", path=Path(sys.executable).parent)
    if profiler is None:
        typer.echo("error: there is no `py-spy` here: pip install py-spy", err=True)
        raise typer.Exit(1)
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="headcount-flames-") as place:
        builds = "from evals.benchmarks.indexing_speed import tell"
        steps = "from evals.benchmarks.growth.steps import tell"
        for name, code, arguments in (
            ("index", builds, ("whole", text, Path(place) / "x.corpus")),
            ("ask", steps, ("ask", corpus, question)),
            ("filters", steps, ("filters", corpus, rounds)),
        ):
            typer.echo(f"profiling: {name}", err=True)
            program = f"import sys; {code}; tell(*sys.argv[1:])"
            given = [str(each) for each in arguments]
            stacks = Path(place) / f"{name}.folded"
            _record(profiler, stacks, [sys.executable, "-c", program, *given])
            _draw(stacks, into / f"{name}.svg")


def _record(profiler: str, stacks: Path, command: list[str]) -> None:
    """Run a program under the profiler; raise CalledProcessError where either fails."""
    options = ["--format", "raw", "--function", "--subprocesses", "--rate", _RATE]
    recording = [profiler, "record", *options, "--output", str(stacks), "--", *command]
    subprocess.run(recording, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own program


def _draw(stacks: Path, drawing: Path) -> None:
    tree = folded(stacks.read_text(encoding="utf-8").splitlines(), drawing.stem)
    drawn = pruned(tree, _LEAST * tree.samples)
    drawing.write_text(draw(drawn), encoding="utf-8")


if __name__ == "__main__":
    app()
