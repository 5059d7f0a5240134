"""Timing two or more ways to do one thing: in turns, so that a busy machine slows all alike."""

import gc
import time
from collections.abc import Callable, Mapping
from statistics import median

__all__ = ("medians",)


def medians(ways: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median seconds of each way, after one round that is not counted.

    Every round runs each way once, the order turning by one from round to round.
    """
    gc.collect()
    names = list(ways)
    taken: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds + 1):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            seconds = _seconds(ways[name])
            if number:
                taken[name].append(seconds)
    return {name: median(each) for name, each in taken.items()}


def _seconds(way: Callable[[], object]) -> float:
    """Time one run without the collector of cyclic garbage, as `timeit` does."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        began = time.perf_counter()
        way()
        return time.perf_counter() - began
    finally:
        if collecting:
            gc.enable()
