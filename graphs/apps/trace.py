"""The trace on a screen: a line an event; rounds of reading are folded into a few lines."""

from types import TracebackType
from typing import Final, Self

from rich.console import Console
from rich.control import Control
from rich.segment import ControlType
from rich.text import Text

from graphs.apps.plain import styled
from graphs.apps.progress import told
from graphs.sessions import Event

__all__ = ("Trace",)

_READING: Final = frozenset({"feedback", "batch", "judge"})
"""The nodes that take turns while a large question is read."""


class Trace:
    """Prints events as they happen, the last ones of a course of reading at its end at the latest.

    A terminal shows how far the reading is in lines that are renewed. A pipe gets the first round,
    then the waves 2, 4, 8 and so on, and the last: as many lines as a person reads, however much is
    read. With `every`, each event has lines of its own.
    """

    def __init__(self, console: Console, *, every: bool = False) -> None:
        self.console = console
        self._every = every
        self._waves = 0
        """Of judging, since reading began."""
        self._last: dict[str, Text] = {}
        """What each node said last, of a terminal; of a pipe only what is not printed yet."""
        self._renewable = 0
        """How many lines of the terminal the next event of reading replaces."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._end_reading()

    def show(self, event: Event) -> None:
        """Print an event, if it tells a person anything."""
        text = styled(told(event), "dim")
        if not text:
            return
        node = event.get("node", "")
        if node in _READING and not self._every:
            self._read(node, text)
            return
        self._end_reading()
        self._print(text)

    def _read(self, node: str, text: Text) -> None:
        self._waves += node == "judge"
        self._last[node] = text
        if self.console.is_terminal:
            self._renew()
        elif self._waves == 0 or (node == "judge" and self._waves.bit_count() == 1):
            self._flush()

    def _renew(self) -> None:
        for _ in range(self._renewable):
            up = (ControlType.CURSOR_UP, 1)
            self.console.control(Control(up, (ControlType.ERASE_IN_LINE, 2)))
        self._renewable = 0
        for text in self._last.values():
            self._print(text)
            self._renewable += len(text.wrap(self.console, self.console.width))

    def _end_reading(self) -> None:
        if not self.console.is_terminal:
            self._flush()
        self._last.clear()
        self._renewable = self._waves = 0

    def _flush(self) -> None:
        for text in self._last.values():
            self._print(text)
        self._last.clear()

    def _print(self, text: Text) -> None:
        self.console.print(text, soft_wrap=not self.console.is_terminal)
