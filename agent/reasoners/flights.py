"""One thread at a time for each key: whoever comes second finds what the first one stored."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ("Flights",)


class Flights:
    """The keys that threads of this process work on."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._locks: dict[str, tuple[threading.Lock, int]] = {}

    @contextmanager
    def of(self, key: str) -> Iterator[None]:
        """Work on a key; wait while another thread does."""
        with self._lock:
            lock, waiting = self._locks.get(key, (threading.Lock(), 0))
            self._locks[key] = (lock, waiting + 1)
        try:
            with lock:
                yield
        finally:
            with self._lock:
                lock, waiting = self._locks.pop(key)
                if waiting > 1:
                    self._locks[key] = (lock, waiting - 1)
