import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.scores import (
    Match,
    absolute_error,
    is_exact,
    match,
    normalised_error,
    relative_error,
)

NAMES = st.sets(st.sampled_from("abcdefgh"))


@pytest.mark.parametrize(
    ("predicted", "gold", "neutral", "expected"),
    [
        pytest.param("ab", "ab", "", Match(1.0, 1.0, 1.0), id="equal sets"),
        pytest.param("ab", "bc", "", Match(0.5, 0.5, 0.5), id="half right"),
        pytest.param("", "ab", "", Match(None, 0.0, 0.0), id="nothing predicted"),
        pytest.param("a", "", "", Match(0.0, None, 0.0), id="nothing is right"),
        pytest.param("", "", "", Match(1.0, 1.0, 1.0), id="rightly nothing"),
        pytest.param("abx", "ab", "x", Match(1.0, 1.0, 1.0), id="borderline predicted"),
        pytest.param("a", "ax", "x", Match(1.0, 1.0, 1.0), id="borderline gold not predicted"),
        pytest.param("x", "", "x", Match(1.0, 1.0, 1.0), id="only borderline predicted"),
    ],
)
def test_match_compares_sets(predicted: str, gold: str, neutral: str, expected: Match) -> None:
    assert match(set(predicted), set(gold), set(neutral)) == expected


@given(NAMES, NAMES, NAMES)
def test_neutral_items_change_nothing(predicted: set[str], gold: set[str], other: set[str]) -> None:
    assert match(predicted | other, gold, other) == match(predicted - other, gold, other)


@given(NAMES, NAMES)
def test_f1_is_the_harmonic_mean(predicted: set[str], gold: set[str]) -> None:
    found = match(predicted, gold)
    if found.precision and found.recall:
        mean = 2 * found.precision * found.recall / (found.precision + found.recall)
        assert found.f1 == pytest.approx(mean)


@pytest.mark.parametrize(
    ("value", "gold", "ace", "nace"),
    [
        pytest.param(8, 10, 2, 0.2, id="too few"),
        pytest.param(30, 10, 20, 2.0, id="error above 1"),
        pytest.param(None, 10, 10, 1.0, id="no value counts as zero"),
        pytest.param(3, 0, 3, 3.0, id="true zero"),
        pytest.param(0, 0, 0, 0.0, id="rightly zero"),
    ],
)
def test_count_errors(value: float | None, gold: float, ace: float, nace: float) -> None:
    assert absolute_error(value, gold) == ace
    assert normalised_error(value, gold) == pytest.approx(nace)


def test_relative_error_is_by_the_true_value() -> None:
    assert relative_error(1.5, -3.0) == pytest.approx(1.5)
    assert relative_error(0.5, 0.0) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("value", "gold", "measured", "exact"),
    [
        pytest.param(1.72093, 1.7209, True, True, id="rounded truth"),
        pytest.param(1.73, 1.7209, True, False, id="another number"),
        pytest.param(10001, 10000, False, False, id="counts have no tolerance"),
        pytest.param(12.0, 12, False, True, id="count as float"),
        pytest.param(None, 0, False, False, id="no value is not zero"),
    ],
)
def test_exactness(value: float | None, gold: float, measured: bool, exact: bool) -> None:
    assert is_exact(value, gold, measured=measured) is exact
