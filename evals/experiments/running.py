"""Running an experiment: what is done stays done, the rest is measured, the whole is written."""

import multiprocessing
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures import as_completed as completed
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from agent.errors import SettingsError
from evals.expansion import expanded
from evals.experiments.arms import Collection
from evals.experiments.experiment import Experiment, laid_out
from evals.experiments.measuring import Cell, Measured, measure
from evals.experiments.run_folder import UNDER_WAY, Run, RunFolder, environment, load_run
from evals.questions import Record
from evals.readers import is_model
from evals.scope import Corpora, Scope, scope_of

__all__ = (
    "Indexes",
    "measured",
    "run",
    "workspace",
)


def measured(cells: Sequence[Cell], jobs: int) -> Iterator[tuple[Cell, Measured]]:
    """Yield each cell with what came of it, as soon as it is done, in no particular order.

    Cells that a model answers wait for the network: they share this process, and so the model's
    cache, rate and pool. The others compute: each worker is a process of its own.

    Raises:
        HeadcountError: a corpus cannot be opened or an arm cannot be had at all.
    """
    waiting = [cell for cell in cells if is_model(cell.arm.reasoner)]
    computing = [cell for cell in cells if not is_model(cell.arm.reasoner)]
    yield from _side_by_side(computing, jobs, _processes)
    yield from _side_by_side(waiting, jobs, ThreadPoolExecutor)


def _side_by_side(
    cells: Sequence[Cell], jobs: int, executor: Callable[[int], Executor]
) -> Iterator[tuple[Cell, Measured]]:
    if jobs == 1 or len(cells) < 2:
        yield from ((cell, measure(cell)) for cell in cells)
        return
    with executor(min(jobs, len(cells))) as pool:
        under_way: dict[Future[Measured], Cell] = {
            pool.submit(measure, cell): cell for cell in cells
        }
        try:
            for done in completed(under_way):
                yield under_way[done], done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _processes(workers: int) -> Executor:
    """Return a pool of fresh processes: a copy of this one would share its open databases."""
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))


_LOCK: Final = "lock"


@contextmanager
def workspace(root: Path) -> Iterator[Path]:
    """Give a folder in the run's that no other process uses and that is gone afterwards.

    What a killed process left there goes first.

    Raises:
        SettingsError: it cannot be made, or another process is measuring into the run's folder.
    """
    from filelock import FileLock, Timeout

    own = root / UNDER_WAY
    try:
        own.mkdir(parents=True, exist_ok=True)
        lock = FileLock(own / _LOCK)
        lock.acquire(timeout=0)
    except Timeout as error:
        raise SettingsError(f"{str(root)!r} is being measured by another process") from error
    except OSError as error:
        raise SettingsError(f"the run {str(root)!r} cannot be made: {error}") from error
    try:
        for left in (each for each in own.iterdir() if each.name != _LOCK):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        yield own
    finally:
        lock.release()
        shutil.rmtree(own, ignore_errors=True)
        with suppress(OSError):
            root.rmdir()


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


class Indexes:
    """Builds an index when a question first needs it; one that is there is brought up to date."""

    def __init__(self, place: Path, say: Callable[[str], None]) -> None:
        """Keep indexes under `place`."""
        self._place = place
        self._corpora = Corpora(place, say)
        self._expanded: dict[tuple[Scope, Path], Scope] = {}
        self._ready: dict[Scope, Path] = {}

    def of(self, record: Record, collection: Collection) -> Path:
        """Return the directory of the index that a question is asked over.

        Raises:
            QuestionError: the scope names a document that its folder does not have.
            CorpusError: the documents cannot be indexed.
        """
        scope = scope_of(record, collection.documents, collection.rule)
        if collection.expansion is not None:
            scope = self._wider(scope, collection.expansion)
        if scope not in self._ready:
            self._ready[scope] = self._corpora.over(scope).path
        return self._ready[scope]

    def _wider(self, scope: Scope, expansion: Path) -> Scope:
        key = (scope, expansion)
        if key not in self._expanded:
            into = self._place / f"expanded-{len(self._expanded)}"
            self._expanded[key] = expanded(scope, expansion, into)
        return self._expanded[key]
