"""What something took: on the clock, of the processors, of memory."""

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

__all__ = ("Taken", "cpu_seconds", "spent", "typical")


@dataclass(frozen=True, slots=True)
class Taken:
    """What one thing took."""

    clock: float
    """Seconds on the clock."""
    cpu: float
    """Seconds of processor time, all threads and finished children together."""
    peak_mb: float | None = None
    """The most memory that the process held; None where it did other things before."""
    note: str = ""


def spent(do: Callable[[], object]) -> Taken:
    """Do it once and return what that took."""
    clock, cpu = time.perf_counter(), cpu_seconds()
    do()
    return Taken(time.perf_counter() - clock, cpu_seconds() - cpu)


def typical(do: Callable[[], object], rounds: int) -> Taken:
    """Return the medians of so many rounds, after one that is not counted."""
    do()
    taken = [spent(do) for _ in range(rounds)]
    return Taken(median(each.clock for each in taken), median(each.cpu for each in taken))


def cpu_seconds() -> float:
    """Return the processor time of this process and of its children that have ended."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(each) for each in whose]
    return sum(each.ru_utime + each.ru_stime for each in used)
