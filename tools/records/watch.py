"""How long a statement may run, and how much memory it may take."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from agent.errors import QueryError

__all__ = ("Watch", "held_bytes")

_STATUS: Final = Path("/proc/self/statm")
_PAUSE: Final = 0.01
"""Seconds between two looks at the memory: a look takes some microseconds."""


def held_bytes() -> int | None:
    """Return the memory that the process holds, or has held at most where only that is told.

    None where the system tells neither.
    """
    if sys.platform == "win32":
        return None
    import resource

    if _STATUS.exists():
        return int(_STATUS.read_text(encoding="ascii").split()[1]) * resource.getpagesize()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


class Watch:
    """Says when a statement is to be cut: its time is over, or the process has grown too much."""

    def __init__(self, clock: Callable[[], float], seconds: float, most_bytes: int) -> None:
        self._clock, self._seconds, self._most = clock, seconds, most_bytes
        self._end = clock() + seconds
        self._before = held_bytes()
        self._looked = self._end - seconds
        self._grown = False

    def late(self) -> bool:
        """Tell whether the time is over."""
        return self._clock() > self._end

    def over(self) -> bool:
        """Tell whether the statement is to be cut; made for `sqlite3`'s progress handler."""
        now = self._clock()
        if self._before is not None and now >= self._looked + _PAUSE:
            self._looked = now
            held = held_bytes()
            self._grown = held is not None and held > self._before + self._most
        return self._grown or now > self._end

    def why(self) -> QueryError:
        """Return the error of a statement that was cut."""
        limit = (
            f"took more than {self._most // 1_000_000} MB of memory"
            if self._grown
            else f"ran longer than {self._seconds:g} s"
        )
        return QueryError(f"the statement {limit} and was cut; make it simpler")
