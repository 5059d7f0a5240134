"""Measuring one question under one arm, and many side by side."""

import multiprocessing
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures import as_completed as completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue

from agent.errors import CorpusError, ProviderError
from agent.value import Value
from evals.ablation import components_of
from evals.experiments.experiment import Cell
from evals.names import DocumentNames
from evals.readers import is_model, reader_of, settings_of
from evals.scores import Outcome, score
from evals.spans import gold_chunks, gold_spans
from tools.corpus.generations import CorpusLayout

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

_RECORDS = "records"


class Result(Value):
    """One question under one arm; the same seed and replies give the same result."""

    collection: str
    arm: str
    score: dict[str, JsonValue]
    """An `evals.scores.Score` by field, without its seconds."""
    error: str = ""
    """Why there is no answer."""
    passing: bool = False
    """Whether the error lay with a model's server or the index: the question is asked again."""

    @property
    def question(self) -> str:
        """The question's id."""
        return str(self.score["id"])


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a cell: the result, and apart from it the seconds it took."""

    result: Result
    seconds: float

    def told(self, name: str) -> JsonValue:
        """Return a member of the score, or the seconds."""
        return self.seconds if name == "seconds" else self.result.score[name]

    def figure(self, name: str) -> float | None:
        """Return a figure as a number; None where it is undefined."""
        value = self.told(name)
        return float(value) if isinstance(value, int | float) else None


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


def measure(cell: Cell) -> Measured:
    """Ask and score; whatever goes wrong is the question's result.

    Raises:
        HeadcountError: the corpus cannot be opened or the arm cannot be had at all.
    """
    with isolated(cell.corpus, cell.workspace) as corpus:
        found = _outcome(cell, corpus)
        outcome = found if isinstance(found, Outcome) else Outcome(error=_fault(found))
        scored = score(
            cell.record,
            outcome,
            DocumentNames(corpus.documents),
            gold_chunks(cell.record, corpus),
            gold_spans(cell.record, corpus)[0],
        )
    result = Result(
        collection=cell.collection,
        arm=cell.arm.name,
        score={**scored},
        error=outcome.error,
        passing=isinstance(found, ProviderError | CorpusError),
    )
    return Measured(result, outcome.seconds)


def _outcome(cell: Cell, corpus: "Corpus") -> Outcome | Exception:
    """Ask, and return what came of it, or what went wrong in its place."""
    from evals.systems import observed, system_of
    from graphs.context import Context

    settings = settings_of(cell.arm.reasoner)
    reader = reader_of(cell.arm.reasoner, cell.record, corpus, seed=cell.seed, cache=cell.replies)
    policy = cell.arm.over(settings.policy())
    context = Context(
        corpus=corpus, reasoner=reader, policy=policy, components=components_of(policy)
    )
    system = system_of(cell.arm.system)
    try:
        return observed(system, cell.record.question, context, cell.record)
    except Exception as error:  # noqa: BLE001 - a fault of what is measured is a measurement
        return error


def _fault(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


@contextmanager
def isolated(corpus: Path, workspace: Path) -> Iterator["Corpus"]:
    """Open a copy of the corpus in a directory of the workspace that is gone afterwards.

    So no result depends on which questions came before: the runs, looks and records that a
    question leaves behind for the next are its own.
    """
    from tools.corpus.corpus import open_corpus

    with tempfile.TemporaryDirectory(dir=workspace) as place:
        yield open_corpus(copied(corpus, Path(place) / corpus.name))


def copied(corpus: Path, into: Path) -> Path:
    """Make a corpus directory that links what nothing changes of another's.

    Its records are copied; its runs are not.
    """
    own = shutil.ignore_patterns("runs", "id", "lock", "*.lock", _RECORDS)
    shutil.copytree(corpus.resolve(), into, copy_function=os.symlink, ignore=own)
    CorpusLayout(into).lock.touch()
    if (corpus / _RECORDS).is_dir():
        shutil.copytree(corpus / _RECORDS, into / _RECORDS)
    return into
