"""headcount-eval compare systems: several systems on the same questions, in one run."""

from pathlib import Path
from typing import Annotated

import typer

from agent.errors import HeadcountError
from evals.output import say

__all__ = ("systems",)


def systems(  # noqa: PLR0913, PLR0917 - an argument a flag
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME…",
            help="Systems: `main`, `analyst`, a baseline such as `naive-rag-10` (a wrong name "
            "lists all), or `command:…`; the first is what the others are compared with.",
        ),
    ],
    questions: Annotated[
        Path, typer.Option(help="Questions with their true answers, one JSON object a line.")
    ],
    documents: Annotated[Path, typer.Option(help="The folder with the documents; as for `run`.")],
    into: Annotated[
        Path, typer.Option(help="The run's folder; one that was begun is gone on with.")
    ],
    expansion: Annotated[
        Path | None, typer.Option(help="Add this folder of unrelated documents to every scope.")
    ] = None,
    reasoner: Annotated[
        str, typer.Option(help="As for `run`: `rules`, `gold`, `skill:RATE` or a model's name.")
    ] = "gold",
    sample: Annotated[
        int | None, typer.Option(min=1, help="Ask N of the questions, drawn at random.")
    ] = None,
    seed: Annotated[int, typer.Option(help="What is drawn depends on it alone.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Questions measured side by side.")] = 1,
    keep: Annotated[
        Path | None,
        typer.Option(help="Keep indexes and replies in this folder, for a later run to reuse."),
    ] = None,
) -> None:
    """Ask the same questions of several systems, over the same chunks and with the same reader.

    A run that was killed goes on where it was when the command is given again; a model's replies
    are kept only with `--keep`. Printed are quality, cost and each system minus the first, with the
    interval of a paired bootstrap; `headcount-eval report RUN --into DIR` draws the charts.
    """
    from evals.experiments.arm import Arm
    from evals.experiments.collection import Collection
    from evals.reporting.telling import run_and_tell
    from evals.systems import system_of

    try:
        for name in names:
            system_of(name)
        collection = Collection(
            name=questions.stem,
            questions=questions,
            documents=documents,
            expansion=expansion,
            sample=sample,
            seed=seed,
        )
        arms = tuple(
            Arm(name=name, system=name, reasoner=reasoner) for name in dict.fromkeys(names)
        )
        run_and_tell("systems", arms, collection, into, keep=keep, jobs=jobs)
    except HeadcountError as error:
        say(f"error: {error}")
        raise typer.Exit(1) from error
