"""Texts as blocks: headings, and lines that run on from one another.

What a single line tells is read for all lines at once (`Lines`). Walked through in order are only
the paragraphs, since whether a line is a heading depends on what is above it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agent.english import word_set

_LAST_SPACE = 0x3000
"""No character behind this one is white space."""

_Numbers = NDArray[np.integer[Any]]
_Facts = NDArray[np.bool_]
_DEEPEST = 6
_NUMBERS = frozenset({"1.1", "I.", "A.", "(a)"})
"""The families of numbered headings."""
_REACH = 4000
"""Characters behind a numbered heading that are surely still under it, without another."""
_LONGEST = 120
_TITLE_WORDS = 12
_RUN_IN_WORDS = 8
_ATX = re.compile(r"(#{1,6})[ \t]+(\S.*?)[ \t]*#*[ \t]*")
_UNDERLINE = re.compile(r"([=\-~^\"'`#*+.:_])\1{2,}[ \t]*")
_DIVISION = re.compile(
    r"(?P<kind>ARTICLE|SECTION|CHAPTER|PART|APPENDIX|ANNEX|EXHIBIT|SCHEDULE|TITLE|ATTACHMENT)"
    r"[ \t]+(?:[IVXLC]+|\d[\d.\-]*|[A-Z](?:[-.]\d+)?)\b(?P<rest>.*)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?P<number>\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6}(?=\.)|[A-Z](?=\.))\.?"
    r"[ \t]{1,3}(?P<title>[^\W\d_a-z].*)"
)
_RUN_IN = re.compile(
    r"(?P<number>\d{1,3}(?:\.\d{1,3})*\.?|\([a-zA-Z0-9]{1,4}\)|[A-Z]\."
    r"|(?:Section|SECTION|Article|ARTICLE)\s+[\dIVXLC][\dIVXLC.]*)"
    r"\s+(?P<title>[^\W\d_a-z][^.:;?!\n]{1,80})(?P<mark>[.:])(?=\s|$)"
)
_CAPITAL_TITLE = re.compile(r"[\w\s.,:&'’()/\[\]–—#%!?-]+")


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The n lines of some texts, those of a text behind those of the text before.

    Offsets are into `joined`, where a line feed parts the texts and ends the last.
    """

    joined: str
    firsts: list[int]
    """The first line of each text and, last, n."""
    starts: _Numbers
    """Where each line starts, (n,)."""
    sizes: _Numbers
    """Characters of each line without its line feed, (n,)."""
    bare: _Numbers
    """Characters of each line without the white space at its end, (n,); 0 where it is blank."""
    words: _Numbers
    """Words of each line, parted by white space, (n,)."""
    first_word: _Numbers
    """Characters of the first word, (n,); 0 where there is none."""
    heads: _Numbers
    """Where the first word starts, (n,); where a later line's does if there is none."""
    codes: NDArray[np.uint32]
    """The characters of `joined`."""

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Lines":
        """Find the lines of at least one text."""
        joined = "\n".join([*texts, ""])
        codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
        feeds = np.flatnonzero(codes == ord("\n"))
        starts = np.concatenate((np.zeros(1, np.int64), feeds[:-1] + 1))
        spaces = np.concatenate((np.ones(1, np.bool_), among(codes, _spaces())))
        turns = np.flatnonzero(spaces[1:] != spaces[:-1])
        begins, ends = turns[0::2], turns[1::2]
        bounds = np.searchsorted(begins, np.append(starts, len(codes)))
        words = np.diff(bounds)
        first = np.append(begins, len(codes) - 1)[bounds[:-1]]
        filled = words > 0
        last = np.append(ends, 0)[bounds[1:] - 1]
        breaks = np.cumsum([len(text) + 1 for text in texts])
        return cls(
            joined=joined,
            firsts=[0, *np.searchsorted(starts, breaks).tolist()],
            starts=starts,
            sizes=feeds - starts,
            bare=np.where(filled, last - starts, 0),
            words=words,
            first_word=np.where(filled, np.append(ends, 0)[bounds[:-1]] - first, 0),
            heads=first,
            codes=codes,
        )

    def __len__(self) -> int:
        return len(self.starts)

    def text(self, line: int) -> str:
        """Return a line."""
        start = int(self.starts[line])
        return self.joined[start : start + int(self.sizes[line])]

    def counts(self, mark: str) -> _Numbers:
        """Return how often a character stands in each line, (n,)."""
        places = np.flatnonzero(self.codes == ord(mark))
        return np.diff(np.searchsorted(places, np.append(self.starts, len(self.codes))))

    @property
    def blank(self) -> _Facts:
        """Whether each line is white space or nothing, (n,)."""
        blank: _Facts = self.words == 0
        return blank


def among(codes: NDArray[np.uint32], marks: str) -> _Facts:
    """Return whether each character is one of the marks."""
    found: _Facts = _table(marks).take(codes, mode="clip")
    return found


@cache
def _table(marks: str) -> _Facts:
    """Return whether each character is a mark; the last place stands for all behind it."""
    table = np.zeros(max(map(ord, marks)) + 2, np.bool_)
    table[[ord(mark) for mark in marks]] = True
    return table


