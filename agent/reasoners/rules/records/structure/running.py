"""Running text: what of a text is no entry."""

from collections.abc import Iterable

__all__ = ("running_text",)


def running_text(text: str, entries: Iterable[tuple[int, int]]) -> str:
    r"""Return the text with its entries' spans blanked, every other character in its place.

    >>> running_text("Age: 12\nIt rains.", [(0, 7)])
    '       \nIt rains.'
    """
    pieces: list[str] = []
    at = 0
    for start, end in sorted(entries):
        if start >= at:
            pieces += [text[at:start], _blank(text[start:end])]
            at = end
    return "".join([*pieces, text[at:]])


def _blank(text: str) -> str:
    return "\n".join(" " * len(line) for line in text.split("\n"))
