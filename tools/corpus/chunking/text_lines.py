"""The lines of texts: as columns of numbers, which tell rows from prose, and as headings.

A line is what line feeds part. White space is Python's: what `str.isspace` says it is.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