@cache
def _spaces() -> str:
    return "".join(filter(str.isspace, map(chr, range(_LAST_SPACE + 1))))


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its title, and what tells its place among the others."""

    family: str
    """The way it is marked; levels compare only within a family."""
    level: int
    """1 is the outermost."""
    title: str


class HeadingPath:
    """The headings that enclose the current place of a text, outermost first."""

    def __init__(self) -> None:
        self._open: list[Heading] = []
        self._numbered_at = 0

    def enter(self, heading: Heading, at: int = 0) -> None:
        """Close what the heading ends, then open it, at a place of the text.

        It ends its own family's headings of the same or a deeper level, with all that they hold; a
        family not yet open goes below what is.
        """
        if heading.family in _NUMBERS:
            self._numbered_at = at
        for depth, opened in enumerate(self._open):
            if opened.family == heading.family and opened.level >= heading.level:
                del self._open[depth:]
                break
        self._open.append(heading)

    def leave(self, at: int) -> bool:
        """Close numbered headings where a place is far behind the last; tell whether one was."""
        if at - self._numbered_at <= _REACH:
            return False
        left = [each for each in self._open if each.family not in _NUMBERS]
        closed = len(self._open) - len(left)
        self._open = left
        return closed > 0

    def titles(self) -> tuple[str, ...]:
        """Return the titles, the innermost six at most."""
        return tuple(heading.title for heading in self._open[-_DEEPEST:])


def is_underline(line: str) -> bool:
    """Tell whether the line is only a rule of one repeated mark, as below a reST title."""
    return _UNDERLINE.fullmatch(line) is not None


def heading_line(line: str, *, alone: bool) -> Heading | None:
    """Return the heading that the line is by its own look, or None.

    `alone` says that a blank line, a heading or the text's edge is on both sides: numbers and
    capitals count only then. Titles under a rule are for the caller, who sees both lines.
    """
    if line.startswith("#") and len(line) < 4 * _LONGEST and (match := _ATX.fullmatch(line)):
        return Heading("#", len(match[1]), _shortened(match[2]))
    title = line.strip()
    if not alone or len(title) > _LONGEST or not title or title[-1] in ",;|&":
        return None
    return _division(title) or _numbered(title) or _capitals(title)


def run_in_heading(clause: str) -> tuple[Heading, int] | None:
    """Return the heading a clause begins with and its length: `12.3 Termination. Either …`."""
    match = _RUN_IN.match(clause)
    if match is None or len(match["title"].split()) > _RUN_IN_WORDS:
        return None
    clear = _title_case(match["title"]) if match["mark"] == "." else match["title"].isupper()
    if not clear:
        return None
    digits = len(re.findall(r"\d+", match["number"]))
    family = "(a)" if match["number"][0] == "(" or not digits else "1.1"
    return Heading(family, max(digits, 1), _shortened(match[0].rstrip(".:"))), match.end()


def _division(title: str) -> Heading | None:
    match = _DIVISION.match(title)
    if match is None or len(title.split()) > _TITLE_WORDS:
        return None
    rest = match["rest"].strip(" \t.:-–—")
    if rest and not _title_case(rest):
        return None
    return Heading(match["kind"].upper(), 1, _shortened(title))


def _numbered(title: str) -> Heading | None:
    match = _NUMBERED.fullmatch(title)
    if match is None or title[-1] in ".:!?" or len(title.split()) > _TITLE_WORDS:
        return None
    depth = match["number"].count(".") + 1
    if depth == 1 and not _title_case(match["title"]):
        return None
    family = "1.1" if match["number"][0].isdigit() else "I." if len(match["number"]) > 1 else "A."
    return Heading(family, depth, _shortened(title))


def _capitals(title: str) -> Heading | None:
    letters = sum(map(str.isalpha, title))
    if not title.isupper() or letters < 4 or 2 * letters < len(title):
        return None
    if len(title.split()) > _TITLE_WORDS or "_" in title or not _CAPITAL_TITLE.fullmatch(title):
        return None
    return Heading("CAPITALS", 1, _shortened(title))


def _title_case(title: str) -> bool:
    """Tell whether most words of four letters and more begin with a capital."""
    words = [word for word in re.findall(r"[^\W\d_]+", title) if len(word) > 3]
    capital = sum(word[0].isupper() for word in words)
    return 2 * capital > len(words) or not words


def _shortened(title: str) -> str:
    words = " ".join(title.split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"


_UNWRAPPED = 160
_EARLY = 0.75
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
_CLAUSE_HINT = re.compile(
    r"\s(?:\d{1,3}(?:\.\d{1,3})+\.?|\d{1,3}[.)]|\((?:[a-zA-Z]{1,5}|\d{1,2})\)"
    r"|(?:Section|SECTION|Article|ARTICLE)\s+[\dIVXLC][\dIVXLC.]*|(?:[A-Z]|[IVX]{2,5})\.)\s"
)
"""What is found in a third of the time: without such a place there is no match of `_CLAUSE`."""
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
        if is_underline(above) or not is_underline(rule) or len(words) > _LONGEST:
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


def sentence_starts(text: str, start: int, end: int) -> list[int]:
    """Return where sentences and clauses begin within `text[start:end]`, `start` first, ascending.

    >>> line = "Acme Inc. pays No. 5 here. 12.3 Term. It ends."
    >>> [line[at : at + 5] for at in sentence_starts(line, 0, len(line))]
    ['Acme ', '12.3 ', 'It en']
    """
    starts = {start, *_stops(text, start, end)}
    if _CLAUSE_HINT.search(text, start, end):
        starts.update(_clauses(text, start, end))
    return _without_bare_numbers(text, sorted(starts))


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
