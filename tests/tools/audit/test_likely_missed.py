import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tools.audit.likely_missed import LEVEL, likely_missed


@given(
    expected=st.floats(0, 50),
    unread=st.integers(0, 5000),
    drawn=st.integers(1, 200),
    hits=st.integers(0, 5),
    most=st.integers(0, 60),
)
def test_more_evidence_of_misses_never_narrows_it(
    expected: float, unread: int, drawn: int, hits: int, most: int
) -> None:
    def missed(hits: int) -> int:
        return likely_missed(expected, unread=unread, drawn=drawn, hits=hits, most=most)

    assert 0 <= missed(hits) <= missed(hits + 5) <= most


def test_it_holds_where_misses_are_unlike_what_was_found() -> None:
    generator = np.random.default_rng(5)
    held = []
    for hidden in range(0, 24, 2):
        for _ in range(20):
            hits = int(generator.hypergeometric(hidden, 400 - hidden, 40))
            told = likely_missed(0.0, unread=360, drawn=40, hits=hits, most=360)
            held.append(hidden - hits <= told)
    assert np.mean(held) >= LEVEL - 0.15


def test_it_grows_with_what_the_ranking_expects() -> None:
    few, many = (
        likely_missed(expected, unread=400, drawn=40, hits=0, most=400) for expected in (0.0, 20.0)
    )
    assert few < 5 < many
