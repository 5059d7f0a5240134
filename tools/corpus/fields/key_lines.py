"""Key lines at the top of a text: `Key: value` blocks in the styles of mail, reST and Markdown."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import NamedTuple

__all__ = ("Entry", "is_key_line", "key_lines")

_LINES_READ = 400
_TITLE_LINES = 4
_LONGEST_LINE = 4_000
_KEY_WORDS = 4
_SENTENCE_WORDS = 3
_LONG_WORDS = 32
_UNDERLINE = re.compile(r"\s*([^\w\s])\1{2,}\s*")
_LINE = re.compile(
    r"""
    (?P<indent>[ \t]*)
    (?P<mark>[-*+•][ \t]+)?
    (?:
        (?P<bold>\*\*|__)(?P<strong>[^\W\d_][^:*\n]{0,39}?)
        (?:[ \t]*:[ \t]*(?P=bold)|(?P=bold)[ \t]*:)
      | :(?P<rest>[^\W\d_][^:\n]{0,39}?):(?=\s|$)
      | (?P<plain>[^\W\d_][^:\n=<>{}|"\[\]]{0,39}?)[ \t]*:(?=\s|$)
    )
    [ \t]*(?P<value>.*?)[ \t]*(?:\\)?
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A key and its value as they stand in a header."""

    key: str
    raw: str
    start: int | None
    """Character offset of `raw` in the text; None where it is not written like that."""
    items: tuple[str, ...] | None = None
    """The items where the format says what they are; None leaves it to the value's look."""


class _Line(NamedTuple):
    start: int
    text: str


_line = partial(tuple.__new__, _Line)
"""Makes a line of a pair without a call in Python."""


@dataclass(slots=True)
class _Key:
    name: str
    style: str
    indent: int
    start: int
    end: int
    inline: bool
    """Whether the value begins on the key's own line."""


def key_lines(text: str) -> list[Entry]:
    """Return the entries of the key block at the top of the text, or nothing.

    A block is two or more consecutive key lines, with their folded (deeper indented) lines, below
    at most a title; keys are short and most values are no sentences. Further blocks that directly
    follow belong to it while every one of their lines is a key line. Where one of them begins with
    the first key again, the text is a list of entries and has no header.
    """
    lines = _first_lines(text)
    keys, after = _block(lines, _below_title(lines))
    if not _is_header(text, keys):
        return []
    while after < len(lines):
        more, stop = _block(lines, after)
        whole = stop >= len(lines) or not lines[stop - 1].text.strip()
        if not whole or not _is_header(text, more) or more[0].style != keys[0].style:
            break
        if more[0].name.casefold() == keys[0].name.casefold():
            return []
        keys, after = keys + more, stop
    return [Entry(key.name, text[key.start : key.end], key.start) for key in keys]


def is_key_line(line: str) -> bool:
    """Tell whether a line is a key with a value that is no sentence.

    >>> is_key_line("Signed on: 2021-11-19"), is_key_line("Note: the tenant left in May.")
    (True, False)
    """
    key = _key(_Line(0, line))
    return key is not None and key.inline and not _is_sentence(line[key.start : key.end])


def _first_lines(text: str) -> list[_Line]:
    pieces = text.split("\n", _LINES_READ)[:_LINES_READ]
    ends = accumulate(map(len, pieces))
    starts = map(int.__add__, (0, *ends), range(len(pieces)))
    return list(map(_line, zip(starts, pieces, strict=True)))


def _below_title(lines: Sequence[_Line]) -> int:
    """Return the first line that may belong to a block: titles and rules come first."""
    titles = 0
    for index, line in enumerate(lines):
        bare = line.text.strip()
        if not bare or _UNDERLINE.fullmatch(bare):
            continue
        if _key(line) is not None or titles == _TITLE_LINES:
            return index
        heading = bare.startswith("#")
        alone = index + 1 >= len(lines) or not lines[index + 1].text.strip()
        underlined = index + 1 < len(lines) and _UNDERLINE.fullmatch(lines[index + 1].text)
        above_keys = index + 1 < len(lines) and _key(lines[index + 1]) is not None
        short = len(bare) <= 120 and not _is_sentence(bare)
        if not heading and not (short and (alone or underlined or above_keys)):
            return len(lines)
        titles += 1
    return len(lines)


def _block(lines: Sequence[_Line], first: int) -> tuple[list[_Key], int]:
    """Return the key lines from `first` on, and the line behind them and one run of blanks."""
    keys: list[_Key] = []
    index = first
    while index < len(lines):
        line = lines[index]
        key = _key(line)
        indent = len(line.text) - len(line.text.lstrip())
        if keys and line.text.strip() and indent > keys[0].indent:
            keys[-1].end = line.start + len(line.text.rstrip())
        elif key is not None and (not keys or key.style == keys[0].style):
            keys.append(key)
        elif not (keys and keys[0].style == "bold" and _bold_follows(lines, index)):
            break
        index += 1
    while index < len(lines) and keys and not lines[index].text.strip():
        index += 1
    return keys, index


def _bold_follows(lines: Sequence[_Line], index: int) -> bool:
    """Tell whether this is a blank line between two bold keys: Markdown needs it."""
    if lines[index].text.strip() or index + 1 >= len(lines):
        return False
    key = _key(lines[index + 1])
    return key is not None and key.style == "bold"


def _key(line: _Line) -> _Key | None:
    match = _LINE.fullmatch(line.text) if len(line.text) <= _LONGEST_LINE else None
    if match is None:
        return None
    name = (match["strong"] or match["rest"] or match["plain"]).strip()
    if len(name.split()) > _KEY_WORDS or name[-1] in ".!?,;":
        return None
    style = "bold" if match["strong"] else "rest" if match["rest"] else "plain"
    if style == "plain" and match["mark"]:
        style = "item"
    start, end = (line.start + at for at in match.span("value"))
    return _Key(name, style, len(match["indent"]), start, end, inline=end > start)


def _is_header(text: str, keys: Sequence[_Key]) -> bool:
    """Tell whether the lines are metadata: two or more, few sentences, keys mostly distinct."""
    if len(keys) < 2:
        return False
    values = [text[key.start : key.end] for key in keys]
    sentences = sum(map(_is_sentence, values))
    filled = sum(key.inline for key in keys)
    common = Counter(key.name for key in keys).most_common(1)[0][1]
    return 2 * sentences <= len(keys) and 2 * filled >= len(keys) and 4 * common <= 3 * len(keys)


def _is_sentence(value: str) -> bool:
    words = value.split()
    ended = value.rstrip().endswith((".", "!", "?"))
    return len(words) >= (_SENTENCE_WORDS if ended else _LONG_WORDS)
