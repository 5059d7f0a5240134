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
        typer.Option(help="A corpus that is there: only searches are timed, over its chunks."),
    ] = None,
    text: Annotated[
        list[Path],
        typer.Option(help="Folders of real text to take the chunks from; needs --into."),
    ] = [],  # noqa: B006 - Typer copies it
    into: Annotated[
        Path | None,
        typer.Option(help="Folder where real texts and corpora stay; the system's without --text."),
    ] = None,
    only: Annotated[
        list[str], typer.Option(help="Run this group of benchmarks only; may be repeated.")
    ] = [],  # noqa: B006 - Typer copies it
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the result as JSON to this file.")
    ] = None,
) -> None:
    """Time what is promised to be quick, against named peers, in one run.

    Both sides must find the same before either is timed, and take turns. The text is drawn from
    the metadata of the packages installed here, always alike for the same packages; with --into it
    is that of different text files, in corpora that `evals.benchmarks.growth` uses too. The
    table goes to standard output, also where a later group fails; progress to standard error.
    """
    from evals.benchmarks.real_text import TEXT
    from evals.benchmarks.rows import Row, Unequal, report, rows_table
    from evals.benchmarks.suite import Asked, run_benchmarks

    if json_file is not None and not json_file.absolute().parent.is_dir():
        raise typer.BadParameter(f"{str(json_file)!r} is not in an existing folder")
    if text and into is None:
        raise typer.BadParameter("--text needs --into, the folder where texts and corpora stay")
    asked = Asked(
        chunks=chunks,
        rounds=rounds,
        data=data,
        text=text or TEXT,
        into=into,
        corpus=corpus,
        only=only,
    )
    if into is not None:
        into.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="headcount-bench-", dir=into) as place:
        try:
            rows.extend(run_benchmarks(asked, Path(place), _say))
        except (HeadcountError, Unequal) as error:
            _say(f"error: {error}")
            raise typer.Exit(1) from error
        finally:
            typer.echo(rows_table(rows))
    if json_file is not None:
        told = json.dumps(report(rows, chunks, rounds), ensure_ascii=False, indent=1)
        json_file.write_text(told + "\n", encoding="utf-8")


def _say(line: str) -> None:
    typer.echo(line, file=sys.stderr)


if __name__ == "__main__":
    app()
