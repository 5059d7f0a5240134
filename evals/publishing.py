"""headcount-eval paper and report: tables of runs, and the counterparts of the papers' tables."""

from pathlib import Path
from typing import Annotated

import typer

from evals.output import errors_told, say, tell_store

__all__ = ("paper", "report_command")


def paper(
    documents: Annotated[
        Path, typer.Option(help="The folder that the plan's questions and documents are below.")
    ],
    into: Annotated[Path, typer.Option(help="Write the report into this folder.")],
    runs: Annotated[
        Path | None,
        typer.Option(
            help="Keep runs and indexes here, so that a killed reproduction goes on; else beside "
            "the report, under its name and `.runs`."
        ),
    ] = None,
    plan: Annotated[
        Path | None,
        typer.Option(help="What is asked, as TOML; else the plan that is shipped."),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Questions measured side by side.")] = 2,
) -> None:
    """Measure all methods, readers of different skill, depth, ablations, batching and asking back.

    Written is one Markdown file with all tables. What was measured is not measured again when the
    command is given again.
    """
    from evals.paper import load_plan, reproduce

    with errors_told():
        tell_store()
        kept = runs or into.with_name(f"{into.name}.runs")
        written = reproduce(load_plan(plan), documents, into, runs=kept, jobs=jobs, say=say)
    typer.echo(str(written))


def report_command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs.")],
    into: Annotated[Path, typer.Option(help="Write the report into this folder.")],
) -> None:
    """Report runs, finished or not, side by side where they asked the same questions.

    Written is `report.md`. Every difference is of the same questions under two arms, with the
    interval of a paired bootstrap; every table says which sample it is of, and what failed.
    """
    from evals.experiment_report import report_runs

    with errors_told():
        written = report_runs(runs, into)
    typer.echo(str(written))
