from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import hypergeom

from tools.audit.audit_sample import Look, Tally, allocate
from tools.audit.recall_bounds import (
    SPENDING,
    Standing,
    audit_needed,
    bound,
    if_clean,
    rules_out,
    tail,
)

Floats = NDArray[np.float64]
TOTAL = 6


def _look(
    sizes: Sequence[int], drawn: Sequence[int], hits: int = 0, found: int = 0, unknown: int = 0
) -> Look:
    """Make a look with all hits in the first stratum: only their sum counts."""
    tallies = tuple(
        Tally(
            size=size,
            drawn=part,
            hits=hits if place == 0 else 0,
            unknown=unknown if place == 0 else 0,
        )
        for place, (size, part) in enumerate(zip(sizes, drawn, strict=True))
    )
    return Look(found=found, strata=tallies)


def _missed(look: Look) -> int:
    unread = look.population - look.drawn + look.unknown
    return bound([look], found=look.found + look.hits, unread=unread).missed


@cache
def _law(size: int, hidden: int, drawn: int) -> tuple[float, ...]:
    return tuple(hypergeom.pmf(range(drawn + 1), size, hidden, drawn).tolist())


def _splits(total: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if len(sizes) == 1:
        if total <= sizes[0]:
            yield (total,)
        return
    for first in range(min(total, sizes[0]) + 1):
        for rest in _splits(total - first, sizes[1:]):
            yield (first, *rest)


def _exact(sizes: Sequence[int], drawn: Sequence[int], hidden: Sequence[int]) -> Floats:
    """Return the law of the number of hits: the strata are independent."""
    law: Floats = np.array([1.0])
    for size, part, each in zip(sizes, drawn, hidden, strict=True):
        law = np.convolve(law, _law(size, each, part))
    return law


@pytest.mark.parametrize(
    ("sizes", "drawn"),
    [
        ((8, 12), (2, 3)),
        ((6, 10), (3, 2)),
        ((4, 6, 8), (2, 3, 4)),
        ((1, 2, 3, 9), (1, 1, 1, 3)),
        ((10, 10), (9, 9)),
        ((2, 2, 2, 2), (1, 1, 1, 1)),
    ],
)
def test_the_tail_is_an_upper_bound_for_every_way_the_relevant_chunks_lie(
    sizes: Sequence[int], drawn: Sequence[int]
) -> None:
    look = _look(sizes, drawn)
    open_sizes, open_drawn = zip(*((x.size, x.drawn) for x in look.open), strict=True)
    for hidden in range(sum(open_sizes) + 1):
        for split in _splits(hidden, open_sizes):
            below = np.cumsum(_exact(open_sizes, open_drawn, split))
            for hits, exact in enumerate(below):
                assert exact <= tail(look, hidden, hits) + 1e-12


def test_hoeffdings_condition_is_needed() -> None:
    """With 98 of 100 drawn, all 5 met is rarer than a binomial says: nothing may be claimed."""
    look = _look((50, 50), (49, 49))
    exact = max(np.cumsum(_exact((50, 50), (49, 49), split))[4] for split in _splits(5, (50, 50)))
    assert exact > 1 - 0.98**5
    assert tail(look, 5, 4) == 1.0


@given(
    size=st.integers(2, 60),
    part=st.floats(0, 1),
    share=st.floats(0, 1),
    alpha=st.sampled_from([0.0123, 0.0487, 0.2019]),
)
def test_one_stratum_is_as_exact_as_the_hypergeometric_law(
    size: int, part: float, share: float, alpha: float
) -> None:
    drawn = 1 + int(part * (size - 2))
    hits = int(share * drawn)
    look = [_look([size], [drawn], hits)]
    for total in range(hits, size - drawn + hits + 1):
        unlikely = hypergeom.cdf(hits, size, total, drawn) <= alpha * (1 - SPENDING)
        assert rules_out(total, look, alpha) == unlikely


@st.composite
def looks(draw: st.DrawFn) -> Look:
    sizes = draw(st.lists(st.integers(2, 200), min_size=1, max_size=4))
    n = draw(st.integers(len(sizes), max(len(sizes), sum(sizes) - 1)))
    drawn = allocate(sizes, n)
    hits = draw(st.integers(0, min(drawn[0], 6)))
    return _look(sizes, drawn, hits, found=draw(st.integers(0, 30)))


@given(look=looks())
def test_a_chunk_that_could_not_be_judged_is_taken_for_a_hit_at_worst(look: Look) -> None:
    first = look.strata[0]
    assume(first.hits < first.drawn)
    doubtful = replace(look, strata=(replace(first, unknown=1), *look.strata[1:]))
    hit = replace(look, strata=(replace(first, hits=first.hits + 1), *look.strata[1:]))
    assert _missed(doubtful) == _missed(hit) + 1


@given(first=looks(), second=looks())
def test_a_further_look_never_takes_a_claim_back(first: Look, second: Look) -> None:
    second = replace(second, found=first.found + first.hits)
    found = second.found + second.hits
    one, both = (bound(x, found=found, unread=999) for x in ([first], [first, second]))
    assert both.missed <= one.missed


def test_clean_looks_add_up() -> None:
    one = _look([2000, 2000], [100, 100], found=50)
    two = _look([1900, 1900], [100, 100], found=50)
    first = bound([one], found=50, unread=3800)
    both = bound([one, two], found=50, unread=3600)
    assert both.missed < 0.55 * first.missed
    assert both.hits == 0


def test_without_a_look_everything_unread_may_be_missed() -> None:
    said = bound([], found=30, unread=10)
    assert (said.recall, said.missed, said.confidence) == (0.75, 10, 1.0)


def test_chunks_out_of_reach_widen_the_bound() -> None:
    look = _look([500], [250], found=20)
    near = bound([look], found=20, unread=250)
    far = bound([replace(look, out_of_reach=3)], found=20, unread=253)
    assert far.missed == near.missed + 3


def _worst_error(alpha: float, left: int, population: int, looks: tuple[Look, ...]) -> float:
    """Return the chance that the true total is ruled out, by the worst course of a search.

    Before each of three looks an adversary who has seen every hit so far, and who knows the truth,
    chooses how many relevant chunks are found by other means and how many are then drawn.
    """
    if len(looks) == 3:
        return 0.0
    return max(
        (
            _error(alpha, left - found, population - found, drawn, looks)
            for found, drawn in product((0, 2), (3, 5, 9))
            if found <= left and drawn < population - found
        ),
        default=0.0,
    )


def _error(alpha: float, hidden: int, size: int, drawn: int, looks: tuple[Look, ...]) -> float:
    error = 0.0
    for hits, chance in enumerate(_law(size, hidden, drawn)):
        seen = (*looks, _look([size], [drawn], hits, found=TOTAL - hidden))
        if chance > 0 and rules_out(TOTAL, seen, alpha):
            error += chance
        elif chance > 0:
            error += chance * _worst_error(alpha, hidden - hits, size - drawn, seen)
    return error


@pytest.mark.parametrize("alpha", [0.1, 0.3])
def test_no_course_of_a_search_can_break_the_confidence(alpha: float) -> None:
    worst = _worst_error(alpha, TOTAL, 20, ())
    assert 0 < worst <= alpha


HERE = Standing(sizes=(300, 300, 400), found=120, unread=1000)


def test_nothing_proves_a_target_that_failed_chunks_forbid() -> None:
    assert audit_needed(replace(HERE, found=20, unread=1010, out_of_reach=10), 0.9) is None


@given(
    sizes=st.lists(st.integers(1, 300), min_size=1, max_size=5),
    found=st.integers(0, 100),
    target=st.floats(0.1, 1.0),
)
def test_what_is_needed_is_enough_and_no_more(sizes: list[int], found: int, target: float) -> None:
    standing = Standing(sizes=tuple(sizes), found=found, unread=sum(sizes))
    needed = audit_needed(standing, target)
    assert needed is not None
    assert if_clean(standing, needed).recall >= target
    assert needed == 0 or if_clean(standing, needed - 1).recall < target
