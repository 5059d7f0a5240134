import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.audit.choice import Choice, Pricing, Search, Work, choose, scan_work, search_work

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
