"""Headings that the extraction of a page's main text lost, put back above their text."""

import re
from collections import Counter
from collections.abc import Collection, Iterable

__all__ = ("letters", "with_headings")

_TOLD = 60
"""Letters and digits by which a line is known again."""


def letters(line: str) -> str:
    """Return the letters and digits of a line."""
    return re.sub(r"[\W_]+", "", line)


def with_headings(extracted: str, own: str, headings: Collection[str]) -> str:
    r"""Return the extracted text with those headings that its lines stand under in the page.

    A heading comes back above the first line of its section that was extracted and that the page
    has once; one whose section was left out stays out.

    Args:
        extracted: the page's main text.
        own: all the page's own text, a block a line.
        headings: the lines of `own` that are headings, each with its marks.

    >>> own = "# Knots\n\nIt holds.\n\n# Links\n\nHome"
    >>> with_headings("It holds.", own, ["# Knots", "# Links"])
    '# Knots\n\nIt holds.'
    """
    lines = extracted.split("\n")
    places = _places(lines, own.split("\n"))
    held = set(map(letters, lines))
    above: dict[int, list[str]] = {}
    lost: list[str] = []
    for line in own.split("\n"):
        if line in headings:
            lost = [each for each in lost if _level(each) < _level(line)]
            if letters(line) not in held:
                lost.append(line)
                continue
        if lost and (place := places.get(_told(line))) is not None:
            above.setdefault(place, []).extend(lost)
            lost = []
    return "\n".join(_put(lines, above))


def _put(lines: Iterable[str], above: dict[int, list[str]]) -> list[str]:
    """Return the lines with headings above them, a blank line before and behind each."""
    put: list[str] = []
    for place, line in enumerate(lines):
        for heading in above.get(place, ()):
            put += ["", heading, ""] if put and put[-1] else [heading, ""]
        put.append(line)
    return put


def _places(lines: Iterable[str], own: Iterable[str]) -> dict[str, int]:
    """Return where each line stands by what it is known by, if it and the page have it once."""
    counts, shown = Counter(map(_told, lines)), Counter(map(_told, own))
    return {
        told: place
        for place, told in enumerate(map(_told, lines))
        if told and counts[told] == 1 and shown[told] == 1
    }


def _told(line: str) -> str:
    return letters(line)[:_TOLD]


def _level(heading: str) -> int:
    return len(heading) - len(heading.lstrip("#"))
