"""What one thread tells any number of pages, and the key that it waits for, from any of them."""

import asyncio
import queue
from collections.abc import AsyncIterator
from typing import Final, Literal, NamedTuple

from graphs.apps.desk import NOTE, Shown

Kind = Literal["line", "turn"]
_SOON: Final = 0.05
"""Seconds after which who follows looks again."""
KEYS_TAKEN: Final = frozenset("ybnd+-suqtw")
_SAID: Final = {"y": "yes", "b": "borderline", "n": "no", "d": "none in document", "s": "skipped"}


class Told(NamedTuple):
    """A message: a line of the trace; or that the page should be fetched again."""

    kind: Kind
    text: str = ""


class Feed:
    """Messages in order, which each page follows from where it was; any thread may write."""

    def __init__(self) -> None:
        self._told: list[Told] = []
        self._closed = False

    def tell(self, kind: Kind, text: str = "") -> None:
        """Add a message."""
        self._told.append(Told(kind, text))

    def close(self) -> None:
        """End: whoever follows gets what is left."""
        self._closed = True

    @property
    def lines(self) -> list[str]:
        """The lines so far."""
        return [each.text for each in tuple(self._told) if each.kind == "line"]

    def __len__(self) -> int:
        """Return how many messages there are."""
        return len(self._told)

    async def follow(self, after: int) -> AsyncIterator[tuple[int, Told]]:
        """Yield the messages behind the first `after`, each with its number, as they come."""
        while True:
            is_last = self._closed
            for each in self._told[after:]:
                after += 1
                yield after, each
            if is_last:
                return
            await asyncio.sleep(_SOON)


class PageScreen:
    """The screen of a review: keeps what is shown until a key comes for it."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._typed: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()
        self._note = ""
        self.shown: Shown | None = None
        self.asks = False
        """Whether what is shown waits for a key; not while one is worked on."""
        self.said: list[str] = []
        """What the person was told since the last passage was judged."""
        self.turn = 0
        """Counts what was shown: a key for an earlier passage is late, and does nothing."""
        self.noted = ""
        self.last = ""
        """What the last key said, and of which document."""

    def show(self, shown: Shown) -> None:
        """Show a passage, and ask for a key."""
        self.shown, self.noted = shown, shown.note
        self._ask()

    def _ask(self) -> None:
        self.turn += 1
        self.asks = True
        self._feed.tell("turn")

    def say(self, text: str) -> None:
        """Tell the person a line."""
        self.said.append(text)
        self._feed.tell("line", text)

    def key(self) -> str:
        """Wait for the next key."""
        key, self._note = self._typed.get()
        return key

    def text(self, asked: str) -> str:
        """Return the text that came with the key."""
        if asked == NOTE:
            self.noted = self._note
            self._ask()
        return self._note

    def press(self, key: str, turn: int, note: str = "") -> bool:
        """Take a key for the passage that was shown at a turn; False where it came too late."""
        if turn != self.turn or not self.asks or self.shown is None or key not in KEYS_TAKEN:
            return False
        self.asks = False  # a second press would be for what nobody has seen yet
        if key in _SAID:
            self.last = f"{_SAID[key]}: {self.shown.passage.document}"
        if key not in "+-t":
            self.said.clear()
        self._typed.put((key, note))
        return True

    def leave(self) -> None:
        """Stop reading, whatever is shown."""
        self._typed.put(("q", ""))
