import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.audit.likely_missed import Outcome, chances, likely_missed


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
