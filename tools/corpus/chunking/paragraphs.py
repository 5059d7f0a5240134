"""Texts as blocks: headings, and lines that run on from one another.

Whether a line is a heading depends on what is above it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate, pairwise
from typing import NamedTuple

from agent.english import word_set

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
_PARTING = (("\t", 1), (";", 2), (",", 3), (" | ", 1))
"""What parts the columns of a row, and how often at least."""
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


def blocks(text: str) -> list[Segment]:
    """Return the headings and runs of lines of a text, in order; offsets are into the text."""
    return list(_Walk(text).segments())


class _Walk:
    """Walks through a text line by line."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._blank = [not line or line.isspace() for line in self._lines]
        self._families: dict[str, int] = {}
        """The level of each mark of titles with rules."""

    def segments(self) -> Iterator[Segment]:
        """Yield the headings and runs of lines."""
        lines = self._lines
        starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
        index, fenced = 0, False
        while index < len(lines):
            if self._blank[index]:
                index += 1
                continue
            if not fenced and not _FENCE.match(lines[index]):
                heading, size = self._heading(index)
                if heading is not None:
                    yield Segment(starts[index], starts[index], Rank.HEADING, heading)
                    index += size
                    continue
            end, fenced = self._paragraph_end(index, fenced=fenced)
            begun = [index, *(index + each for each in _line_breaks(lines[index:end])), end]
            for first, stop in pairwise(begun):
                rank = Rank.PARAGRAPH if first == index else Rank.LINE
                yield Segment(starts[first], starts[stop] - 1, rank)
            index = end

    def _heading(self, index: int) -> tuple[Heading | None, int]:
        """Return the heading that begins at this line, and how many lines it takes."""
        line = self._lines[index]
        below = index == 0 or self._blank[index - 1]
        over = is_underline(line)
        title = index + over
        if (over or below) and self._titled(title):
            mark = ("over " if over else "") + self._lines[title + 1][0]
            level = self._families.setdefault(mark, len(self._families) + 1)
            return Heading("under", level, " ".join(self._lines[title].split())), 2 + over
        alone = below and (index + 1 == len(self._lines) or self._blank[index + 1])
        return (heading_line(line, alone=alone) if alone or line[0] == "#" else None), 1

    def _titled(self, title: int) -> bool:
        """Tell whether the line at `title` is a title with a rule below it."""
        if title + 1 >= len(self._lines) or self._blank[title]:
            return False
        above, rule = self._lines[title], self._lines[title + 1].rstrip()
        words = above.strip()
        if not is_underline(rule) or is_underline(above) or len(words) > _LONGEST:
            return False
        return len(rule) >= min(len(words) - 2, 8) and not words.startswith(("|", "- ", "* "))

    def _paragraph_end(self, index: int, *, fenced: bool) -> tuple[int, bool]:
        """Return the line behind the paragraph, and whether a fence is open there.

        A Markdown heading ends one without a blank.
        """
        for at in range(index, len(self._lines)):
            line = self._lines[at]
            marked = at > index and not fenced and line[:1] == "#"
            if self._blank[at] or (marked and heading_line(line, alone=False)):
                return at, fenced
            fenced ^= _FENCE.match(line) is not None
        return len(self._lines), fenced


def _line_breaks(lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines of a paragraph, but for the first, that begin something of their own."""
    width = max(map(len, lines))
    for at, (above, line) in enumerate(pairwise(lines), start=1):
        # A line is ended on purpose where the next word would have fitted.
        early = len(above.rstrip()) + 1 + len(line.split(None, 1)[0]) <= _EARLY * width
        if width > _UNWRAPPED or early or _same_columns(above, line) or _MARKED.match(line):
            yield at


def _same_columns(above: str, line: str) -> bool:
    """Tell whether a line has as many tabs, bars or several commas as the one above."""
    counts = ((line.count(mark), mark, least) for mark, least in _PARTING)
    return any(count >= least and count == above.count(mark) for count, mark, least in counts)


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
