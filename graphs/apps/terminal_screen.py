"""The screen of a review in a terminal, or behind a pipe: a passage, its marked words, a key."""

import sys

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from agent.question import Condition
from graphs.apps.desk import Shown
from graphs.apps.in_words import criteria
from graphs.apps.terminal import one_line, printable, say


class TerminalScreen:
    """Reads single keys in a terminal, the letters of each line from a pipe."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._line = ""
        self._asked: Condition | None = None
        """The condition whose criteria were shown last."""

    def key(self) -> str:
        """Return the next key; `q` at the end of the input."""
        while not self._line:
            self._line = self._typed() or "q"
        key, self._line = self._line[0], self._line[1:]
        return key.lower()

    def _typed(self) -> str:
        """Return what was typed, at least one letter; nothing at the end of the input."""
        if sys.stdin is not None and sys.stdin.isatty():
            try:
                return typer.getchar()
            except (EOFError, KeyboardInterrupt):
                return ""
        while read := _line():
            if read.strip():
                return read.strip()
        return ""

    def text(self, asked: str) -> str:
        """Return a line of text; from a pipe the rest of the line, or else the next one."""
        if sys.stdin.isatty():
            return self._console.input(Text(f"{asked}: ")).strip()
        text, self._line = self._line.strip() or _line().strip(), ""
        return text

    def say(self, text: str) -> None:
        """Print a line."""
        say(self._console, one_line(text))

    def show(self, shown: Shown) -> None:
        """Print a passage with what will be quoted, and ask."""
        condition = shown.condition
        self._console.print()
        say(self._console, one_line(shown.place), style="bold")
        say(self._console, f"{shown.why} · {shown.told}", "dim")
        text = Text()
        text.append(printable(f"… {shown.before} ") if shown.before else "", style="dim")
        text.append_text(_highlighted(shown))
        text.append(printable(f" {shown.after} …") if shown.after else "", style="dim")
        self._console.print(Padding(text, (0, 0, 0, 2)))  # no line passes for one of Headcount's
        if condition != self._asked:
            self._asked = condition
            say(self._console, one_line(criteria(condition).strip()))
        say(self._console, f"will be quoted: {one_line(shown.quoted)}")
        if shown.note:
            say(self._console, f"note: {one_line(shown.note)}")
        say(self._console, f"{one_line(shown.asked)} [y b n + - w t s u q ?]", style="bold")


def _line() -> str:
    """Read a line from a pipe, what is no text in it replaced; nothing at the end of the input."""
    read = sys.stdin.readline() if sys.stdin is not None else ""
    return read.encode("utf-8", "replace").decode()


def _highlighted(shown: Shown) -> Text:
    """Return a passage with the words sought in bold, and what will be quoted underlined."""
    text = Text(printable(shown.passage.text))
    if len(text) == len(shown.passage.text):
        for span in shown.sought:
            text.stylize("bold", *span)
        text.stylize("underline", *shown.marked)
    return text
