"""Functions in processes of their own, with the processor time and the memory they took."""

import multiprocessing
import os
import re
import resource
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Taken:
    """What a function took in a process of its own."""

    result: Any
    """What it returned: for most functions the seconds that they timed themselves."""
    cpu: float
    """Seconds of processor time, those of its children included."""
    peak_mb: float
    """Of it and its children together, imports included."""


def apart(function: Callable[..., object], *given: object, watched: bool = False) -> Taken:
    """Call a module's function in a new process; what it raises is raised here.

    `watched` also looks at its children's memory, twice a second.
    """
    fresh = multiprocessing.get_context("spawn")  # a copy of this one would begin with its memory
    with ProcessPoolExecutor(1, mp_context=fresh) as pool:
        root, together = pool.submit(os.getpid).result(), 0.0
        done = pool.submit(_called, function, given)
        while watched and not wait([done], _EVERY).done:
            together = max(together, tree_mb(root))
        taken = done.result()
    return Taken(taken.result, taken.cpu, max(taken.peak_mb, together))


def _called(function: Callable[..., object], given: tuple[object, ...]) -> Taken:
    result = function(*given)
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(each) for each in whose]
    return Taken(result, sum(each.ru_utime + each.ru_stime for each in used), peak_mb())


_PROCESSES = Path("/proc")


def peak_mb() -> float:
    """Return the process's peak resident memory in MB.

    Linux: VmHWM, since `ru_maxrss` of a child also counts its parent's. Elsewhere `ru_maxrss`, in
    bytes on macOS and in KiB on other systems.
    """
    held = re.search(r"VmHWM:\s+(\d+) kB", _read(_PROCESSES / "self" / "status"))
    if held is not None:
        return int(held[1]) * 1024 / 1e6
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


_EVERY = 0.5
"""Seconds from one look at the processes to the next."""


def tree_mb(root: int) -> float:
    """Return the MB that a process and its descendants hold; a shared page counts once (PSS).

    It is 0 where a system has no `/proc`.
    """
    held = (_held(_PROCESSES / str(each) / "smaps_rollup") for each in _tree(root))
    return sum(held) / 1e6


def _tree(root: int) -> Iterator[int]:
    """Yield the process and its descendants, as the threads of each name them."""
    yield root
    for children in (_PROCESSES / str(root) / "task").glob("*/children"):
        for child in _read(children).split():
            yield from _tree(int(child))


def _held(rollup: Path) -> int:
    """Return the bytes of a process; 0 where it has ended."""
    found = re.search(r"^Pss:\s+(\d+) kB", _read(rollup), re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


def _read(file: Path) -> str:
    """Return a file of a process; nothing where the process has ended."""
    try:
        return file.read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return ""
