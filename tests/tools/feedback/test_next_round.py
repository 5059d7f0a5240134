import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.feedback.next_round import Outcome, Round, ended, expected_left

COMPLETE = (
    "9 matches were found and about 1.0 are expected among the unread: "
    "an estimated recall of 0.90, the target being 0.80"
)
IDLE = [Round(20, 0)] * 3


@pytest.mark.parametrize(
    ("rounds", "known", "why"),
    [
        ([Round(5, 5)], {"unread": 0}, "every chunk was read"),
        ([Round(5, 9)], {"unread": 9, "left": 1.0, "target": 0.8}, COMPLETE),
        (IDLE, {"unread": 9}, "the last 3 rounds read 60 chunks and found nothing"),
    ],
    ids=["exhausted", "target", "yield"],
)
def test_each_rule_stops_with_its_reason(
    rounds: list[Round], known: dict[str, float], why: str
) -> None:
    assert ended(rounds, idle_rounds=3, **known) == why  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rounds", "asked"),
    [
        ([], {}),
        ([Round(20, 0), Round(20, 0)], {}),
        ([Round(5, 0)] * 3, {}),
        ([*IDLE, Round(20, 1)], {}),
        ([Round(5, 0)], {"target": 0.5}),
    ],
    ids=["at first", "two idle", "idle but few read", "a hit since", "none found"],
)
def test_otherwise_it_reads_on(rounds: list[Round], asked: dict[str, float]) -> None:
    told = {"unread": 500, "idle_rounds": 3, "left": 0.0} | asked
    assert ended(rounds, **told) == ""  # type: ignore[arg-type]


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
