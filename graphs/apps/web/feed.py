"""What one thread tells and any number of pages follow, each from where it was."""

import asyncio
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["line", "turn"]


@dataclass(frozen=True, slots=True)
class Told:
    """A message: a line of the trace; or that the page should be fetched again."""

    kind: Kind
    text: str = ""


class Feed:
    """Messages in order; safe to write from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._told: list[Told] = []
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self._closed = False

    def tell(self, kind: Kind, text: str = "") -> None:
        """Add a message, and wake whoever follows."""
        with self._lock:
            self._told.append(Told(kind, text))
        self._wake()

    def close(self) -> None:
        """End: whoever follows gets what is left."""
        self._closed = True
        self._wake()

    @property
    def lines(self) -> list[str]:
        """The lines so far."""
        with self._lock:
            return [each.text for each in self._told if each.kind == "line"]

    def __len__(self) -> int:
        """Return how many messages there are."""
        return len(self._told)

    async def follow(self, after: int) -> AsyncIterator[tuple[int, Told]]:
        """Yield the messages behind the first `after`, each with its number, as they come."""
        waiter = (asyncio.get_running_loop(), asyncio.Event())
        self._waiting.add(waiter)
        try:
            while True:
                waiter[1].clear()
                with self._lock:
                    new = self._told[after:]
                for each in new:
                    after += 1
                    yield after, each
                if self._closed and after == len(self._told):
                    return
                await waiter[1].wait()
        finally:
            self._waiting.discard(waiter)

    def _wake(self) -> None:
        for loop, event in tuple(self._waiting):
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)
