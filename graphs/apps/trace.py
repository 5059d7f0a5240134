"""The trace on a screen: a line an event, the judging's progress in one line that is renewed."""

from rich.console import Console
from rich.control import Control
from rich.segment import ControlType

from graphs.apps.plain import styled
from graphs.apps.progress import told
from graphs.sessions import Event

__all__ = ("Trace",)


class Trace:
    """Prints events as they happen; a pipe gets every event on lines of its own."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._renewable = 0
        """How many lines the last event took, where the next one of its kind replaces them."""

    def show(self, event: Event) -> None:
        """Print an event, if it tells a person anything."""
        text = styled(told(event), "dim")
        if not text:
            return
        if not self.console.is_terminal:
            self.console.print(text, soft_wrap=True)
            return
        judging = event.get("node") == "judge"
        if judging:
            self._erase()
        self.console.print(text)
        self._renewable = len(text.wrap(self.console, self.console.width)) if judging else 0

    def _erase(self) -> None:
        for _ in range(self._renewable):
            up = (ControlType.CURSOR_UP, 1)
            self.console.control(Control(up, (ControlType.ERASE_IN_LINE, 2)))
