"""Words in context: each place of a text with what stands around it, no two sharing a character."""

from collections.abc import Sequence

__all__ = ("in_context",)

_AROUND = 60
"""Characters before and behind a place at most."""


def in_context(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Widen each span to whole words of its line, up to its neighbours.

    Args:
        text: what the spans are of.
        spans: in the order of the text, none overlapping another.

    >>> text = "Ask for a dog, or a dog."
    >>> [text[start:end] for start, end in in_context(text, [(10, 13), (20, 23)])]
    ['Ask for a dog, or a', 'dog.']
    """
    wide: list[tuple[int, int]] = []
    for place, (start, end) in enumerate(spans):
        first = max(wide[-1][1] if wide else 0, text.rfind("\n", 0, start) + 1)
        following = spans[place + 1][0] if place + 1 < len(spans) else len(text)
        line = text.find("\n", end, following)
        last = following if line < 0 else line
        wide.append((_left(text, first, start), _right(text, end, last)))
    return wide


def _left(text: str, first: int, start: int) -> int:
    """Return where the context before a span begins: at a word, not before `first`."""
    near = max(first, start - _AROUND)
    if near > first:
        cut = next((at for at in range(near, start) if text[at].isspace()), start)
        near = cut
    while near < start and text[near].isspace():
        near += 1
    return near


def _right(text: str, end: int, last: int) -> int:
    """Return where the context behind a span ends: behind a word, not behind `last`."""
    far = min(last, end + _AROUND)
    if far < last:
        far = next((at for at in range(far, end, -1) if text[at].isspace()), end)
    while far > end and text[far - 1].isspace():
        far -= 1
    return far
