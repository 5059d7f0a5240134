"""headcount-eval paper: the counterparts of the papers' tables, by one command, offline."""

from pathlib import Path
from typing import Annotated

import typer

from evals.output import errors_told, say, tell_store

__all__ = ("paper",)


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
        typer.Option(help="Which collections and samples, as TOML; else the one that is shipped."),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Questions measured side by side.")] = 2,
) -> None:
    """Measure all methods, readers of different skill, batching, depth, asking back and ablations.

    Written are one page that needs no network, all tables in Markdown and LaTeX, and the charts.
    Nothing that was measured is measured again when the command is given again.
    """
    from evals.paper.bench import Bench
    from evals.paper.plan import load_plan
    from evals.paper.reproduction import reproduce

    with errors_told():
        tell_store()
        bench = Bench(
            plan=load_plan(plan),
            documents=documents,
            runs=runs or into.with_name(f"{into.name}.runs"),
            jobs=jobs,
            say=say,
        )
        command = f"headcount-eval paper --documents {documents.name} --into {into.name}"
        written = reproduce(bench, into, command)
    typer.echo(str(written[0]))
