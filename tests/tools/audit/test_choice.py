from hypothesis import given
from hypothesis import strategies as st

from tools.audit.choice import Pricing, Search, Work, choose, scan_work, search_work

PRICING = Pricing(call_passages=5_000, call_overhead=1_000)
SEARCH = Search(filtering=Work(calls=6, tokens=30_000), candidates=0.1, audit=200)


def test_a_scan_reads_every_token_once_and_pays_for_each_call() -> None:
    assert scan_work(12_000, PRICING) == Work(calls=3, tokens=15_000)


def test_a_search_pays_for_filters_candidates_and_audit() -> None:
    work = search_work(2_000, 400_000, SEARCH, PRICING)
    assert work == Work(calls=6 + 8 + 8, tokens=30_000 + 48_000 + 48_000)


def test_an_audit_reads_no_more_than_what_is_left() -> None:
    assert search_work(100, 10_000, SEARCH, PRICING).tokens == 30_000 + 2_000 + 9_000 + 2_000


def test_a_small_corpus_is_scanned() -> None:
    choice = choose(100, 20_000, SEARCH, PRICING)
    assert choice.scan
    assert choice.why == (
        "judging all 100 chunks takes 4 calls and 24,000 tokens, pruning and auditing about "
        "11 calls and 55,000 tokens: so all are judged, and none can be missed"
    )


def test_a_large_corpus_is_searched() -> None:
    choice = choose(20_000, 4_000_000, SEARCH, PRICING)
    assert not choice.scan
    assert choice.why.endswith("so it prunes first")


def test_an_empty_corpus_is_scanned_for_nothing() -> None:
    choice = choose(0, 0, SEARCH, PRICING)
    assert choice.scan
    assert choice.scanning == Work(calls=0, tokens=0)


@given(chunks=st.integers(1, 10_000), audit=st.integers(0, 5_000))
def test_a_search_that_keeps_everything_is_never_chosen(chunks: int, audit: int) -> None:
    search = Search(filtering=Work(calls=1, tokens=10), candidates=1.0, audit=audit)
    assert choose(chunks, chunks * 200, search, PRICING).scan
