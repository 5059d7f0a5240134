from hypothesis import given
from hypothesis import strategies as st

from tools.retrieval import ETA, reciprocal_rank_fusion

rankings = st.lists(st.lists(st.integers(0, 20), unique=True, max_size=8), max_size=4)


def test_scores_are_sums_of_reciprocal_ranks():
    fused = dict(reciprocal_rank_fusion([[7, 8], [8]]))
    assert fused == {8: 1 / (ETA + 2) + 1 / (ETA + 1), 7: 1 / (ETA + 1)}


def test_a_repeated_item_counts_once_a_ranking():
    assert reciprocal_rank_fusion([["a", "a", "b"]]) == reciprocal_rank_fusion([["a", "b"]])


@given(rankings)
def test_every_item_is_there_once_by_falling_score(given_rankings):
    fused = reciprocal_rank_fusion(given_rankings)
    assert {item for item, _ in fused} == {item for each in given_rankings for item in each}
    scores = [score for _, score in fused]
    assert scores == sorted(scores, reverse=True)
