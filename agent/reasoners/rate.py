"""A limit on how many requests a second leave for the provider."""

import threading
import time
from collections.abc import Callable

__all__ = ("RateLimit",)


class RateLimit:
    """A token bucket that holds one token: requests leave evenly spaced, in any thread."""

    def __init__(
        self,
        per_second: float | None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._interval = 1.0 / per_second if per_second else 0.0
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._free_at = 0.0

    def wait(self) -> None:
        """Take the next free moment and sleep until it comes."""
        if not self._interval:
            return
        with self._lock:
            now = self._clock()
            start = max(now, self._free_at)
            self._free_at = start + self._interval
        if start > now:
            self._sleep(start - now)
