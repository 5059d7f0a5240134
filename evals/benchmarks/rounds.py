"""Timing two or more ways to do one thing: in turns, so that a busy machine slows all alike."""

import gc
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from statistics import median

__all__ = ("medians", "medians_told")


def medians(ways: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median seconds of each way, after one round that is not counted.

    Every round runs each way once, the order turning by one from round to round.
    """
    return medians_told({name: partial(_seconds, way) for name, way in ways.items()}, rounds)


def medians_told(ways: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """Return the median of what each way tells, in rounds as those of `medians`."""
    gc.collect()
    names = list(ways)
    told: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds + 1):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            with _uncollected():
                figure = ways[name]()
            if number:
                told[name].append(figure)
    return {name: median(each) for name, each in told.items()}


def _seconds(way: Callable[[], object]) -> float:
    began = time.perf_counter()
    way()
    return time.perf_counter() - began


@contextmanager
def _uncollected() -> Iterator[None]:
    """Hold back the collector of cyclic garbage, as `timeit` does."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
