import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom

from tools.audit.judge_error import Group, Interval, agreement, together

YES, NO = Group(size=40, drawn=20, yes=18), Group(size=360, drawn=36, yes=1)


def test_agreement_weighs_the_sample_by_its_groups() -> None:
    assert agreement(YES, NO) == pytest.approx((36 + 350) / 400)
    assert agreement(YES, Group(size=360)) is None


def test_the_corrected_count_adds_what_was_missed_and_takes_off_false_alarms() -> None:
    count = together((YES, NO))
    assert count.low < 40 < count.high
    assert together((YES, Group(size=360))).high >= 360
    read = together((Group(size=4, drawn=4, yes=3), Group(size=6, drawn=6, yes=2)))
    assert read == Interval(5, 5)


def test_what_a_sample_leaves_open_counts_either_way() -> None:
    assert together([Group(size=5, drawn=5, yes=3, open=1)]) == Interval(3, 4)
    open_, said = (Group(size=50, drawn=10, yes=4, open=each).relevant(0.05) for each in (2, 0))
    assert open_.low == said.low
    assert open_.high > said.high


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
    left_open = Group(size=size, drawn=10, yes=4, open=2).whenever(0.1)
    ends = found[10, 4].whenever(0.1).low, found[10, 6].whenever(0.1).high
    assert (left_open.low, left_open.high) == ends


@given(
    size=st.integers(1, 40), drawn=st.integers(1, 40), alpha=st.sampled_from([0.013, 0.049, 0.21])
)
def test_an_interval_covers_every_number_often_enough(size: int, drawn: int, alpha: float) -> None:
    drawn = min(drawn, size)
    intervals = [Group(size=size, drawn=drawn, yes=yes).relevant(alpha) for yes in range(drawn + 1)]
    for total in range(size + 1):
        law = hypergeom.pmf(np.arange(drawn + 1), size, total, drawn)
        held = [each.low <= total <= each.high for each in intervals]
        assert law[held].sum() >= 1 - alpha - 1e-9
