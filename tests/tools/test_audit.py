"""Samples are fair, bounds hold whatever course a search takes, and evidence never narrows them."""

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

from tools.audit import (
    SPENDING,
    Drawn,
    Group,
    Interval,
    Look,
    Outcome,
    Standing,
    Tally,
    allocate,
    audit_needed,
    bound,
    chances,
    draw,
    if_clean,
    likely_missed,
    look_at,
    rules_out,
    stratify,
    tail,
    together,
)

SCORES = np.arange(100, dtype=np.float64)


def test_a_chunk_with_two_reasons_is_refused() -> None:
    with pytest.raises(ValueError, match="two reasons"):
        stratify({"a": [1, 2], "b": [2]}, SCORES)


@given(
    assigned=st.lists(st.integers(-1, 3), min_size=100, max_size=100),
    bands=st.integers(1, 6),
    least=st.integers(1, 60),
)
def test_every_unjudged_chunk_is_in_exactly_one_stratum(
    assigned: list[int], bands: int, least: int
) -> None:
    reasons = {str(reason): np.flatnonzero(np.array(assigned) == reason) for reason in range(4)}
    found = stratify(reasons, SCORES % 7, bands=bands, least=least)
    members = sorted(chunk for each in found for chunk in each.chunks.tolist())
    assert members == [chunk for chunk, reason in enumerate(assigned) if reason >= 0]
    assert sum(len(each.chunks) < least for each in found) <= 1


@given(
    sizes=st.lists(st.integers(1, 50), min_size=1, max_size=6),
    extra=st.integers(0, 200),
    seed=st.integers(0, 9),
)
def test_a_sample_is_part_of_its_stratum_without_repeats(
    sizes: list[int], extra: int, seed: int
) -> None:
    ends = np.cumsum([0, *sizes]).tolist()
    reasons = {str(at): range(ends[at], ends[at + 1]) for at in range(len(sizes))}
    strata = stratify(reasons, np.zeros(ends[-1]), bands=1)
    drawn, again = (draw(strata, len(sizes) + extra, seed=seed, look=0) for _ in range(2))
    for each, same in zip(drawn, again, strict=True):
        sample = each.sample.tolist()
        assert sample == same.sample.tolist()
        assert set(sample) <= set(each.chunks.tolist())
        assert sample == sorted(set(sample))
    assert sum(len(x.sample) for x in drawn) == min(len(sizes) + extra, sum(sizes))


@pytest.mark.parametrize(("sizes", "n"), [([5, 5], 1), ([5, 0], 4)], ids=["too few", "empty"])
def test_a_stratum_that_cannot_be_drawn_from_is_refused(sizes: list[int], n: int) -> None:
    with pytest.raises(ValueError, match="do not reach"):
        allocate(sizes, n)


SMALL_AND_BIG = stratify({"big": range(10), "small": [10, 11]}, np.zeros(12), bands=1)


def _drawn(*samples: list[int]) -> tuple[Drawn, ...]:
    return tuple(
        Drawn(reasons=stratum.reasons, chunks=stratum.chunks, sample=np.array(sample))
        for stratum, sample in zip(SMALL_AND_BIG, samples, strict=True)
    )


def test_hits_and_failures_are_counted_by_stratum() -> None:
    drawn = _drawn([0, 3, 4], [10])
    look = look_at(drawn, hits=[3, 10], failed=[4], known=range(20, 27))
    assert [(t.hits, t.unknown) for t in look.strata] == [(1, 1), (1, 0)]
    assert (look.population, look.drawn, look.hits, look.unknown) == (12, 4, 2, 1)
    assert look.worst_hits == 3


def test_a_stratum_read_in_full_is_known_and_leaves_nothing_to_infer() -> None:
    look = look_at(_drawn([0, 1, 2], [10, 11]), hits=[1, 11], failed=[10], known=range(20, 24))
    assert [each.size for each in look.open] == [10]
    assert look.fraction == 0.3
    assert look.worst_hits == 1
    assert look.hidden(20) == 20 - 4 - 2


def test_a_document_counts_once_and_only_if_it_was_not_matched() -> None:
    documents = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 0, 5]
    look = look_at(
        _drawn([0, 1, 2, 4], [10]), hits=[0, 1, 4, 10], failed=[2], document=documents, known={2}
    )
    assert [(t.hits, t.unknown) for t in look.strata] == [(1, 1), (0, 0)]
    assert look.found == 1


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


def test_nothing_proves_a_target_that_failed_chunks_forbid() -> None:
    here = Standing(sizes=(300, 300, 400), found=20, unread=1010, out_of_reach=10)
    assert audit_needed(here, 0.9) is None


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


YES, NO = Group(size=40, drawn=20, yes=18), Group(size=360, drawn=36, yes=1)


def test_the_corrected_count_adds_what_was_missed_and_takes_off_false_alarms() -> None:
    count = together((YES, NO))
    assert count.low < 40 < count.high
    assert together((YES, Group(size=360))).high >= 360
    read = together((Group(size=4, drawn=4, yes=3), Group(size=6, drawn=6, yes=2)))
    assert read == Interval(5, 5)


def test_what_a_sample_leaves_open_counts_either_way() -> None:
    assert together([Group(size=5, drawn=5, yes=3, open=1)]) == Interval(3, 4)
    open_, no, yes = (
        Group(size=50, drawn=10, yes=sure, open=each).whenever(0.05)
        for sure, each in ((4, 2), (4, 0), (6, 0))
    )
    assert open_ == (no.low, yes.high)


@pytest.mark.parametrize("total", [0, 3, 15, 30])
def test_an_interval_for_whenever_one_stops_holds_after_every_verdict(total: int) -> None:
    generator, size, runs = np.random.default_rng(total), 30, 200
    found = {
        (drawn, yes): Group(size=size, drawn=drawn, yes=yes)
        for drawn in range(size + 1)
        for yes in range(drawn + 1)
    }
    held = {key: each.whenever(0.1) for key, each in found.items() if key[1] <= total}
    missed = 0
    for _ in range(runs):
        seen = np.cumsum(generator.permutation(size) < total)
        looks = [held[drawn, int(yes)] for drawn, yes in enumerate(seen, start=1)]
        missed += any(not each.low <= total <= each.high for each in looks)
        assert looks[-1] == Interval(total, total)
    assert missed <= 0.1 * runs + 2 * (0.09 * runs) ** 0.5
    assert Group(size=size).whenever(0.1) == Interval(0, size)


@given(st.floats(0, 50), st.integers(0, 5000), st.integers(1, 200), st.integers(0, 60))
def test_evidence_of_misses_never_narrows_it(
    expected: float, unread: int, drawn: int, most: int
) -> None:
    clean, hits, ranked = (
        likely_missed(left, unread=unread, drawn=drawn, hits=met, most=most)
        for left, met in ((expected, 0), (expected, 5), (expected + 20, 0))
    )
    assert 0 <= clean <= min(hits, ranked) <= max(hits, ranked) <= most


@pytest.mark.parametrize(
    ("read", "share"),
    [([(1.0, False)] * 9, 0.05), ([(1.0, True)] * 9, 0.95)],
    ids=["nothing matched", "all matched"],
)
def test_without_both_kinds_of_verdict_a_share_stands_in(read: list[Outcome], share: float) -> None:
    assert chances(read, [0.0] * 10).tolist() == pytest.approx([share] * 10)
