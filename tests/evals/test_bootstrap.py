import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.scores import Estimate, estimate


def _width(found: Estimate) -> float:
    return (found.high or 0.0) - (found.low or 0.0)


def test_no_defined_value_gives_no_estimate() -> None:
    assert estimate([None, None]) == Estimate(0, None, None, None)


def test_undefined_values_are_left_out() -> None:
    assert estimate([0.0, None, 1.0]).value == pytest.approx(0.5)


def test_a_constant_has_no_spread() -> None:
    assert estimate([0.25] * 9) == Estimate(9, 0.25, 0.25, 0.25)


def test_the_median_is_not_moved_by_an_outlier() -> None:
    assert estimate([0.0, 0.1, 0.2, 0.3, 900.0], "median").value == pytest.approx(0.2)


def test_more_questions_make_a_narrower_interval() -> None:
    few, many = estimate([0.0, 1.0] * 5), estimate([0.0, 1.0] * 200)
    assert _width(many) < _width(few)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_the_interval_is_deterministic_and_within_the_values(values: list[float]) -> None:
    found = estimate(values)
    assert found == estimate(values)
    assert _width(found) >= 0
    for end in (found.low, found.value, found.high):
        assert min(values) - 1e-9 <= (end or 0.0) <= max(values) + 1e-9
