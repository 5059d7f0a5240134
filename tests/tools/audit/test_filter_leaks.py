"""A filter call is to blame for an audit's hits where they concentrate in what it ruled out."""

import itertools
import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom

from tools.audit.audit_sample import Look, Tally
from tools.audit.filter_leaks import CHANCE, allowed_loss, leak, loss

Part = tuple[str | None, int, int, int]
"""A call, and a stratum's size, draws and hits."""


def looked(parts: Sequence[Part]) -> tuple[Look, list[str | None]]:
    strata = tuple(
        Tally(stratum=str(place), size=size, drawn=drawn, hits=hits)
        for place, (_, size, drawn, hits) in enumerate(parts)
    )
    return Look(found=7, strata=strata), [call for call, *_ in parts]


ONE = [("a", 100, 20, 6), (None, 100, 20, 0)]
BANDS = [("a", 100, 20, 6), ("a", 100, 20, 0), ("a", 100, 20, 0), (None, 20, 4, 0)]
HALVES = [("a", 100, 20, 5), ("a", 100, 20, 5), ("b", 100, 20, 0), ("b", 100, 20, 0)]


@pytest.mark.parametrize(
    ("parts", "call", "strata"),
    [
        (ONE, "a", (0,)),
        (BANDS, "a", (0,)),
        (HALVES, "a", (0, 1)),
        ([*reversed(HALVES)], "a", (2, 3)),
        ([("a", 100, 20, 1), ("b", 100, 20, 9), (None, 300, 60, 2)], "b", (1,)),
    ],
    ids=["one stratum", "its best band", "two bands", "wherever it stands", "of two calls"],
)
def test_the_call_whose_discards_hold_the_hits_is_to_blame(
    parts: Sequence[Part], call: str, strata: tuple[int, ...]
) -> None:
    found = leak(*looked(parts))
    assert found is not None
    assert (found.call, found.strata) == (call, strata)


@pytest.mark.parametrize(
    "parts",
    [
        [("a", 100, 20, 0), (None, 100, 20, 0)],
        [("a", 100, 20, 4), ("b", 100, 20, 4), (None, 100, 20, 4)],
        [("a", 900, 90, 6), (None, 100, 10, 0)],
        [("a", 100, 20, 1), (None, 100, 20, 0)],
        [(None, 100, 20, 9), ("a", 100, 20, 0)],
        [("a", 21, 20, 9), (None, 100, 20, 0)],
        [("a", 20, 20, 9), (None, 100, 20, 0)],
        [],
    ],
    ids=[
        "no hit",
        "spread evenly",
        "nearly all that is unread",
        "one hit says little",
        "what no call ruled out",
        "nothing more expected there",
        "everything drawn",
        "no stratum",
    ],
)
def test_no_call_is_to_blame(parts: Sequence[Part]) -> None:
    assert leak(*looked(parts)) is None


def strata() -> st.SearchStrategy[list[Part]]:
    def stratum(call: str | None, size: int, drawn: int, hits: int) -> Part:
        drawn = min(drawn, size)
        return call, size, drawn, min(hits, drawn)

    numbers = (st.integers(1, 90), st.integers(1, 30), st.integers(0, 12))
    calls = st.sampled_from(["a", "b", None])
    return st.lists(st.builds(stratum, calls, *numbers), max_size=6)


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


WHOLE = [("a", 100, 20, 0), ("a", 100, 20, 1), ("a", 100, 20, 0)]
"""All that is unread was ruled out by one call."""


def test_a_call_that_must_not_lose_anything_is_to_blame_for_a_hit_down_to_its_band() -> None:
    assert leak(*looked(WHOLE)) is None
    found = loss(*looked(WHOLE), allowed=0)
    assert found is not None
    assert (found.call, found.strata, found.left) == ("a", (0, 1), 160)


def test_of_two_calls_the_one_that_lost_most_is_to_blame() -> None:
    found = loss(*looked([("a", 100, 20, 1), (None, 90, 18, 9), ("b", 100, 20, 3)]), allowed=1)
    assert found is not None
    assert found.call == "b"


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b"]), st.integers(1, 30), st.integers(1, 30)),
        min_size=1,
        max_size=4,
    ),
    st.integers(0, 4),
    st.data(),
)
def test_a_call_that_lost_no_more_than_allowed_is_blamed_no_more_often_than_stated(
    strata: list[tuple[str, int, int]], allowed: int, data: st.DataObject
) -> None:
    """Over all samples, wherever the call's relevant chunks lie among its strata."""
    sizes = [size for _, size, _ in strata]
    draws = [min(size, drawn) for _, size, drawn in strata]
    hidden = [0] * len(strata)
    room = {"a": allowed, "b": allowed}
    for place, (call, size, _) in enumerate(strata):
        hidden[place] = data.draw(st.integers(0, min(size, room[call])))
        room[call] -= hidden[place]
    blamed = 0.0
    for hits in itertools.product(*(range(each + 1) for each in hidden)):
        parts = [
            (call, size, drawn, min(x, drawn))
            for (call, size, _), drawn, x in zip(strata, draws, hits, strict=True)
        ]
        if loss(*looked(parts), allowed=allowed) is not None:
            chances = map(hypergeom.pmf, hits, sizes, hidden, draws)
            blamed += math.prod(map(float, chances))
    assert blamed <= CHANCE + 1e-9


@given(st.integers(0, 400), st.floats(0.5, 1.0))
def test_as_many_as_are_allowed_leave_the_recall_and_one_more_does_not(
    found: int, recall: float
) -> None:
    allowed = allowed_loss(found, recall)
    assert found + 1e-6 >= recall * (found + allowed)
    assert found <= recall * (found + allowed + 1) + 1e-6
