from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.audit.sample import allocate, draw, least_stratum
from tools.audit.strata import stratify

STRATA = stratify({"a": range(60), "b": range(60, 100)}, np.arange(100.0), bands=2)


def test_the_same_seed_and_look_draw_the_same_chunks() -> None:
    first, again = (draw(STRATA, 20, seed=7, look=1) for _ in range(2))
    assert [x.sample.tolist() for x in first] == [x.sample.tolist() for x in again]


@pytest.mark.parametrize(("seed", "look"), [(8, 1), (7, 2)], ids=["seed", "look"])
def test_another_seed_or_look_draws_others(seed: int, look: int) -> None:
    first, other = draw(STRATA, 20, seed=7, look=1), draw(STRATA, 20, seed=seed, look=look)
    assert [x.sample.tolist() for x in first] != [x.sample.tolist() for x in other]


def test_every_chunk_of_a_stratum_is_drawn_as_often_as_any() -> None:
    counts = np.zeros(100)
    for seed in range(2000):
        for each in draw(STRATA, 20, seed=seed, look=0):
            counts[each.sample] += 1
    assert np.abs(counts / 2000 - 0.2).max() < 0.04


@given(
    sizes=st.lists(st.integers(1, 50), min_size=1, max_size=6),
    extra=st.integers(0, 200),
    seed=st.integers(0, 9),
)
def test_a_sample_is_part_of_its_stratum_without_repeats(
    sizes: list[int], extra: int, seed: int
) -> None:
    ends = np.cumsum([0, *sizes]).tolist()
    reasons = {str(at): range(ends[at], ends[at + 1]) for at in range(len(sizes))}
    strata = stratify(reasons, np.zeros(ends[-1]), bands=1)
    drawn = draw(strata, len(sizes) + extra, seed=seed, look=0)
    for each in drawn:
        sample = each.sample.tolist()
        assert set(sample) <= set(each.stratum.chunks.tolist())
        assert sample == sorted(set(sample))
    assert sum(len(x.sample) for x in drawn) == min(len(sizes) + extra, sum(sizes))


@given(sizes=st.lists(st.integers(1, 9), min_size=1, max_size=3), extra=st.integers(0, 12))
def test_no_allocation_has_a_larger_smallest_fraction(sizes: list[int], extra: int) -> None:
    n = len(sizes) + extra

    def smallest(counts: tuple[int, ...]) -> float:
        return min(count / size for count, size in zip(counts, sizes, strict=True))

    every = product(*(range(size + 1) for size in sizes))
    best = max(smallest(counts) for counts in every if sum(counts) <= n)
    assert smallest(allocate(sizes, n)) == pytest.approx(best)


@pytest.mark.parametrize(("sizes", "n"), [([5, 5], 1), ([5, 0], 4)], ids=["too few", "empty"])
def test_a_stratum_that_cannot_be_drawn_from_is_refused(sizes: list[int], n: int) -> None:
    with pytest.raises(ValueError, match="do not reach"):
        allocate(sizes, n)


@given(population=st.integers(1, 10_000), n=st.integers(1, 500))
def test_strata_of_the_least_size_or_more_can_all_be_drawn_from(population: int, n: int) -> None:
    assert population // least_stratum(population, n) <= max(1, n // 5)
