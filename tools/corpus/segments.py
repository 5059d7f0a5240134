"""A text as segments: the smallest spans that a chunk or a quotation is made of.

A segment is a sentence, a clause, a heading, a record or a row. It ends where the next begins, so
that segments cover their text with no gap; only white space separates what they say.
"""

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import pairwise
from typing import NamedTuple

from tools.corpus.headings import Heading, heading_line, is_underline, run_in_heading
from tools.corpus.prose import may_be_several, sentence_starts

__all__ = ("Rank", "Segment", "first_heading", "segments", "sentences")

_UNWRAPPED = 160
_EARLY = 0.75
_LONGEST_TITLE = 120
_FENCE = re.compile(r"[ \t]{0,3}(```|~~~(?!~))")
_MARKED = re.compile(
    r"""
    [ \t]*
    (?: [-*+•‣◦–—▪]\ +
      | (?:\d{1,3}(?:\.\d{1,3})*[.)]|\d{1,3}(?:\.\d{1,3})+|[a-zA-Z][.)])\s
      | \((?:[a-zA-Z]|[ivxIVX]{2,5}|\d{1,3})\)\s
      | \|
      | \.\.\ |:[^:\n]{1,40}:\s
      | >>>\ |\$\ |\#+\ |//\s
      | [A-Z][^\s:]*(?:\ [^\s:]+){0,3}:(?:\s|$)
    )
    """,
    re.VERBOSE,
)
_CLAUSE = re.compile(
    r"\s*(?:\(?(?:\d{1,3}|[a-z]|[ivx]{2,4})[.)]|\d+(?:\.\d+)+|(?:Section|Article)\s)",
    re.IGNORECASE,
)


class Rank(IntEnum):
    """How good a place the start of a segment is to cut a text."""

    SENTENCE = 1
    LINE = 2
    CLAUSE = 3
    PARAGRAPH = 4
    HEADING = 5


class Segment(NamedTuple):
    """A span of a text, with the white space after it."""

    start: int
    end: int
    rank: Rank
    heading: Heading | None = None
    """Set where the segment is a heading: it belongs to what follows."""


class _Line(NamedTuple):
    start: int
    text: str
    blank: bool


