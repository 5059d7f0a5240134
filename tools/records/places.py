"""Where in a text the words of a record stand: each quote near its own record, not anywhere.

A table says `is 1` in many rows, so a quote is looked for between its record's label and the next.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from agent.records.record_replies import RecordReply
from tools.quotes import locate

__all__ = ("find_words", "place_quote", "windows")

_LONGEST_SEARCH: Final = 100_000
"""Characters in which a quote is looked for that does not stand there to the letter."""

Window = tuple[int, int]


def windows(records: Sequence[RecordReply], text: str, start: int, end: int) -> list[Window]:
    """Return, for each record of a reply, the span of the text that is likely its own.

    A record begins at its label, or else at its longest quote, behind the one before it; it ends
    where the next one begins. One of which nothing is found has the span from the one before.
    """
    begins: list[int] = []
    cursor = start
    for record in records:
        found = _begin(record, text, cursor, end)
        begins.append(cursor if found is None else found)
        cursor = begins[-1] + (found is not None)
    ends = [max(first, second) for first, second in pairwise([*begins, end])]
    return list(zip(begins, ends, strict=True))


def _begin(record: RecordReply, text: str, start: int, end: int) -> int | None:
    quotes = sorted((each.quote for each in record.cells), key=len, reverse=True)
    anchors = [each for each in (record.label, *quotes[:1]) if each.strip()]
    found = (find_words(each, text, start, end) for each in anchors)
    return next((each for each in found if each is not None), None)


def place_quote(quote: str, text: str, window: Window, part: Window) -> Window | None:
    """Return the span of a quote: in its record's window, else anywhere in the part, else None.

    Args:
        quote: as it was given.
        text: the document's text.
        window: where the record stands.
        part: what of the text was read.
    """
    bare = quote.strip()
    if not bare:
        return None
    for first, last in _tried(window, part):
        found = find_words(bare, text, first, last)
        if found is not None:
            return found, found + len(bare)
    for first, last in _tried(window, part):
        if last - first <= _LONGEST_SEARCH:
            span = locate(bare, text[first:last])
            if span is not None:
                return first + span[0], first + span[1]
    return None


def _tried(window: Window, part: Window) -> Iterator[Window]:
    yield window
    if window != part:
        yield part


def find_words(words: str, text: str, start: int, end: int) -> int | None:
    """Return where the words first stand to the letter, not within longer words or numbers.

    >>> find_words("id is 1", "id is 13, id is 1.", 0, 18)
    10
    """
    found = text.find(words, start, end)
    while found >= 0:
        last = found + len(words)
        if not (_runs_on(text, found) or _runs_on(text, last)):
            return found
        found = text.find(words, found + 1, end)
    return None


def _runs_on(text: str, place: int) -> bool:
    """Tell whether a word or number goes on across a place."""
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()
