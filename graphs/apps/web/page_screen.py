"""The screen of a review on the page: keys come from any tab, each for the passage it shows."""

import queue
from typing import Final

from graphs.apps.desk import Shown
from graphs.apps.web.feed import Feed

KEYS_TAKEN: Final = frozenset("ybnd+-suqt")

_SAID: Final = {
    "y": "yes",
    "b": "borderline",
    "n": "no",
    "d": "no, and nothing else in it",
    "s": "skipped",
}


class PageScreen:
    """Keeps what is shown until a key comes for it."""

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
        """The note on the passage shown."""
        self.last = ""
        """What the last key said, and of which document."""

    def show(self, shown: Shown) -> None:
        """Show a passage, and ask for a key."""
        if self.shown is None or shown.passage != self.shown.passage:
            self.noted = ""
        self.shown = shown
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

    def text(self, asked: str) -> str:  # noqa: ARG002
        """Return the note that came with the key."""
        self.noted = self._note
        self.turn += 1
        self.asks = True
        self._feed.tell("turn")
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
