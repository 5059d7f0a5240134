"""The most memory that this process has held."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

__all__ = ("output_and_peak_mb", "peak_mb", "tree_mb")

_STATUS = Path("/proc/self/status")


def peak_mb() -> float:
    """Return the process's peak resident memory in MB.

    Linux: VmHWM, since `ru_maxrss` of a child also counts its parent's. Elsewhere `ru_maxrss`, in
    bytes on macOS and in KiB on other systems.
    """
    if _STATUS.is_file():
        held = re.search(r"VmHWM:\s+(\d+) kB", _STATUS.read_text(encoding="ascii"))
        if held is not None:
            return int(held[1]) * 1024 / 1e6
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


_PROCESSES = Path("/proc")
_EVERY = 0.5
"""Seconds from one look at the processes to the next."""


def output_and_peak_mb(process: "subprocess.Popen[str]") -> tuple[str, float]:
    """Wait for a process; return what it wrote and the most memory that it and its children held.

    Looked at twice a second; 0 MB where a system has no `/proc`.

    Raises:
        CalledProcessError: the process failed.
    """
    peak = 0.0
    while True:
        try:
            output, _ = process.communicate(timeout=_EVERY)
        except subprocess.TimeoutExpired:
            peak = max(peak, tree_mb(process.pid))
        else:
            break
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return output, peak


def tree_mb(root: int) -> float:
    """Return the MB that a process and its descendants hold; a shared page counts once (PSS)."""
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
