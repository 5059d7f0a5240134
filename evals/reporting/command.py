"""headcount-eval report: what runs came to, as tables, charts and one page."""

from pathlib import Path
from typing import Annotated

import typer

from evals.output import errors_told

__all__ = ("report_command",)


def report_command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs.")],
    into: Annotated[Path, typer.Option(help="Write the report into this folder.")],
) -> None:
    """Report runs, finished or not, side by side where they asked the same questions.

    Written are `index.html`, a page that needs no network; `tables.md`; a LaTeX file a table and an
    SVG file a chart. Every difference is of the same questions under two arms, with the interval of
    a paired bootstrap; every table says which sample it is of, and what failed.
    """
    from evals.reporting.writing import report_runs

    with errors_told():
        written = report_runs(runs, into)
    typer.echo(str(written[0]))
