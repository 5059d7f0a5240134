from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.audit.look import Look, Tally
from tools.audit.planning import Standing, if_clean, plan_audit, worthwhile

HERE = Standing(sizes=(300, 300, 400), found=120, unread=1000)


def test_the_planned_audit_is_the_smallest_that_proves_the_target() -> None:
    plan = plan_audit(HERE, target=0.9, most=1000)
    assert plan.needed == plan.chunks
    assert if_clean(HERE, plan.chunks).recall >= 0.9
    assert if_clean(HERE, plan.chunks - 1).recall < 0.9
    assert plan.promised == if_clean(HERE, plan.chunks)
    assert plan.why.endswith("without a hit prove 90%: the target of 90%")


def test_a_larger_need_is_cut_at_the_most_and_told() -> None:
    plan = plan_audit(HERE, target=0.9, most=100)
    assert plan.chunks == 100
    assert plan.needed is not None
    assert plan.promised.recall < 0.9
    assert plan.why == (
        f"100 of 1,000 chunks without a hit prove {plan.promised.recall:.0%}; "
        f"the target of 90% needs {plan.needed:,}"
    )


def test_where_nothing_was_found_only_judging_nearly_all_proves_a_recall() -> None:
    plan = plan_audit(replace(HERE, found=0), target=0.5, most=2000)
    assert plan.needed is not None
    assert 950 < plan.needed <= 1000
    assert plan.promised.missed == 0


def test_what_is_proven_already_needs_no_audit() -> None:
    plan = plan_audit(Standing(sizes=(5,), found=95, unread=5), target=0.95, most=50)
    assert (plan.chunks, plan.needed) == (0, 0)
    assert plan.why == "a recall of 95% is proven without another audit"


def test_a_target_that_failed_chunks_forbid_is_told() -> None:
    plan = plan_audit(replace(HERE, found=20, unread=1010, out_of_reach=10), target=0.9, most=2000)
    assert plan.needed is None
    assert plan.chunks == 1000
    assert plan.promised.recall == pytest.approx(2 / 3)
    assert "90% is out of reach: 10 cannot be judged" in plan.why


def test_an_earlier_clean_look_spares_a_part_of_the_next() -> None:
    tallies = tuple(Tally(stratum=str(n), size=n, drawn=n // 10, hits=0) for n in HERE.sizes)
    look = Look(found=120, strata=tallies)
    after = Standing(looks=(look,), sizes=(270, 270, 360), found=120, unread=900)
    first, second = (plan_audit(each, target=0.9, most=1000).chunks for each in (HERE, after))
    assert second < first
    assert second + 100 == pytest.approx(first, abs=25)


def test_fewer_chunks_than_strata_prove_nothing_new() -> None:
    assert if_clean(HERE, 2) == if_clean(HERE, 0)


@given(
    sizes=st.lists(st.integers(1, 300), min_size=1, max_size=5),
    found=st.integers(0, 100),
    target=st.floats(0.1, 1.0),
)
def test_what_is_needed_is_enough_and_no_more(sizes: list[int], found: int, target: float) -> None:
    standing = Standing(sizes=tuple(sizes), found=found, unread=sum(sizes))
    plan = plan_audit(standing, target=target, most=sum(sizes))
    assert plan.needed is not None
    assert if_clean(standing, plan.needed).recall >= target
    assert plan.needed == 0 or if_clean(standing, plan.needed - 1).recall < target


@pytest.mark.parametrize("population", [100, 440, 3000, 20_000])
def test_up_to_what_is_worthwhile_a_draw_rules_out_more_than_itself(population: int) -> None:
    standing = Standing(sizes=(population,), found=10, unread=population)

    def spared(first: int, last: int) -> int:
        return if_clean(standing, first).missed - if_clean(standing, last).missed

    at = worthwhile(population)
    assert spared(at // 2, at) > at - at // 2
    assert spared(at, at + at // 2) <= at // 2
