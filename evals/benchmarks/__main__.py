"""`python -m evals.benchmarks`: time what is promised to be quick, against named peers."""

import json
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from agent.errors import HeadcountError

__all__ = ("app",)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def benchmarks(
    chunks: Annotated[int, typer.Option(min=200, help="About how many chunks of text.")] = 20_000,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds; their median is told.")] = 5,
    data: Annotated[
        Path,
        typer.Option(
            envvar="HEADCOUNT_DATA",
            help="The development data: where it exists, its contracts are asked about too.",
        ),
    ] = Path("../shared/data"),
    corpus: Annotated[
        Path | None,
        typer.Option(help="A corpus that is there: only the filters are timed, over its chunks."),
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the result as JSON to this file.")
    ] = None,
) -> None:
    """Time what is promised to be quick, against named peers, in one run.

    Both sides must find the same before either is timed, and take turns. The text is drawn from
    the metadata of the packages installed here, always alike for the same packages. The table
    goes to standard output, progress to standard error.
    """
    from evals.benchmarks.row import Unequal
    from evals.benchmarks.suite import run_benchmarks, searches
    from evals.benchmarks.table import report, rows_table
    from tools.corpus.corpus import open_corpus

    if json_file is not None and not json_file.absolute().parent.is_dir():
        raise typer.BadParameter(f"{str(json_file)!r} is not in an existing folder")
    with tempfile.TemporaryDirectory(prefix="headcount-bench-") as place:
        try:
            if corpus is not None:
                rows = list(searches(open_corpus(corpus), Path(place), rounds, _say))
            else:
                rows = list(run_benchmarks(chunks, Path(place), rounds, data, _say))
        except (HeadcountError, Unequal) as error:
            _say(f"error: {error}")
            raise typer.Exit(1) from error
    typer.echo(rows_table(rows))
    if json_file is not None:
        told = json.dumps(report(rows, chunks, rounds), ensure_ascii=False, indent=1)
        json_file.write_text(told + "\n", encoding="utf-8")


def _say(line: str) -> None:
    typer.echo(line, file=sys.stderr)


if __name__ == "__main__":
    app()
