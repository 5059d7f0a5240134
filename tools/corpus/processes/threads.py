"""Work shared among threads: NumPy, SciPy, BLAS and Polars let other threads run meanwhile."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

__all__ = ("cores", "in_turn")

_Item = TypeVar("_Item")
_Made = TypeVar("_Made")


def cores() -> int:
    """Return how many cores this process may use."""
    known = getattr(os, "sched_getaffinity", None)
    return len(known(0)) if known else os.cpu_count() or 1


def in_turn(work: Callable[[_Item], _Made], items: Iterable[_Item]) -> Iterator[_Made]:
    """Yield what the work makes of each item, in order; a thread a core, none far ahead.

    So many results as there are cores wait at most, whatever takes them.
    """
    ahead = cores()
    waiting: deque[Future[_Made]] = deque()
    with ThreadPoolExecutor(ahead) as pool:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
