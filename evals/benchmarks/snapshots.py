"""Snapshots: set algebra against Python's sets, and filters on a tenth against those on all."""

from collections.abc import Callable

import numpy as np
from pyroaring import BitMap

from evals.benchmarks.drawn import drawn_words
from evals.benchmarks.rounds import medians
from evals.benchmarks.row import Aim, Figure, Row, Unequal
from tools.corpus.corpus import Corpus
from tools.filters.arguments import Predicate
from tools.filters.exact import ExactArguments
from tools.filters.regex import RegexArguments
from tools.filters.registry import LocalEngine
from tools.filters.searchable import bitmap

__all__ = ("snapshots",)

_SHARE = 0.01
_TENTH = 10
_LARGE = 2
"""One snapshot of the algebra holds half of the chunks, the other a tenth."""


def snapshots(corpus: Corpus, rounds: int) -> list[Row]:
    """Join, intersect and subtract two random snapshots, and filter a random tenth."""
    return [_algebra(len(corpus), rounds), *_on_a_tenth(corpus, rounds)]


def _algebra(chunks: int, rounds: int) -> Row:
    one, other = _random(chunks, _LARGE, seed=1), _random(chunks, _TENTH, seed=2)
    left, right = set(one), set(other)

    def ours() -> list[BitMap]:
        return [one | other, one & other, one - other]

    def peer() -> list[set[int]]:
        return [left | right, left & right, left - right]

    if [set(each) for each in ours()] != peer():
        raise Unequal("roaring bitmaps and Python's sets differ")
    taken = medians({"ours": ours, "peer": peer}, rounds)
    return Row(
        what="union, intersection and difference of two snapshots",
        unit="µs",
        ours=Figure("pyroaring", taken["ours"] * 1e6),
        peer=Figure("Python `set`", taken["peer"] * 1e6),
        aim=Aim("at most", 1000),
        note=f"{len(one):,} and {len(other):,} of {chunks:,} chunks at random, all three together",
    )


def _on_a_tenth(corpus: Corpus, rounds: int) -> list[Row]:
    one, other = drawn_words(corpus.lexical, 2, share=_SHARE)
    asked: dict[str, Predicate] = {
        "literal": ExactArguments(phrase=one, case_sensitive=True),
        "regex": RegexArguments(pattern=rf"(?:{one}|{other})\s+[a-z]+", case_sensitive=True),
    }
    everything = BitMap(range(len(corpus)))
    tenth = _random(len(corpus), _TENTH, seed=3)
    return [_row(corpus, kind, asked[kind], (everything, tenth), rounds) for kind in asked]


def _row(
    corpus: Corpus, kind: str, predicate: Predicate, given: tuple[BitMap, BitMap], rounds: int
) -> Row:
    everything, tenth = given
    engine = LocalEngine(corpus)
    if engine.keep(predicate, tenth) != engine.keep(predicate, everything) & tenth:
        raise Unequal(f"the {kind} filter keeps otherwise on a snapshot")
    ways: dict[str, Callable[[], BitMap]] = {
        "ours": lambda: engine.keep(predicate, tenth),
        "peer": lambda: engine.keep(predicate, everything),
    }
    taken = medians(ways, rounds)
    return Row(
        what=f"{kind} filter of a tenth of the chunks",
        unit="ms",
        ours=Figure("a random tenth", taken["ours"] * 1000),
        peer=Figure("all chunks", taken["peer"] * 1000),
        aim=Aim("times", 1),
        note="the peer is the same filter over the whole corpus",
    )


def _random(chunks: int, part: int, seed: int) -> BitMap:
    drawn = np.random.default_rng(seed).choice(chunks, max(1, chunks // part), replace=False)
    return bitmap(drawn)
