"""Cells measured side by side: in processes where they compute, in threads where they wait."""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures import as_completed as completed

from evals.experiments.measuring import Cell, Measured, measure
from evals.readers import is_model

__all__ = ("measured",)


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
