from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.audit.audit_sample import Look, Tally
from tools.audit.planning import (
    Choice,
    Pricing,
    Search,
    Standing,
    Work,
    choose,
    if_clean,
    plan_audit,
    scan_work,
    search_work,
    worthwhile,
)

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


PRICING = Pricing(call_passages=5_000, call_overhead=1_000)
SEARCH = Search(filtering=Work(calls=6, tokens=30_000), candidates=0.1, audit=200)
RANKED = Search(filtering=Work(calls=0, tokens=0), candidates=0.12, audit=200)


def test_a_scan_reads_every_token_once_and_pays_for_each_call() -> None:
    assert scan_work(12_000, PRICING) == Work(calls=3, tokens=15_000)


def test_a_search_pays_for_filters_candidates_and_audit() -> None:
    work = search_work(2_000, 400_000, SEARCH, PRICING)
    assert work == Work(calls=6 + 8 + 8, tokens=30_000 + 48_000 + 48_000)


def test_an_audit_reads_no_more_than_what_is_left() -> None:
    assert search_work(100, 10_000, SEARCH, PRICING).tokens == 30_000 + 2_000 + 9_000 + 2_000


def chosen(chunks: int, tokens: int, filtered: Search = SEARCH) -> Choice:
    return choose(chunks, tokens, ranked=RANKED, filtered=filtered, pricing=PRICING)


def test_a_small_corpus_is_scanned() -> None:
    choice = chosen(100, 20_000)
    assert choice.scan
    assert choice.why == (
        "judging all 100 chunks takes 4 calls and 24,000 tokens, ranking and auditing them about "
        "5 calls and 25,000 tokens, filtering them first about 11 calls and 55,000 tokens: "
        "so all are judged, and none can be missed"
    )


@pytest.mark.parametrize(
    ("chunks", "way", "verdict"),
    [(2_000, "rank", "so no filter is called"), (20_000, "filter", "so it filters first")],
)
def test_filters_pay_from_some_size_on(chunks: int, way: str, verdict: str) -> None:
    choice = chosen(chunks, chunks * 200)
    assert (choice.way, choice.scan) == (way, False)
    assert choice.why.endswith(verdict)


@given(chunks=st.integers(1, 100_000), more=st.integers(0, 100_000), filters=st.integers(0, 10**6))
def test_once_filters_pay_they_pay_for_all_that_is_larger(
    chunks: int, more: int, filters: int
) -> None:
    price = Search(filtering=Work(calls=1, tokens=filters), candidates=0.1, audit=200)
    small, large = (chosen(each, each * 5_000, price).way for each in (chunks, chunks + more))
    assert large == "filter" or small != "filter"


def test_an_empty_corpus_is_scanned_for_nothing() -> None:
    choice = chosen(0, 0)
    assert choice.scan
    assert choice.scanning == Work(calls=0, tokens=0)


@given(chunks=st.integers(1, 10_000), audit=st.integers(0, 5_000))
def test_a_search_that_keeps_everything_is_never_chosen(chunks: int, audit: int) -> None:
    filtered, ranked = (
        Search(filtering=Work(calls=1, tokens=price), candidates=1.0, audit=audit)
        for price in (10, 0)
    )
    tokens = chunks * 200
    assert choose(chunks, tokens, ranked=ranked, filtered=filtered, pricing=PRICING).scan
