import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.feedback.estimate import Outcome, expected_left

SCORES = st.floats(-8, 8)
READ = st.lists(st.tuples(SCORES, st.booleans()), max_size=30)


@settings(max_examples=50, deadline=None)
@given(read=READ, unread=st.lists(SCORES, max_size=30), beyond=st.integers(0, 50))
def test_the_estimate_lies_between_none_and_all(
    read: list[Outcome], unread: list[float], beyond: int
) -> None:
    ordered = sorted(unread, reverse=True)
    total = len(unread) + beyond
    assert 0 <= expected_left(read, ordered, beyond=beyond) <= total


@pytest.mark.parametrize(
    ("read", "expected"),
    [([], 10.0), ([(1.0, False)] * 9, 0.5), ([(1.0, True)] * 9, 9.5)],
    ids=["nothing read", "nothing matched", "all matched"],
)
def test_without_both_kinds_of_verdict_a_share_stands_in(
    read: list[Outcome], expected: float
) -> None:
    assert expected_left(read, [0.0] * 10) == pytest.approx(expected)


def test_high_scores_left_unread_raise_the_estimate() -> None:
    read = [(4.0, True), (3.0, True), (1.0, False), (0.0, False)] * 5
    assert expected_left(read, [4.0] * 10) > 5 > expected_left(read, [0.0] * 10)


def test_chunks_beyond_the_scored_count_as_the_last_one() -> None:
    read = [(4.0, True), (0.0, False)] * 5
    short, long = expected_left(read, [3.0, 1.0], beyond=2), expected_left(read, [3.0, 1.0, 1, 1])
    assert short == pytest.approx(long)


def test_nothing_unread_leaves_nothing() -> None:
    assert expected_left([(1.0, True)], []) == 0
