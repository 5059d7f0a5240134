import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import beta, hypergeom

from tools.audit.audit_sample import Look, Tally, allocate
from tools.audit.recall_bounds import CHANCE, allowed_loss, bound, leak, loss, rules_out, tail

Floats = NDArray[np.float64]
TOTAL = 6


def _look(
    sizes: Sequence[int], drawn: Sequence[int], hits: int = 0, found: int = 0, unknown: int = 0
) -> Look:
    """Make a look with all hits in the first stratum: only their sum counts."""
    tallies = tuple(
        Tally(
            stratum=str(place),
            size=size,
            drawn=part,
            hits=hits if place == 0 else 0,
            unknown=unknown if place == 0 else 0,
        )
        for place, (size, part) in enumerate(zip(sizes, drawn, strict=True))
    )
    return Look(found=found, strata=tallies)


def _missed(look: Look, confidence: float = 0.95, spending: float = 0.2) -> int:
    found = look.found + look.hits
    unread = look.population - look.drawn + look.unknown
    said = bound([look], found=found, unread=unread, confidence=confidence, spending=spending)
    return said.missed


@cache
def _law(size: int, hidden: int, drawn: int) -> tuple[float, ...]:
    return tuple(hypergeom.pmf(range(drawn + 1), size, hidden, drawn).tolist())


