"""Texts as blocks: headings, and lines that run on from one another.

What a single line tells is read for all lines at once (`Lines`). Walked through in order are only
the paragraphs, since whether a line is a heading depends on what is above it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from agent.english import word_set
from tools.corpus.chunking.text_lines import Heading, Lines, among, heading_line, is_underline

_UNWRAPPED = 160
_EARLY = 0.75
_LONGEST_TITLE = 120
_FENCE = re.compile(r"[ \t]{0,3}(```|~~~(?!~))")
_RULES = "=-~^\"'`#*+.:_"
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

_Numbers = NDArray[np.integer[Any]]
_Facts = NDArray[np.bool_]
_WORD = 24
_OPENING = "(\"'“‘«[*_`"
_STOP = re.compile(
    r"""
    (?<![.!?…]) (?P<mark>[.!?…]++) [)\]"'”’»*_`]*+ \s++ (?P<next>[("'“‘«\[*_`]*+(?:\w[\w'’]{0,12})?)
  | (?<![。！？]) [。！？]++ [」』”）]*+ \s*+ (?P<cjk>(?=\S))
    """,
    re.VERBOSE,
)
_NUMBER = (
    r"(?:\d{1,3}(?:\.\d{1,3})+\.?|\d{1,3}[.)](?=\s)|\((?:[a-zA-Z]|[ivxIVX]{2,5}|\d{1,2})\)"
    r"|(?:Section|SECTION|Article|ARTICLE)\s+[\dIVXLC][\dIVXLC.]*)"
)
_LETTER = r"(?:[A-Z]|[IVX]{2,5})\."
_CLAUSE = re.compile(
    rf"""
      (?: (?P<stop>\.)[)"”]*+\s | [;:!?][)"”]*+\s (?:\s*+(?:and|or)\s)? | ,\s++(?:and|or)\s )
      \s*+ (?P<at>{_NUMBER}) \s+ (?=[\w("“‘'\[])
    | (?<!\s)\s{{2,}}+ (?P<apart>{_NUMBER}|{_LETTER}) \s+ (?=[\w("“‘'\[])
    | (?<=[^\s.,;:!?])\s (?P<capitals>\d{{1,3}}\.) \s (?=[A-Z]{{3}})
    """,
    re.VERBOSE,
)
_SPACE = r"[\s\x1c-\x1f]"
_STOP_HINT = rf"[.!?…][)\]\"'”’»*_`]*{_SPACE}|[。！？]"
_CLAUSE_HINT = (
    rf"{_SPACE}(?:\d{{1,3}}(?:\.\d{{1,3}})+\.?|\d{{1,3}}[.)]|\((?:[a-zA-Z]{{1,5}}|\d{{1,2}})\)"
    rf"|(?:Section|SECTION|Article|ARTICLE){_SPACE}+[\dIVXLC][\dIVXLC.]*|(?:[A-Z]|[IVX]{{2,5}})\.)"
    rf"{_SPACE}"
)
"""In the syntax of Python and of Rust: a text without such places has no match of `_STOP` or of
`_CLAUSE`. Most lines have neither."""
_FEW = 16
"""Texts below which calling Rust's engine takes longer than it saves."""
_NUMBER_ONLY = re.compile(rf"(?:(?:and|or)\s+)?(?:{_NUMBER}|{_LETTER})\s*")


class Rank(IntEnum):
    """How good a place the start of a segment is to cut a text."""

    SENTENCE = 1
    LINE = 2
    CLAUSE = 3
    PARAGRAPH = 4
    HEADING = 5


class Segment(NamedTuple):
    """A span of a text: a heading, lines that run on, or a part of those."""

    start: int
    end: int
    rank: Rank
    heading: Heading | None = None
    """Set where it is a heading, which belongs to what follows."""


def blocks(texts: Sequence[str]) -> list[list[Segment]]:
    """Return the headings and runs of lines of each text, in order; offsets are into the text."""
    if not texts:
        return []
    lines = Lines.of(texts)
    walk = _Walk(lines)
    for first, stop in pairwise(lines.firsts):
        walk.through(first, stop)
    return _assembled(lines, walk)


class _Walk:
    """Walks through texts line by line where it must, else paragraph by paragraph."""

    def __init__(self, lines: Lines) -> None:
        self.headings: list[tuple[int, Heading]] = []
        """The line that each heading starts at, ascending."""
        self.firsts: list[int] = []
        """The first line of each paragraph, ascending."""
        self.stops: list[int] = []
        """The line behind each paragraph."""
        self._lines = lines
        first = lines.codes[lines.starts]
        places = np.arange(len(lines))
        self._blank: list[bool] = lines.blank.tolist()
        self._next_blank = _next(np.flatnonzero(lines.blank), places)
        self._next_filled = _next(np.flatnonzero(~lines.blank), places)
        rule = (lines.words == 1) & (lines.heads == lines.starts) & (lines.bare >= 3)
        self._rules: list[bool] = (rule & among(first, _RULES)).tolist()
        self._rules.append(False)
        self._hashes: list[int] = np.flatnonzero(first == ord("#")).tolist()
        fences = among(lines.codes[lines.heads], "`~") & ~lines.blank
        marked = np.flatnonzero(fences).tolist()
        self._fences = [line for line in marked if _FENCE.match(lines.text(line))]

    def through(self, first: int, stop: int) -> None:
        """Find the headings and paragraphs of a text's lines."""
        families: dict[str, int] = {}
        fences = self._fences[bisect_left(self._fences, first) : bisect_left(self._fences, stop)]
        fenced = False
        index = first
        while index < stop:
            if self._blank[index]:
                index = self._next_filled[index]
                continue
            if not fenced and index not in fences:
                heading, size = self._heading(index, first, stop, families)
                if heading is not None:
                    self.headings.append((index, heading))
                    index += size
                    continue
            end = self._paragraph_end(
                index, min(self._next_blank[index], stop), fences, fenced=fenced
            )
            fenced ^= (bisect_left(fences, end) - bisect_left(fences, index)) % 2 == 1
            self.firsts.append(index)
            self.stops.append(end)
            index = end

    def _heading(
        self, index: int, first: int, stop: int, families: dict[str, int]
    ) -> tuple[Heading | None, int]:
        """Return the heading that begins at this line, and how many lines it takes."""
        below = index == first or self._blank[index - 1]
        over = self._rules[index] and is_underline(self._lines.text(index))
        title = index + over
        if self._titled(title, stop) and (over or below):
            rule = self._lines.text(title + 1)
            mark = ("over " if over else "") + rule[0]
            level = families.setdefault(mark, len(families) + 1)
            words = self._lines.text(title).split()
            return Heading("under", level, " ".join(words)), 2 + over
        alone = below and (index + 1 >= stop or self._blank[index + 1])
        line = self._lines.text(index)
        return (heading_line(line, alone=alone) if alone or line[0] == "#" else None), 1

    def _titled(self, title: int, stop: int) -> bool:
        """Tell whether the line at `title` is a title with a rule below it."""
        if title + 1 >= stop or not self._rules[title + 1] or self._blank[title]:
            return False
        above, rule = self._lines.text(title), self._lines.text(title + 1).rstrip()
        words = above.strip()
        if is_underline(above) or not is_underline(rule) or len(words) > _LONGEST_TITLE:
            return False
        return len(rule) >= min(len(words) - 2, 8) and not words.startswith(("|", "- ", "* "))

    def _paragraph_end(self, index: int, stop: int, fences: Sequence[int], *, fenced: bool) -> int:
        """Return the line behind the paragraph; a Markdown heading ends one without a blank."""
        for place in range(bisect_right(self._hashes, index), len(self._hashes)):
            line = self._hashes[place]
            if line >= stop:
                break
            crossed = bisect_right(fences, line) - bisect_left(fences, index)
            inside = fenced ^ (crossed % 2 == 1)
            if not inside and heading_line(self._lines.text(line), alone=False):
                return line
        return stop


def _assembled(lines: Lines, walk: _Walk) -> list[list[Segment]]:
    firsts, stops = np.asarray(walk.firsts, np.int64), np.asarray(walk.stops, np.int64)
    breaks = _line_breaks(lines, firsts, stops)
    headings = dict(walk.headings)
    rank = np.zeros(len(lines), np.int8)
    rank[list(headings)] = Rank.HEADING
    rank[firsts] = Rank.PARAGRAPH
    rank[breaks] = Rank.LINE
    begun = np.flatnonzero(rank)
    stop = np.append(begun[1:], len(lines))
    if len(firsts):
        paragraph = np.searchsorted(firsts, begun, "right") - 1
        stop = np.minimum(stop, stops[paragraph])
    bounds = np.searchsorted(begun, lines.firsts)
    base = np.repeat(lines.starts[lines.firsts[:-1]], np.diff(bounds))
    start = lines.starts[begun]
    is_heading = rank[begun] == Rank.HEADING
    end = np.where(is_heading, start, lines.starts[stop - 1] + lines.sizes[stop - 1])
    ranks = [Rank(max(each, 1)) for each in range(len(Rank) + 1)]
    found = list(
        map(
            Segment,
            (start - base).tolist(),
            (end - base).tolist(),
            map(ranks.__getitem__, rank[begun].tolist()),
            map(headings.get, begun.tolist()),
        )
    )
    return [found[first:last] for first, last in pairwise(bounds.tolist())]


def _line_breaks(lines: Lines, firsts: _Numbers, stops: _Numbers) -> _Numbers:
    """Return the lines within paragraphs that begin something of their own."""
    if not len(firsts):
        return firsts
    own = stops - firsts - 1
    inner = np.repeat(firsts + 1 - (np.cumsum(own) - own), own) + np.arange(int(own.sum()))
    spans = np.column_stack((firsts, stops)).ravel()
    widths = np.maximum.reduceat(np.append(lines.sizes, 0), spans)[0::2]
    width = np.repeat(widths, own)
    # A line is ended on purpose where the next word would have fitted.
    early = lines.bare[inner - 1] + 1 + lines.first_word[inner] <= _EARLY * width
    known = (width > _UNWRAPPED) | early | _same_columns(lines)[inner]
    asked = np.flatnonzero(~known)
    known[asked] = [_MARKED.match(lines.text(line)) is not None for line in inner[asked].tolist()]
    return inner[known]


def _same_columns(lines: Lines) -> _Facts:
    """Tell which lines are rows like the one above: with as many tabs, bars or several commas."""
    same = np.zeros(len(lines), np.bool_)
    for mark, least in (("\t", 1), (";", 2), (",", 3)):
        counts = lines.counts(mark)
        same[1:] |= (counts[1:] >= least) & (counts[1:] == counts[:-1])
    barred = lines.counts("|") > 0
    for line in (1 + np.flatnonzero(barred[1:] & barred[:-1])).tolist():
        bars = lines.text(line).count(" | ")
        same[line] |= bars >= 1 and bars == lines.text(line - 1).count(" | ")
    return same


def _next(places: _Numbers, lines: _Numbers) -> list[int]:
    """Return the first of the places at or behind each line; behind the last, how many lines."""
    found: list[int] = np.append(places, len(lines))[np.searchsorted(places, lines)].tolist()
    return found


_NEVER_LAST = word_set(
    "mr mrs ms dr prof hon rev gov sen messrs capt col lt sgt st cf viz vs e.g i.e"
)
_BEFORE_NUMBER = word_set(
    "no nos fig figs eq eqs sec secs art arts ch chap par para vol vols ed eds pp ref refs op ca "
    "approx"
)
_SELDOM_LAST = word_set(
    "inc corp ltd co llc llp plc gmbh bros dept univ assn ave blvd rd sq mt ft jr sr etc al est "
    "incl excl resp jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun"
)
_OPENERS = word_set(
    "the this that these those a an it its he she they we you i his her their our your in on at by "
    "for from to as if when while where since because although though however therefore thus "
    "moreover furthermore but and so there here such each every all any no not both either neither "
    "after before during under upon until unless with without one some many most other what who "
    "which how why"
)


class Pauses(NamedTuple):
    """What may part a text's sentences: False is certain."""

    stops: bool
    """A mark that ends a sentence."""
    clauses: bool
    """A clause's number."""


_EITHER = Pauses(stops=True, clauses=True)


def sentence_starts(text: str, start: int, end: int, pauses: Pauses = _EITHER) -> list[int]:
    """Return where sentences and clauses begin within `text[start:end]`, `start` first, ascending.

    >>> line = "Acme Inc. pays No. 5 here. 12.3 Term. It ends."
    >>> [line[at : at + 5] for at in sentence_starts(line, 0, len(line))]
    ['Acme ', '12.3 ', 'It en']
    """
    starts = {start}
    if pauses.clauses:
        starts.update(_clauses(text, start, end))
    if pauses.stops:
        starts.update(_stops(text, start, end))
    return _without_bare_numbers(text, sorted(starts))


def pauses_of(texts: Sequence[str]) -> list[Pauses]:
    """Return what may part the sentences of each text."""
    if len(texts) < _FEW:
        return [_EITHER] * len(texts)
    said = pl.Series(texts, dtype=pl.String)
    found = [said.str.contains(hint).to_list() for hint in (_STOP_HINT, _CLAUSE_HINT)]
    return list(map(Pauses, *found))


def _stops(text: str, start: int, end: int) -> Iterator[int]:
    for match in _STOP.finditer(text, start, end):
        if match["cjk"] is not None:
            yield match.start("cjk")
        elif _ends_sentence(_word_before(text, start, match.start()), match["mark"], match["next"]):
            yield match.start("next")


def _word_before(text: str, start: int, at: int) -> str:
    """Return the word that ends at `at`, as far as it matters for abbreviations."""
    words = text[max(start, at - _WORD) : at].split()
    return words[-1].lstrip(_OPENING).lower() if words and not text[at - 1].isspace() else ""


def _ends_sentence(word: str, mark: str, following: str) -> bool:
    bare = following.lstrip(_OPENING)
    if bare[:1].islower():
        return False
    if mark != ".":
        return True
    if word in _NEVER_LAST or (len(word) == 1 and word.isalpha()):
        return False
    if word in _BEFORE_NUMBER and (bare[:1].isdigit() or len(bare) == 1):
        return False
    acronym = "." in word and all(len(part) == 1 and part.isalpha() for part in word.split("."))
    if acronym or word in _SELDOM_LAST:
        return bare.lower() in _OPENERS
    return True


def _clauses(text: str, start: int, end: int) -> Iterator[int]:
    for match in _CLAUSE.finditer(text, start, end):
        word = _word_before(text, start, match.start()) if match["stop"] else ""
        if word not in _BEFORE_NUMBER and not (len(word) == 1 and word.isalpha()):
            yield max(match.start("at"), match.start("apart"), match.start("capitals"))


def _without_bare_numbers(text: str, starts: list[int]) -> list[int]:
    """Drop a start that would leave a clause's number alone in the sentence before it."""
    kept = starts[:1]
    for at in starts[1:]:
        if _NUMBER_ONLY.fullmatch(text, kept[-1], at) is None:
            kept.append(at)
    return kept
