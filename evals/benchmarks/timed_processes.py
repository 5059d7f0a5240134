"""Functions in processes of their own, with the processor time and the memory they took."""

import importlib
import json
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.errors import HeadcountError
from evals.benchmarks.figures import Unequal


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
    """Call a module's function with strings in a new process.

    It returns what JSON can hold. `watched` also looks at its children's memory, twice a second.

    Raises:
        Unequal: it raised this, or a HeadcountError.
        CalledProcessError: it failed otherwise; its standard error says why.
    """
    code = "import sys; from evals.benchmarks.timed_processes import call; call(*sys.argv[1:])"
    names = function.__module__, function.__qualname__
    command = [sys.executable, "-c", code, *names, *map(str, given)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        output, together = _output_and_peak(process, _EVERY if watched else None)
    returned = json.loads(output.splitlines()[-1])
    if "error" in returned:
        raise Unequal(returned["error"])
    return Taken(returned["result"], returned["cpu"], max(returned["peak_mb"], together))


def call(module: str, function: str, *given: str) -> None:
    """Call a function and print as JSON what `apart` returns, or the error."""
    try:
        result = getattr(importlib.import_module(module), function)(*given)
    except (HeadcountError, Unequal) as error:
        sys.stdout.write(json.dumps({"error": str(error)}))
        return
    taken = {"result": result, "cpu": cpu_seconds(), "peak_mb": peak_mb()}
    sys.stdout.write(json.dumps(taken))


def cpu_seconds() -> float:
    """Return the processor time of this process and of its children that have ended."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(each) for each in whose]
    return sum(each.ru_utime + each.ru_stime for each in used)


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


def _output_and_peak(process: "subprocess.Popen[str]", every: float | None) -> tuple[str, float]:
    """Wait for a process; return what it wrote and the most memory that was seen."""
    peak = 0.0
    while True:
        try:
            output, _ = process.communicate(timeout=every)
        except subprocess.TimeoutExpired:
            peak = max(peak, tree_mb(process.pid))
        else:
            break
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return output, peak


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
