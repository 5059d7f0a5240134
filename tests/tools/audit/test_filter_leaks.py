"""A filter call is to blame for an audit's hits where they concentrate in what it ruled out."""

import itertools
import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.audit.audit_sample import Look, Tally
from tools.audit.filter_leaks import CHANCE, leak

Part = tuple[str | None, int, int, int]
"""A call, and a stratum's size, draws and hits."""


def looked(parts: Sequence[Part]) -> tuple[Look, list[str | None]]:
    strata = tuple(Tally(size=size, drawn=drawn, hits=hits) for _, size, drawn, hits in parts)
    return Look(found=7, strata=strata), [call for call, *_ in parts]


ONE = [("a", 100, 20, 6), (None, 100, 20, 0)]
BANDS = [("a", 100, 20, 6), ("a", 100, 20, 0), ("a", 100, 20, 0), (None, 20, 4, 0)]
HALVES = [("a", 100, 20, 5), ("a", 100, 20, 5), ("b", 100, 20, 0), ("b", 100, 20, 0)]


NOT_HIT = (None, 100, 20, 0)
BLAMED: dict[str, tuple[Sequence[Part], tuple[str, tuple[int, ...]] | None]] = {
    "one stratum": (ONE, ("a", (0,))),
    "its best band": (BANDS, ("a", (0,))),
    "two bands": (HALVES, ("a", (0, 1))),
    "wherever it stands": ([*reversed(HALVES)], ("a", (2, 3))),
    "of two calls": ([("a", 100, 20, 1), ("b", 100, 20, 9), (None, 300, 60, 2)], ("b", (1,))),
    "no hit": ([("a", 100, 20, 0), NOT_HIT], None),
    "spread evenly": ([("a", 100, 20, 4), ("b", 100, 20, 4), (None, 100, 20, 4)], None),
    "nearly all that is unread": ([("a", 900, 90, 6), (None, 100, 10, 0)], None),
    "one hit says little": ([("a", 100, 20, 1), NOT_HIT], None),
    "what no call ruled out": ([(None, 100, 20, 9), ("a", 100, 20, 0)], None),
    "nothing more expected there": ([("a", 21, 20, 9), NOT_HIT], None),
    "everything drawn": ([("a", 20, 20, 9), NOT_HIT], None),
    "no stratum": ([], None),
}


@pytest.mark.parametrize(("parts", "blamed"), BLAMED.values(), ids=BLAMED)
def test_the_call_whose_discards_hold_the_hits_is_to_blame(
    parts: Sequence[Part], blamed: tuple[str, tuple[int, ...]] | None
) -> None:
    found = leak(*looked(parts))
    assert (found and (found.call, found.strata)) == blamed


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b", None]), st.integers(1, 9)), min_size=1, max_size=4
    ),
    st.integers(0, 5),
)
def test_evenly_spread_hits_blame_a_call_no_more_often_than_stated(
    strata: list[tuple[str | None, int]], hits: int
) -> None:
    """Over all ways in which so many hits fall on the chunks drawn, each alike."""
    drawn = [draws for _, draws in strata]
    ways = math.comb(sum(drawn), hits)
    blamed = 0
    for fall in itertools.product(*(range(min(hits, draws) + 1) for draws in drawn)):
        if sum(fall) != hits:
            continue
        parts = [(c, 20, n, x) for (c, n), x in zip(strata, fall, strict=True)]
        if leak(*looked(parts)) is not None:
            blamed += math.prod(map(math.comb, drawn, fall))
    assert blamed <= CHANCE * ways
