"""`python -m evals.benchmarks`: time what is promised to be quick, against named peers."""

import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from agent.errors import HeadcountError

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
_PACKAGES = [Path(sysconfig.get_path("purelib"))]


@app.command()
def benchmarks(
    chunks: Annotated[int, typer.Option(min=200, help="About how many chunks of text.")] = 20_000,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds; their median is shown.")] = 5,
    text: Annotated[
        list[Path],
        typer.Option(help="Folders of real text to take the chunks from; else the packages'."),
    ] = _PACKAGES,
    into: Annotated[
        Path | None, typer.Option(help="Folder where texts and corpora stay for the next run.")
    ] = None,
    only: Annotated[
        list[str], typer.Option(help="Run this group of benchmarks only; may be repeated.")
    ] = [],  # noqa: B006 - Typer copies it
) -> None:
    """Time what is promised to be quick, against named peers, in one run.

    Both sides must find the same before either is timed, and take turns. The text is that of
    different text files, always alike for the same folders. The table goes to standard output,
    also where a later group fails; progress to standard error.
    """
    from evals.benchmarks.figures import LARGE, Row, Unequal, rows_table
    from evals.benchmarks.real_text import sized
    from evals.benchmarks.suite import SMALLER, Setting, chosen, run_group

    if into is not None:
        into.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    try:
        with tempfile.TemporaryDirectory(prefix="headcount-bench-", dir=into) as folder:
            groups, place = chosen(only), Path(folder)
            sizes = (chunks, chunks // SMALLER[chunks > LARGE])
            at = (into or place).absolute()
            large, small = (sized(size, at, text, _say) for size in sizes)
            setting = Setting(place=place, rounds=rounds, large=large, small=small)
            for name in groups:
                _say(f"measuring: {name}")
                rows.extend(run_group(name, setting))
    except (HeadcountError, Unequal) as error:
        _say(f"error: {error}")
        raise typer.Exit(1) from error
    finally:
        typer.echo(rows_table(rows))


def _say(line: str) -> None:
    typer.echo(line, file=sys.stderr)


if __name__ == "__main__":
    app()
