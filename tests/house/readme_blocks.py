"""What a Markdown page tells its reader to run."""

import re
import shlex
from collections.abc import Iterator

PROGRAMS = ("headcount", "headcount-eval", "make")
SHELLS = ("console", "sh", "bash", "shell")

_BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_BETWEEN = re.compile(r"\s(?:&&|\|\|?|;)\s|[()]")
_ASSIGNED = re.compile(r"\w+=")


def python_blocks(text: str) -> list[str]:
    """Return the Python blocks of a page, in order."""
    return [source for language, source in _BLOCK.findall(text) if language == "python"]


def commands(text: str) -> Iterator[list[str]]:
    """Yield the calls of our programs as words, from shell blocks and from code in sentences."""
    for language, source in _BLOCK.findall(text):
        if language in SHELLS:
            lines = source.replace("\\\n", " ").splitlines()
            prompted = any(line.startswith("$ ") for line in lines)
            for line in lines:
                if line.startswith("$ ") or not prompted:
                    yield from _calls(line.removeprefix("$ "))
    for span in _SPAN.findall(_BLOCK.sub("", text)):
        yield from _calls(span)


def _calls(line: str) -> Iterator[list[str]]:
    for part in _BETWEEN.split(line):
        try:
            words = shlex.split(part, comments=True)
        except ValueError:  # a sentence's code with a single quote mark is no command
            continue
        while words and _ASSIGNED.match(words[0]):
            words.pop(0)
        if words and words[0].rpartition("/")[2] in PROGRAMS:
            yield [words[0].rpartition("/")[2], *words[1:]]
