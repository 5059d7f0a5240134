"""Scanning chunk texts with a regular expression that takes linear time.

Polars runs Rust's regex engine over the memory-mapped texts. Up to a hundredth of the corpus the
candidates are gathered and scanned on one core. Up to a quarter they are picked by a mask, which
costs a look at every chunk but less for each that is taken, and scanned streaming over all cores.
Above it, the whole column is scanned so, and the result is cut to the candidates: picking more than
a quarter costs more than reading all.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from tools.filters.bitmaps import bitmap, ids
from tools.filters.searchable import Searchable

if TYPE_CHECKING:
    import polars as pl

__all__ = ("Pattern", "escaped", "scan", "whole")

_GATHERED = 0.01
_PICKED = 0.25


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a text must hold."""

    text: str
    """A regular expression in Rust's syntax, or characters."""
    literal: bool = False
    """Whether it is characters, to be found as they are."""


def scan(corpus: Searchable, candidates: BitMap, pattern: Pattern) -> BitMap:
    """Return the candidates whose text the pattern matches somewhere.

    Raises:
        polars.exceptions.ComputeError: the pattern is not one of Rust's regex syntax.
    """
    texts = corpus.texts
    if len(candidates) < _GATHERED * len(texts):
        chunks = ids(candidates)
        matched = texts.gather(chunks).str.contains(pattern.text, literal=pattern.literal)
        return bitmap(chunks[matched.to_numpy()])
    if len(candidates) < _PICKED * len(texts):
        chunks = ids(candidates)
        return bitmap(chunks[_streamed(_picked(texts, chunks), pattern)])
    return bitmap(_streamed(texts, pattern)) & candidates


def escaped(text: str) -> str:
    """Return a pattern that matches the text literally."""
    import polars as pl

    return pl.escape_regex(text)


def whole(text: str, pattern: str) -> str:
    r"""Return the pattern of a text, bound to the edges of words where the text ends in letters.

    >>> whole("C++", r"C\+\+")
    '\\bC\\+\\+'
    """
    left = r"\b" if re.match(r"\w", text) else ""
    right = r"\b" if re.search(r"\w\Z", text) else ""
    return f"{left}{pattern}{right}"


def _picked(texts: "pl.Series", chunks: NDArray[np.int64]) -> "pl.Series":
    import polars as pl

    taken = np.zeros(len(texts), dtype=bool)
    taken[chunks] = True
    return texts.filter(pl.Series(taken))


def _streamed(texts: "pl.Series", pattern: Pattern) -> NDArray[np.uint32]:
    """Return the places of the texts that the pattern matches, ascending."""
    import polars as pl

    matches = pl.col("text").str.contains(pattern.text, literal=pattern.literal)
    frame = texts.alias("text").to_frame().lazy().with_row_index("place")
    found = frame.filter(matches).select("place").collect(engine="streaming")
    return np.asarray(found["place"].to_numpy())
