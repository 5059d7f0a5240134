"""The lines of texts as columns of numbers, all read at once: what tells rows from prose.

A line is what line feeds part. White space is Python's: what `str.isspace` says it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ("Lines", "among")

_LAST_SPACE = 0x3000
"""No character behind this one is white space."""

_Numbers = NDArray[np.integer[Any]]
_Facts = NDArray[np.bool_]


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
        """Return how many lines there are."""
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
    """Return all white space."""
    return "".join(filter(str.isspace, map(chr, range(_LAST_SPACE + 1))))
