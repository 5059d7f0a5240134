"""The most memory that this process has held."""

import re
import sys
from pathlib import Path

__all__ = ("peak_mb",)

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
