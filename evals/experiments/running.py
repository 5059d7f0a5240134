"""Running an experiment: what is done stays done, the rest is measured, the whole is written."""

from collections.abc import Callable
from pathlib import Path

from evals.experiments.environment import environment
from evals.experiments.experiment import Experiment, laid_out
from evals.experiments.folder import Run, RunFolder, load_run
from evals.experiments.measuring import Cell, Measured
from evals.experiments.workers import measured
from evals.experiments.workspace import workspace

__all__ = ("run",)


def run(
    experiment: Experiment,
    into: Path,
    place: Path | None,
    say: Callable[[str], None],
    *,
    jobs: int = 1,
) -> Run:
    """Measure what is not done yet, and return the whole run.

    Questions that a model's server or the index failed are not done.

    Args:
        experiment: what is asked of whom.
        into: the run's folder; one that holds the same experiment is gone on with.
        place: where indexes and a model's replies are kept; None throws them away.
        say: told of each question.
        jobs: questions measured side by side.

    Raises:
        HeadcountError: the questions, the documents, a reasoner or the folder cannot be used.
    """
    with workspace(into) as own:
        _measure(experiment, into, place or own, own, say, jobs)
    return load_run(into)


def _measure(
    experiment: Experiment,
    into: Path,
    place: Path,
    own: Path,
    say: Callable[[str], None],
    jobs: int,
) -> None:
    place.mkdir(parents=True, exist_ok=True)
    plan, cells = laid_out(experiment, place, own, say)
    folder = RunFolder(into, plan)
    folder.enter(environment())
    done = {key for key, found in folder.journal.done().items() if not found.result.passing}
    missing = [cell for cell in cells if cell.key not in done]
    if done:
        say(f"{len(cells) - len(missing)} of {len(cells)} were done before")
    order = [cell.key for cell in cells]
    try:
        for number, (cell, found) in enumerate(measured(missing, jobs), start=1):
            folder.journal.add(cell.key, found)
            say(f"{number}/{len(missing)} {_told(cell, found)}")
    finally:
        folder.export(order)


def _told(cell: Cell, found: Measured) -> str:
    score = found.result.score
    told = (
        f"{cell.collection} {cell.arm.name} {cell.record.id}: {score['value']} of {score['gold']}"
    )
    return f"{told}, {score['status']} {found.result.error}".rstrip()
