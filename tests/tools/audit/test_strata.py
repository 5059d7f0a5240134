import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.audit.strata import stratify

SCORES = np.arange(100, dtype=np.float64)


def test_bands_are_of_equal_size_and_the_best_comes_first() -> None:
    found = stratify({"pruned by call 1": range(40)}, SCORES, bands=4)
    assert [each.chunks.tolist() for each in found] == [
        list(range(30, 40)),
        list(range(20, 30)),
        list(range(10, 20)),
        list(range(10)),
    ]
    assert found[0].name == "pruned by call 1, score band 1 of 4"


def test_a_reason_gets_only_as_many_bands_as_it_can_fill() -> None:
    found = stratify({"a": range(25), "b": range(25, 35)}, SCORES, bands=4, least=10)
    assert [(each.name, len(each.chunks)) for each in found] == [
        ("a, score band 1 of 2", 13),
        ("a, score band 2 of 2", 12),
        ("b", 10),
    ]


def test_small_reasons_are_put_together_and_empty_ones_left_out() -> None:
    found = stratify({"a": range(20), "b": [20], "c": [], "d": [21, 22]}, SCORES, bands=1, least=5)
    assert [(each.name, each.chunks.tolist()) for each in found[1:]] == [("b + d", [20, 21, 22])]


def test_nothing_unjudged_is_no_stratum() -> None:
    assert stratify({"a": []}, SCORES) == ()


def test_a_chunk_with_two_reasons_is_refused() -> None:
    with pytest.raises(ValueError, match="two reasons"):
        stratify({"a": [1, 2], "b": [2]}, SCORES)


@given(
    assigned=st.lists(st.integers(-1, 3), min_size=100, max_size=100),
    bands=st.integers(1, 6),
    least=st.integers(1, 60),
)
def test_every_unjudged_chunk_is_in_exactly_one_stratum(
    assigned: list[int], bands: int, least: int
) -> None:
    reasons = {str(reason): np.flatnonzero(np.array(assigned) == reason) for reason in range(4)}
    found = stratify(reasons, SCORES % 7, bands=bands, least=least)
    members = sorted(chunk for each in found for chunk in each.chunks.tolist())
    assert members == [chunk for chunk, reason in enumerate(assigned) if reason >= 0]
    assert sum(len(each.chunks) < least for each in found) <= 1
    assert len({each.name for each in found}) == len(found)
