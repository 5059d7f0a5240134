import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.feedback.next_round import Limits, Outcome, Round, decide, expected_left

COMPLETE = (
    "9 matches were found and about 1.0 are expected among the unread: "
    "an estimated recall of 0.90, the target being 0.80"
)
IDLE = [Round(20, 0)] * 3


@pytest.mark.parametrize(
    ("rounds", "limits", "known", "why"),
    [
        ([Round(5, 5)], Limits(), {"unread": 0}, "every chunk was read"),
        ([Round(5, 5)], Limits(budget=5), {"unread": 9}, "the budget of 5 chunks is spent"),
        (
            [Round(5, 9)],
            Limits(target=0.8),
            {"unread": 9, "left": 1.0},
            COMPLETE,
        ),
        (IDLE, Limits(), {"unread": 9}, "the last 3 rounds read 60 chunks and found nothing"),
    ],
    ids=["exhausted", "budget", "target", "yield"],
)
def test_each_rule_stops_with_its_reason(
    rounds: list[Round], limits: Limits, known: dict[str, float], why: str
) -> None:
    decision = decide(rounds, limits, **known)  # type: ignore[arg-type]
    assert (decision.go_on, decision.size, decision.why) == (False, 0, why)


@pytest.mark.parametrize(
    ("rounds", "limits"),
    [
        ([], Limits()),
        ([Round(20, 0), Round(20, 0)], Limits()),
        ([Round(5, 0)] * 3, Limits()),
        ([*IDLE, Round(20, 1)], Limits()),
        (IDLE, Limits(idle_rounds=0)),
        ([Round(5, 0)], Limits(target=0.5)),
    ],
    ids=["at first", "two idle", "idle but few read", "a hit since", "never idle", "none found"],
)
def test_otherwise_it_reads_on(rounds: list[Round], limits: Limits) -> None:
    decision = decide(rounds, limits, unread=500, left=0.0)
    assert decision.go_on
    assert decision.size > 0
    assert decision.why


def test_rounds_grow_up_to_the_largest() -> None:
    limits = Limits(first=5, growth=1.5, largest=20)
    sizes = [decide([Round(1, 1)] * number, limits, unread=999).size for number in range(6)]
    assert sizes == [5, 8, 12, 17, 20, 20]


def test_a_round_is_no_larger_than_what_is_unread_or_left_of_the_budget() -> None:
    assert decide([], Limits(), unread=3).size == 3
    assert decide([Round(5, 1)], Limits(budget=7), unread=99).size == 2


@pytest.mark.parametrize(
    "wrong",
    [{"first": 0}, {"growth": 0.5}, {"largest": 0}, {"target": 0.0}, {"target": 1.5}],
    ids=str,
)
def test_limits_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be"):
        Limits(**wrong)  # type: ignore[arg-type]


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
