import math

from hypothesis import given
from hypothesis import strategies as st

from evals.ranks import ndcg_at, recall_at

RANKED = st.lists(st.integers(0, 9), max_size=12)
GAINS = st.dictionaries(st.integers(0, 9), st.sampled_from([0.5, 1.0, 3.0]), max_size=8)
K = st.integers(1, 12)


@given(RANKED, GAINS, K)
def test_both_are_shares(ranked: list[int], gains: dict[int, float], k: int) -> None:
    assert 0.0 <= ndcg_at(ranked, gains, k) <= 1.0 + 1e-12
    assert 0.0 <= recall_at(ranked, gains, k) <= 1.0


@given(GAINS, K)
def test_the_best_order_is_perfect(gains: dict[int, float], k: int) -> None:
    best = sorted(gains, key=lambda item: -gains[item])
    assert math.isclose(ndcg_at(best, gains, k), 1.0 if gains else 0.0)
    assert recall_at(best, gains, max(k, len(gains))) == (1.0 if gains else 0.0)


@given(RANKED, GAINS)
def test_looking_at_more_finds_no_less(ranked: list[int], gains: dict[int, float]) -> None:
    found = [recall_at(ranked, gains, k) for k in range(1, 13)]
    assert found == sorted(found)


@given(RANKED, GAINS, K)
def test_what_comes_again_counts_once(ranked: list[int], gains: dict[int, float], k: int) -> None:
    assert ndcg_at([*ranked, *ranked], gains, k) == ndcg_at(ranked, gains, k)
    assert recall_at([*ranked, *ranked], gains, k) == recall_at(ranked, gains, k)


def test_the_formula_is_the_published_one() -> None:
    gained = 3 / math.log2(2) + 1 / math.log2(4)
    most = 3 / math.log2(2) + 1 / math.log2(3)
    assert math.isclose(ndcg_at(["a", "x", "b"], {"a": 3.0, "b": 1.0}, 3), gained / most)
