import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.audit.audit_sample import (
    Drawn,
    allocate,
    draw,
    look_at,
    stratify,
)

SCORES = np.arange(100, dtype=np.float64)


def test_small_reasons_are_put_together_and_empty_ones_left_out() -> None:
    found = stratify({"a": range(20), "b": [20], "c": [], "d": [21, 22]}, SCORES, bands=1, least=5)
    assert [(each.reasons, each.chunks.tolist()) for each in found[1:]] == [
        (("b", "d"), [20, 21, 22])
    ]


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


STRATA = stratify({"a": range(60), "b": range(60, 100)}, np.arange(100.0), bands=2)


def test_the_same_seed_and_look_draw_the_same_chunks() -> None:
    first, again = (draw(STRATA, 20, seed=7, look=1) for _ in range(2))
    assert [x.sample.tolist() for x in first] == [x.sample.tolist() for x in again]


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
        assert set(sample) <= set(each.chunks.tolist())
        assert sample == sorted(set(sample))
    assert sum(len(x.sample) for x in drawn) == min(len(sizes) + extra, sum(sizes))


@pytest.mark.parametrize(("sizes", "n"), [([5, 5], 1), ([5, 0], 4)], ids=["too few", "empty"])
def test_a_stratum_that_cannot_be_drawn_from_is_refused(sizes: list[int], n: int) -> None:
    with pytest.raises(ValueError, match="do not reach"):
        allocate(sizes, n)


SMALL_AND_BIG = stratify({"big": range(10), "small": [10, 11]}, np.zeros(12), bands=1)


def _drawn(*samples: list[int]) -> tuple[Drawn, ...]:
    return tuple(
        Drawn(reasons=stratum.reasons, chunks=stratum.chunks, sample=np.array(sample))
        for stratum, sample in zip(SMALL_AND_BIG, samples, strict=True)
    )


def test_hits_and_failures_are_counted_by_stratum() -> None:
    drawn = _drawn([0, 3, 4], [10])
    look = look_at(drawn, hits=[3, 10], failed=[4], known=range(20, 27))
    assert [(t.hits, t.unknown) for t in look.strata] == [(1, 1), (1, 0)]
    assert (look.population, look.drawn, look.hits, look.unknown) == (12, 4, 2, 1)
    assert look.worst_hits == 3


def test_a_stratum_read_in_full_is_known_and_leaves_nothing_to_infer() -> None:
    look = look_at(_drawn([0, 1, 2], [10, 11]), hits=[1, 11], failed=[10], known=range(20, 24))
    assert [each.size for each in look.open] == [10]
    assert look.fraction == 0.3
    assert look.worst_hits == 1
    assert look.hidden(20) == 20 - 4 - 2


def test_a_document_counts_once_and_only_if_it_was_not_matched() -> None:
    documents = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 0, 5]
    look = look_at(
        _drawn([0, 1, 2, 4], [10]), hits=[0, 1, 4, 10], failed=[2], document=documents, known={2}
    )
    assert [(t.hits, t.unknown) for t in look.strata] == [(1, 1), (0, 0)]
    assert look.found == 1
