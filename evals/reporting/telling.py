"""An experiment run from a command line: measured, then its tables printed."""

from pathlib import Path

import typer

from evals.experiments.arm import Arm
from evals.experiments.collection import Collection
from evals.experiments.experiment import Experiment
from evals.experiments.running import run
from evals.output import say, tell_store
from evals.reporting.board import boards
from evals.reporting.table import to_markdown
from evals.reporting.tables import board_tables

__all__ = ("run_and_tell",)


def run_and_tell(
    name: str,
    arms: tuple[Arm, ...],
    collection: Collection,
    into: Path,
    *,
    keep: Path | None,
    jobs: int,
) -> None:
    """Run arms over a collection into a folder, print quality, cost and differences.

    Args:
        name: the experiment's.
        arms: the first is what the others are compared with.
        collection: what they are asked; its seed is the experiment's.
        into: the run's folder.
        keep: where indexes and replies are kept; None throws them away.
        jobs: questions measured side by side.

    Raises:
        HeadcountError: the questions, the documents, an arm or a folder cannot be used.
    """
    tell_store()
    experiment = Experiment(name=name, arms=arms, collections=(collection,), seed=collection.seed)
    done = run(experiment, into, keep, say, jobs=jobs)
    for board in boards([(into, done)]):
        typer.echo("\n".join(to_markdown(table) for table in board_tables(board)))