def sentences(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Return the spans of sentences, clauses, headings, records and rows, in order.

    They leave out only white space; offsets are into the whole text.
    """
    spans = []
    for segment in segments(text, start, end):
        said = text[segment.start : segment.end]
        if bare := said.strip():
            first = segment.start + len(said) - len(said.lstrip())
            spans.append((first, first + len(bare)))
    return spans


def segments(text: str, start: int = 0, end: int | None = None) -> list[Segment]:
    """Return the segments of `text[start:end]`, which they cover without gap or overlap."""
    stop = len(text) if end is None else end
    found = list(_blocks(_lines(text, start, stop), stop))
    runs = [(each.start, each.end) for each in found if each.heading is None]
    several = iter(may_be_several(text, runs))
    starts = [
        each
        for block in found
        for each in _parts(text, block, several=block.heading is None and next(several))
    ]
    if not starts:
        return [Segment(start, stop, Rank.PARAGRAPH)] if stop > start else []
    ends = [first for first, _, _ in starts[1:]]
    firsts = [start, *ends]
    return [
        Segment(first, last, rank, heading)
        for first, last, (_, rank, heading) in zip(firsts, [*ends, stop], starts, strict=True)
    ]


def first_heading(text: str, end: int) -> Heading | None:
    """Return the first heading within `text[:end]`, reading no further than it."""
    starts = (
        each
        for block in _blocks(_lines(text, 0, end), end)
        for each in _parts(text, block, several=True)
    )
    return next((heading for _, _, heading in starts if heading is not None), None)


def _lines(text: str, start: int, end: int) -> list[_Line]:
    lines = []
    at = start
    for piece in text[start:end].split("\n"):
        lines.append(_Line(at, piece, not piece or piece.isspace()))
        at += len(piece) + 1
    return lines


class _Block(NamedTuple):
    """A heading, or lines that run on: what may hold several sentences."""

    start: int
    end: int
    rank: Rank
    heading: Heading | None


_Start = tuple[int, Rank, Heading | None]
"""Where a segment starts, how good a cut that is, and its heading."""


def _blocks(lines: Sequence[_Line], end: int) -> Iterator[_Block]:
    """Yield the headings and runs of lines, in order."""
    families: dict[str, int] = {}
    fenced = False
    index = 0
    while index < len(lines):
        if lines[index].blank:
            index += 1
            continue
        fence = _is_fence(lines[index].text)
        heading, size = (None, 1) if fenced or fence else _heading(lines, index, families)
        if heading is not None:
            yield _Block(lines[index].start, lines[index].start, Rank.HEADING, heading)
            index += size
            continue
        stop = _paragraph_end(lines, index, fenced=fenced)
        fenced ^= sum(_is_fence(line.text) for line in lines[index:stop]) % 2 == 1
        yield from _paragraph(lines[index:stop], end)
        index = stop


def _is_fence(line: str) -> bool:
    """Tell whether the line opens or closes a block of code."""
    return ("```" in line or "~~~" in line) and _FENCE.match(line) is not None


def _heading(
    lines: Sequence[_Line], index: int, families: dict[str, int]
) -> tuple[Heading | None, int]:
    """Return the heading that begins at this line, and how many lines it takes."""
    over = is_underline(lines[index].text)
    title = index + over
    if _titled(lines, title) and (over or index == 0 or lines[index - 1].blank):
        mark = ("over " if over else "") + lines[title + 1].text[0]
        level = families.setdefault(mark, len(families) + 1)
        return Heading("under", level, " ".join(lines[title].text.split())), 2 + over
    return heading_line(lines[index].text, alone=_alone(lines, index)), 1


def _titled(lines: Sequence[_Line], title: int) -> bool:
    """Tell whether the line at `title` is a title with a rule below it."""
    if title + 1 >= len(lines) or lines[title].blank or is_underline(lines[title].text):
        return False
    words, rule = lines[title].text.strip(), lines[title + 1].text.rstrip()
    if not is_underline(rule) or len(words) > _LONGEST_TITLE:
        return False
    return len(rule) >= min(len(words) - 2, 8) and not words.startswith(("|", "- ", "* "))


def _alone(lines: Sequence[_Line], index: int) -> bool:
    before = index == 0 or lines[index - 1].blank
    return before and (index + 1 >= len(lines) or lines[index + 1].blank)


def _paragraph_end(lines: Sequence[_Line], index: int, *, fenced: bool) -> int:
    """Return the line behind the paragraph; a Markdown heading ends one even without a blank."""
    stop = index + 1
    inside = fenced ^ _is_fence(lines[index].text)
    while stop < len(lines) and not lines[stop].blank:
        if _is_fence(lines[stop].text):
            inside = not inside
        elif (
            not inside
            and lines[stop].text.startswith("#")
            and heading_line(lines[stop].text, alone=False)
        ):
            break
        stop += 1
    return stop


def _paragraph(lines: Sequence[_Line], end: int) -> Iterator[_Block]:
    """Yield a paragraph's deliberate lines, each with those that run on from it."""
    rank = Rank.PARAGRAPH
    breaks = [0, *_line_breaks(lines), len(lines)]
    for first, stop in pairwise(breaks):
        last = lines[stop - 1]
        yield _Block(lines[first].start, min(last.start + len(last.text), end), rank, None)
        rank = Rank.LINE


def _parts(text: str, block: _Block, *, several: bool) -> Iterator[_Start]:
    """Yield the starts within a block; `several` says that it may hold more than one sentence."""
    if block.heading is not None:
        yield block.start, block.rank, block.heading
        return
    starts = sentence_starts(text, block.start, block.end) if several else [block.start]
    starts.append(block.end)
    for at, following in pairwise(starts):
        own = block.rank if at == block.start else Rank.SENTENCE
        if _CLAUSE.match(text, at, following) is None:
            yield at, own, None
            continue
        heading = run_in_heading(text[at:following])
        yield at, max(own, Rank.CLAUSE), heading[0] if heading else None
        if heading and (rest := text[at + heading[1] : following]).strip():
            yield following - len(rest.lstrip()), Rank.SENTENCE, None


def _line_breaks(lines: Sequence[_Line]) -> Iterator[int]:
    """Yield the lines that begin something of their own, not the rest of a wrapped sentence."""
    if len(lines) == 1:
        return
    width = max(len(line.text) for line in lines)
    for index in range(1, len(lines)):
        line, above = lines[index].text, lines[index - 1].text
        if (
            width > _UNWRAPPED
            or _MARKED.match(line)
            or _ends_early(above, line, width)
            or _same_columns(above, line)
        ):
            yield index


def _ends_early(above: str, line: str, width: int) -> bool:
    """Tell whether the next word would have fitted, so that the line was ended on purpose."""
    first = line.split(maxsplit=1)[0]
    return len(above.rstrip()) + 1 + len(first) <= _EARLY * width


def _same_columns(above: str, line: str) -> bool:
    """Tell whether both lines are rows: as many tabs, bars, or (three and more) commas."""
    for mark, least in (("\t", 1), (" | ", 1), (";", 2), (",", 3)):
        if mark in line and (count := line.count(mark)) >= least and count == above.count(mark):
            return True
    return False
