"""A document as the page shows it: its text in pieces, those that prove something marked."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

Piece = tuple[str, Literal["", "quote", "here"]]
WINDOW: Final = 200_000
"""Characters of a document that are shown at once."""


def pieces(
    text: str, spans: Iterable[tuple[int, int]], first: int, last: int, here: int | None = None
) -> Iterator[Piece]:
    """Yield the text from `first` to `last`, cut where a quote begins or ends.

    Quotes that overlap are one piece; the one that begins at `here` is told apart.

    >>> list(pieces("one two three", [(4, 7)], 0, 13, here=4))
    [('one ', ''), ('two', 'here'), (' three', '')]
    """
    at = first
    for begun, ended in joined(spans):
        start, end = max(begun, at), min(ended, last)
        if start >= end:
            continue
        if at < start:
            yield text[at:start], ""
        is_here = here is not None and start <= here < end
        yield text[start:end], "here" if is_here else "quote"
        at = end
    if at < last:
        yield text[at:last], ""


def joined(spans: Iterable[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Return the spans in order, those that overlap as one.

    >>> joined([(5, 9), (0, 3), (2, 4)])
    [(0, 4), (5, 9)]
    """
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def window(length: int, at: int) -> tuple[int, int]:
    """Return the span of a document of this length that is shown, with `at` in it.

    >>> window(500_000, 450_000), window(100, 3), window(100, 900)
    ((350000, 500000), (0, 100), (0, 100))
    """
    at = min(max(at, 0), length)
    first = max(0, at - WINDOW // 2)
    return first, min(length, first + WINDOW)
