"""Key lines: `Name: Oak`, `- **Height:** 12 m`, `Colour = green`, a key with its items below."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agent.reasoners.rules.records.structure.entry import Entry, Statement

__all__ = ("KeyLine", "as_entries", "item_of", "key_line")

_LINE: Final = re.compile(
    r"(?P<indent>[ \t]*)(?:[-*+•·][ \t]+|\d{1,3}[.)][ \t]+|>[ \t]*|[|][ \t]*)?"
    r"(?:(?P<mark>\*\*|__|`)|:(?=[^\W\d_][^:\n]*:[ \t]))?"
    r"(?P<key>[^\W_][^:=\t\n*`|<>{}]{0,59}?)"
    r"(?:(?P=mark)?[ \t]*(?::(?:\*\*|__)?(?=\s|$)|[ \t]=[ \t]|\t+|[ \t]?\.{4,}))"
    r"(?:\*\*|__|`)?[ \t]*(?P<value>[^\n]*)"
)
_ITEM: Final = re.compile(r"[ \t]*(?:[-*+•·]|\d{1,3}[.)])[ \t]+(?P<value>[^\n]+)")
_KEY: Final = re.compile(r"(?:[\w /&'’.,%#°²³+-]|\([^()]*\)|\[[^\[\]]*\])+(?<=[\w)\]%#°²³+])")
_MOST_WORDS: Final = 7


@dataclass(frozen=True, slots=True)
class KeyLine:
    """A key, its values, and where they stand."""

    key: str
    values: tuple[tuple[str, int], ...]
    """Each with its offset in the text; several where items stand below the key."""
    start: int
    end: int


def key_line(line: str, start: int) -> KeyLine | None:
    """Return the key and value of a line, or None; a value may be empty."""
    found = _LINE.match(line)
    if found is None:
        return None
    key = found["key"].strip(" *_`")
    if not _KEY.fullmatch(key) or key.count(" ") >= _MOST_WORDS:
        return None
    value = found["value"].rstrip(" \t\r\\*_|")
    at = start + found.start("value")
    values = ((value, at),) if value else ()
    return KeyLine(key, values, start + found.start("key"), start + len(line.rstrip()))


def item_of(line: str, start: int) -> tuple[str, int] | None:
    """Return what an item of a list says, with its offset, or None."""
    found = _ITEM.match(line)
    return (found["value"].rstrip(), start + found.start("value")) if found else None


def as_entries(lines: Sequence[KeyLine], label: str, heading: str) -> Iterator[Entry]:
    """Yield the entries of key lines that follow one another; a first key again opens the next."""
    first = 0
    for at in range(1, len(lines) + 1):
        if at == len(lines) or lines[at].key == lines[first].key:
            yield _entry(lines[first:at], label, heading)
            first = at


def _entry(lines: Sequence[KeyLine], label: str, heading: str) -> Entry:
    stated = tuple(
        Statement(line.key, value, line.start if number == 0 else at, at)
        for line in lines
        for number, (value, at) in enumerate(line.values)
    )
    return Entry("keys", label, heading, stated, lines[0].start, lines[-1].end)