def _splits(total: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if len(sizes) == 1:
        if total <= sizes[0]:
            yield (total,)
        return
    for first in range(min(total, sizes[0]) + 1):
        for rest in _splits(total - first, sizes[1:]):
            yield (first, *rest)


def _exact(sizes: Sequence[int], drawn: Sequence[int], hidden: Sequence[int]) -> Floats:
    """Return the law of the number of hits: the strata are independent."""
    law: Floats = np.array([1.0])
    for size, part, each in zip(sizes, drawn, hidden, strict=True):
        law = np.convolve(law, _law(size, each, part))
    return law


ALLOCATIONS = {
    "proportional": ((8, 12), (2, 3)),
    "unequal": ((6, 10), (3, 2)),
    "three strata": ((4, 6, 8), (2, 3, 4)),
    "tiny strata": ((1, 2, 3, 9), (1, 1, 1, 3)),
    "almost all": ((10, 10), (9, 9)),
    "half of two": ((2, 2, 2, 2), (1, 1, 1, 1)),
}


@pytest.mark.parametrize("name", ALLOCATIONS)
def test_the_tail_is_an_upper_bound_for_every_way_the_relevant_chunks_lie(name: str) -> None:
    sizes, drawn = ALLOCATIONS[name]
    look = _look(sizes, drawn)
    open_sizes, open_drawn = zip(*((x.size, x.drawn) for x in look.open), strict=True)
    for hidden in range(sum(open_sizes) + 1):
        for split in _splits(hidden, open_sizes):
            below = np.cumsum(_exact(open_sizes, open_drawn, split))
            for hits, exact in enumerate(below):
                assert exact <= tail(look, hidden, hits) + 1e-12


def test_hoeffdings_condition_is_needed() -> None:
    """With 98 of 100 drawn, all 5 met is rarer than a binomial says: nothing may be claimed."""
    look = _look((50, 50), (49, 49))
    exact = max(np.cumsum(_exact((50, 50), (49, 49), split))[4] for split in _splits(5, (50, 50)))
    assert exact > 1 - 0.98**5
    assert tail(look, 5, 4) == 1.0


@given(
    size=st.integers(2, 60),
    part=st.floats(0, 1),
    share=st.floats(0, 1),
    alpha=st.sampled_from([0.0123, 0.0487, 0.2019]),
)
def test_one_stratum_is_as_exact_as_the_hypergeometric_law(
    size: int, part: float, share: float, alpha: float
) -> None:
    drawn = 1 + int(part * (size - 2))
    hits = int(share * drawn)
    allowed = [
        total
        for total in range(hits, size - drawn + hits + 1)
        if hypergeom.cdf(hits, size, total, drawn) > alpha
    ]
    missed = _missed(_look([size], [drawn], hits), confidence=1 - alpha, spending=0)
    assert missed == max(allowed) - hits


def test_a_large_population_agrees_with_clopper_and_pearson() -> None:
    size, drawn, hits = 10**6, 1000, 3
    missed = _missed(_look([size // 2] * 2, [drawn // 2] * 2, hits), spending=0)
    share = float(beta.ppf(0.95, hits + 1, drawn - hits))
    assert (missed + hits) / size == pytest.approx(share, rel=0.005)


def test_no_hit_follows_the_rule_of_three() -> None:
    missed = _missed(_look([50_000, 50_000], [500, 500]), spending=0)
    assert missed == math.floor(math.log(0.05) / math.log(0.99))


@st.composite
def looks(draw: st.DrawFn) -> Look:
    sizes = draw(st.lists(st.integers(2, 200), min_size=1, max_size=4))
    n = draw(st.integers(len(sizes), max(len(sizes), sum(sizes) - 1)))
    drawn = allocate(sizes, n)
    hits = draw(st.integers(0, min(drawn[0], 6)))
    return _look(sizes, drawn, hits, found=draw(st.integers(0, 30)))


@given(look=looks(), low=st.floats(0.5, 0.99), high=st.floats(0.5, 0.99))
def test_more_confidence_never_claims_more(look: Look, low: float, high: float) -> None:
    assume(low <= high)
    assert _missed(look, low) <= _missed(look, high)


@given(look=looks())
def test_another_hit_never_lowers_the_total(look: Look) -> None:
    first = look.strata[0]
    assume(first.hits < first.drawn)
    more = replace(look, strata=(replace(first, hits=first.hits + 1), *look.strata[1:]))
    assert _missed(look) + look.hits <= _missed(more) + more.hits


@given(look=looks())
def test_a_chunk_that_could_not_be_judged_is_taken_for_a_hit_at_worst(look: Look) -> None:
    first = look.strata[0]
    assume(first.hits < first.drawn)
    doubtful = replace(look, strata=(replace(first, unknown=1), *look.strata[1:]))
    hit = replace(look, strata=(replace(first, hits=first.hits + 1), *look.strata[1:]))
    assert _missed(doubtful) == _missed(hit) + 1


@given(size=st.integers(4, 400), n=st.integers(2, 399), more=st.integers(1, 50))
def test_a_larger_clean_sample_never_claims_less(size: int, n: int, more: int) -> None:
    assume(n + more <= 2 * size)
    small, large = (_look([size, size], allocate([size, size], k)) for k in (n, n + more))
    assert _missed(large) <= _missed(small)


@given(first=looks(), second=looks())
def test_a_larger_total_is_ruled_out_whenever_a_smaller_one_is(first: Look, second: Look) -> None:
    second = replace(second, found=first.found + first.hits + 2)
    ruled = [rules_out(total, [first, second], 0.05) for total in range(second.found, 400)]
    assert ruled == sorted(ruled)


@given(first=looks(), second=looks())
def test_a_further_look_never_takes_a_claim_back(first: Look, second: Look) -> None:
    second = replace(second, found=first.found + first.hits)
    found = second.found + second.hits
    one, both = (bound(x, found=found, unread=999) for x in ([first], [first, second]))
    assert both.missed <= one.missed


@given(first=looks(), second=looks())
def test_testing_each_look_by_itself_never_rules_out_more(first: Look, second: Look) -> None:
    second = replace(second, found=first.found + first.hits)
    for total in range(second.found + second.hits, 200, 3):
        alone = rules_out(total, [first], 0.04, 0) or rules_out(total, [second], 0.008, 0)
        assert rules_out(total, [first, second], 0.05, 0.2) or not alone


def test_clean_looks_add_up() -> None:
    one = _look([2000, 2000], [100, 100], found=50)
    two = _look([1900, 1900], [100, 100], found=50)
    first = bound([one], found=50, unread=3800)
    both = bound([one, two], found=50, unread=3600)
    assert both.missed < 0.55 * first.missed
    assert (both.looks, both.audited, both.hits) == (2, 400, 0)


def test_what_is_found_between_looks_counts() -> None:
    leaky = _look([1000, 1000], [100, 100], hits=6, found=50)
    clean = _look([880, 880], [300, 300], found=110)
    said = bound([leaky, clean], found=110, unread=1160)
    assert said.recall > 0.85
    assert bound([leaky], found=56, unread=1800).recall < 0.45


def test_everything_judged_is_certain() -> None:
    said = bound([], found=12, unread=0)
    assert (said.recall, said.missed, said.confidence) == (1.0, 0, 1.0)


def test_without_a_look_everything_unread_may_be_missed() -> None:
    said = bound([], found=30, unread=10)
    assert (said.recall, said.missed, said.confidence) == (0.75, 10, 1.0)


def test_nothing_found_and_something_unread_is_no_recall() -> None:
    said = bound([_look([100], [50])], found=0, unread=50)
    assert said.recall == 0.0
    assert 0 < said.missed < 10


def test_nothing_to_find_is_complete() -> None:
    assert bound([], found=0, unread=0).recall == 1.0


def test_chunks_out_of_reach_widen_the_bound() -> None:
    look = _look([500], [250], found=20)
    near = bound([look], found=20, unread=250)
    far = bound([replace(look, out_of_reach=3)], found=20, unread=253)
    assert far.missed == near.missed + 3


@pytest.mark.parametrize(("confidence", "spending"), [(1.0, 0.2), (0.0, 0.2), (0.95, 1.0)])
def test_a_confidence_or_spending_out_of_range_is_refused(
    confidence: float, spending: float
) -> None:
    with pytest.raises(ValueError, match="must be below 1"):
        bound([], found=1, unread=1, confidence=confidence, spending=spending)


def _worst_error(alpha: float, left: int, population: int, looks: tuple[Look, ...]) -> float:
    """Return the chance that the true total is ruled out, by the worst course of a search.

    Before each of three looks an adversary who has seen every hit so far, and who knows the truth,
    chooses how many relevant chunks are found by other means and how many are then drawn.
    """
    if len(looks) == 3:
        return 0.0
    return max(
        (
            _error(alpha, left - found, population - found, drawn, looks)
            for found, drawn in product((0, 2), (3, 5, 9))
            if found <= left and drawn < population - found
        ),
        default=0.0,
    )


def _error(alpha: float, hidden: int, size: int, drawn: int, looks: tuple[Look, ...]) -> float:
    error = 0.0
    for hits, chance in enumerate(_law(size, hidden, drawn)):
        seen = (*looks, _look([size], [drawn], hits, found=TOTAL - hidden))
        if chance > 0 and rules_out(TOTAL, seen, alpha):
            error += chance
        elif chance > 0:
            error += chance * _worst_error(alpha, hidden - hits, size - drawn, seen)
    return error


@pytest.mark.parametrize("alpha", [0.1, 0.3])
def test_no_course_of_a_search_can_break_the_confidence(alpha: float) -> None:
    worst = _worst_error(alpha, TOTAL, 20, ())
    assert 0 < worst <= alpha


def test_bounds_hold_after_every_look_of_a_search_that_follows_its_hits() -> None:
    failed = 0
    for seed in range(150):
        generator = np.random.default_rng(seed)
        relevant = generator.permutation(np.arange(600) < 60)
        unread = np.arange(600)
        seen: list[Look] = []
        found, held = 0, True
        for _ in range(4):
            sample = generator.choice(len(unread), 40, replace=False)
            hits = int(relevant[unread[sample]].sum())
            seen.append(_look([len(unread)], [40], hits, found))
            unread = np.delete(unread, sample)
            found += hits
            if hits > 3:
                found += int(relevant[unread[:60]].sum())
                unread = unread[60:]
            said = bound(seen, found=found, unread=len(unread))
            held &= found + said.missed >= 60
        failed += not held
    assert failed <= 0.05 * 150


Part = tuple[str | None, int, int, int]
"""A call, and a stratum's size, draws and hits."""


def looked(parts: Sequence[Part]) -> tuple[Look, list[str | None]]:
    strata = tuple(
        Tally(stratum=str(place), size=size, drawn=drawn, hits=hits)
        for place, (_, size, drawn, hits) in enumerate(parts)
    )
    return Look(found=7, strata=strata), [call for call, *_ in parts]


ONE = [("a", 100, 20, 6), (None, 100, 20, 0)]
BANDS = [("a", 100, 20, 6), ("a", 100, 20, 0), ("a", 100, 20, 0), (None, 20, 4, 0)]
HALVES = [("a", 100, 20, 5), ("a", 100, 20, 5), ("b", 100, 20, 0), ("b", 100, 20, 0)]


@pytest.mark.parametrize(
    ("parts", "call", "strata"),
    [
        (ONE, "a", (0,)),
        (BANDS, "a", (0,)),
        (HALVES, "a", (0, 1)),
        ([*reversed(HALVES)], "a", (2, 3)),
        ([("a", 100, 20, 1), ("b", 100, 20, 9), (None, 300, 60, 2)], "b", (1,)),
    ],
    ids=["one stratum", "its best band", "two bands", "wherever it stands", "of two calls"],
)
def test_the_call_whose_discards_hold_the_hits_is_to_blame(
    parts: Sequence[Part], call: str, strata: tuple[int, ...]
) -> None:
    found = leak(*looked(parts))
    assert found is not None
    assert (found.call, found.strata) == (call, strata)


@pytest.mark.parametrize(
    "parts",
    [
        [("a", 100, 20, 0), (None, 100, 20, 0)],
        [("a", 100, 20, 4), ("b", 100, 20, 4), (None, 100, 20, 4)],
        [("a", 900, 90, 6), (None, 100, 10, 0)],
        [("a", 100, 20, 1), (None, 100, 20, 0)],
        [(None, 100, 20, 9), ("a", 100, 20, 0)],
        [("a", 21, 20, 9), (None, 100, 20, 0)],
        [("a", 20, 20, 9), (None, 100, 20, 0)],
        [],
    ],
    ids=[
        "no hit",
        "spread evenly",
        "nearly all that is unread",
        "one hit says little",
        "what no call ruled out",
        "nothing more expected there",
        "everything drawn",
        "no stratum",
    ],
)
def test_no_call_is_to_blame(parts: Sequence[Part]) -> None:
    assert leak(*looked(parts)) is None


def test_what_is_expected_there_is_the_share_of_hits_of_what_was_not_drawn() -> None:
    found = leak(*looked(ONE))
    assert found is not None
    assert found.expected == pytest.approx(80 * 6 / 20)
    assert "6 of 20 chunks drawn there were relevant, elsewhere 0 of 20" in found.in_words
    assert "about 24 more are expected among 80" in found.in_words


def strata() -> st.SearchStrategy[list[Part]]:
    def stratum(call: str | None, size: int, drawn: int, hits: int) -> Part:
        drawn = min(drawn, size)
        return call, size, drawn, min(hits, drawn)

    numbers = (st.integers(1, 90), st.integers(1, 30), st.integers(0, 12))
    calls = st.sampled_from(["a", "b", None])
    return st.lists(st.builds(stratum, calls, *numbers), max_size=6)


@given(strata())
def test_a_blamed_part_is_richer_than_all_else_and_may_hold_more(parts: list[Part]) -> None:
    found = leak(*looked(parts))
    if found is None:
        return
    here, elsewhere = found.hits / found.drawn, found.hits_elsewhere / found.drawn_elsewhere
    assert here > elsewhere
    assert found.expected >= 1
    assert {parts[place][0] for place in found.strata} == {found.call}
    assert found.hits + found.hits_elsewhere == sum(hits for *_, hits in parts)
    assert found.left == sum(parts[at][1] - parts[at][2] for at in found.strata)


@given(strata())
def test_hits_that_no_call_can_have_lost_blame_none(parts: list[Part]) -> None:
    assert leak(*looked([(None, *numbers) for _, *numbers in parts])) is None  # type: ignore[misc]


@pytest.mark.parametrize("hits", [1, 3, 8])
def test_what_lies_evenly_is_blamed_on_a_call_no_more_often_than_stated(hits: int) -> None:
    sizes, draws = (100, 100, 200), (20, 20, 40)
    blamed = 0.0
    for first in range(hits + 1):
        for second in range(hits - first + 1):
            third = hits - first - second
            found = leak(
                *looked(
                    [
                        ("a", sizes[0], draws[0], first),
                        ("a", sizes[1], draws[1], second),
                        ("b", sizes[2], draws[2], third),
                    ]
                )
            )
            if found is not None:
                both = hypergeom.pmf(first + second, 80, hits, 40)
                blamed += both * hypergeom.pmf(first, 40, first + second, 20)
    assert blamed <= CHANCE


def test_a_part_that_no_number_of_hits_could_blame_takes_no_share_of_the_level() -> None:
    parts = [("a", 100, 20, 3), ("a", 100, 20, 0), ("a", 100, 20, 0), ("a", 100, 15, 0)]
    found = leak(*looked(parts))
    assert found is not None
    assert found.strata == (0,)
    assert CHANCE / len(parts) < found.chance <= CHANCE


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b", None]), st.integers(1, 9)), min_size=1, max_size=4
    ),
    st.integers(0, 5),
)
def test_evenly_spread_hits_blame_a_call_no_more_often_than_stated(
    strata: list[tuple[str | None, int]], hits: int
) -> None:
    """Over all ways in which so many hits fall on the chunks drawn, each alike."""
    drawn = [draws for _, draws in strata]
    ways = math.comb(sum(drawn), hits)
    blamed = 0
    for fall in itertools.product(*(range(min(hits, draws) + 1) for draws in drawn)):
        if sum(fall) != hits:
            continue
        parts = [(c, 20, n, x) for (c, n), x in zip(strata, fall, strict=True)]
        if leak(*looked(parts)) is not None:
            blamed += math.prod(map(math.comb, drawn, fall))
    assert blamed <= CHANCE * ways


WHOLE = [("a", 100, 20, 0), ("a", 100, 20, 1), ("a", 100, 20, 0)]
"""All that is unread was ruled out by one call."""


def test_a_call_that_must_not_lose_anything_is_to_blame_for_a_hit_down_to_its_band() -> None:
    assert leak(*looked(WHOLE)) is None
    found = loss(*looked(WHOLE), allowed=0)
    assert found is not None
    assert (found.call, found.strata, found.left) == ("a", (0, 1), 160)


@pytest.mark.parametrize(
    ("parts", "allowed"),
    [
        ([(call, size, drawn, 0) for call, size, drawn, _ in WHOLE], 0),
        (WHOLE, 1),
        ([(None, 100, 20, 4)], 0),
        ([("a", 20, 20, 3)], 0),
        ([("a", 100, 50, 2), ("a", 100, 50, 1)], 6),
        ([], 0),
    ],
    ids=[
        "no hit",
        "no more than allowed",
        "what no call ruled out",
        "everything drawn",
        "as many as the allowed ones would give",
        "no stratum",
    ],
)
def test_no_call_lost_more_than_is_allowed(parts: Sequence[Part], allowed: int) -> None:
    assert loss(*looked(parts), allowed=allowed) is None


def test_of_two_calls_the_one_that_lost_most_is_to_blame() -> None:
    found = loss(*looked([("a", 100, 20, 1), (None, 90, 18, 9), ("b", 100, 20, 3)]), allowed=1)
    assert found is not None
    assert found.call == "b"


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b"]), st.integers(1, 30), st.integers(1, 30)),
        min_size=1,
        max_size=4,
    ),
    st.integers(0, 4),
    st.data(),
)
def test_a_call_that_lost_no_more_than_allowed_is_blamed_no_more_often_than_stated(
    strata: list[tuple[str, int, int]], allowed: int, data: st.DataObject
) -> None:
    """Over all samples, wherever the call's relevant chunks lie among its strata."""
    sizes = [size for _, size, _ in strata]
    draws = [min(size, drawn) for _, size, drawn in strata]
    hidden = [0] * len(strata)
    room = {"a": allowed, "b": allowed}
    for place, (call, size, _) in enumerate(strata):
        hidden[place] = data.draw(st.integers(0, min(size, room[call])))
        room[call] -= hidden[place]
    blamed = 0.0
    for hits in itertools.product(*(range(each + 1) for each in hidden)):
        parts = [
            (call, size, drawn, min(x, drawn))
            for (call, size, _), drawn, x in zip(strata, draws, hits, strict=True)
        ]
        if loss(*looked(parts), allowed=allowed) is not None:
            chances = map(hypergeom.pmf, hits, sizes, hidden, draws)
            blamed += math.prod(map(float, chances))
    assert blamed <= CHANCE + 1e-9


@given(st.integers(0, 400), st.floats(0.5, 1.0))
def test_as_many_as_are_allowed_leave_the_recall_and_one_more_does_not(
    found: int, recall: float
) -> None:
    allowed = allowed_loss(found, recall)
    assert found + 1e-6 >= recall * (found + allowed)
    assert found <= recall * (found + allowed + 1) + 1e-6
