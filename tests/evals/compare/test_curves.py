import pytest

from evals.compare.search_curves import Curve, curve, mean_share
from evals.spans import GoldChunk


def _gold(chunk: int, *pieces: set[int]) -> GoldChunk:
    return GoldChunk(chunk, tuple(frozenset(each) for each in pieces or ({chunk},)))


def test_a_gold_chunk_is_found_when_it_is_read() -> None:
    assert curve([_gold(3), _gold(0)], [0, 1, 2, 3]).found_at == (0.25, 1.0)


def test_a_neighbour_that_holds_every_piece_finds_it_too() -> None:
    assert curve([_gold(3, {3, 2})], [2, 1, 0, 3]).found_at == (0.25,)
    assert curve([_gold(3, {3, 2}, {3})], [2, 1, 0, 3]).found_at == (1.0,)


def test_evidence_outside_the_corpus_is_never_found_before_the_end() -> None:
    assert curve([GoldChunk(-1, (frozenset(),))], [0, 1]).found_at == (1.0,)


@pytest.mark.parametrize(
    ("recall", "share"), [(0.0, 0.0), (0.25, 0.1), (0.8, 0.9), (1.0, 0.9)], ids=str
)
def test_a_recall_is_reached_at_the_least_share_that_has_it(recall: float, share: float) -> None:
    assert Curve((0.1, 0.2, 0.3, 0.9)).share_at(recall) == share


def test_means_are_over_questions() -> None:
    curves = [Curve((0.1, 0.5)), Curve((0.3,))]
    assert mean_share(curves, 1.0) == pytest.approx(0.4)
