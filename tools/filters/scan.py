"""Scanning chunk texts with a regular expression that takes linear time.

Polars runs Rust's regex engine over the memory-mapped texts. Below a quarter of the corpus the
candidates are gathered and scanned alone; above it, the whole column is scanned, streaming over all
cores, and the result is cut to the candidates: copying more than a quarter costs more than reading
all.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from pyroaring import BitMap

from tools.filters.bitmaps import bitmap, ids
from tools.filters.searchable import Searchable

if TYPE_CHECKING:
    import polars as pl

__all__ = ("Pattern", "escaped", "scan", "whole")

_GATHERED = 0.25


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
    return _streamed(texts, pattern) & candidates


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


def _streamed(texts: "pl.Series", pattern: Pattern) -> BitMap:
    import polars as pl

    matches = pl.col("text").str.contains(pattern.text, literal=pattern.literal)
    frame = texts.alias("text").to_frame().lazy().with_row_index("chunk")
    found = frame.filter(matches).select("chunk").collect(engine="streaming")
    return bitmap(np.asarray(found["chunk"].to_numpy()))
