import pytest

from tools.feedback.next_round import Outcome, Round, chances, ended

IDLE = [Round(20, 0)] * 3


@pytest.mark.parametrize(
    ("rounds", "unread", "why"),
    [
        ([Round(5, 5)], 0, "every chunk was read"),
        (IDLE, 9, "the last 3 rounds read 60 chunks and found nothing"),
        ([], 500, ""),
        ([Round(20, 0), Round(20, 0)], 500, ""),
        ([Round(5, 0)] * 3, 500, ""),
        ([*IDLE, Round(20, 1)], 500, ""),
    ],
    ids=["exhausted", "yield", "at first", "two idle", "idle but few read", "a hit since"],
)
def test_reading_ends_with_its_reason_or_goes_on(
    rounds: list[Round], unread: int, why: str
) -> None:
    assert ended(rounds, unread=unread, idle_rounds=3) == why


@pytest.mark.parametrize(
    ("read", "share"),
    [([(1.0, False)] * 9, 0.05), ([(1.0, True)] * 9, 0.95)],
    ids=["nothing matched", "all matched"],
)
def test_without_both_kinds_of_verdict_a_share_stands_in(read: list[Outcome], share: float) -> None:
    assert chances(read, [0.0] * 10).tolist() == pytest.approx([share] * 10)
