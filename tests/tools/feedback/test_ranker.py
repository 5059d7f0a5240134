import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap
from scipy.sparse import csr_matrix

from tests.built import built
from tools.corpus.corpus import Corpus
from tools.feedback import ranker
from tools.feedback.ranker import Ranked, Ranker, word_weights

ASKED = "keeps insurance for the benefit of the other party"
CLAUSES = (
    "The tenant shall keep an insurance policy for the benefit of the landlord.",
    "The carrier maintains cover against theft and names the shipper as loss payee.",
    "Payment falls due thirty days after the invoice.",
    "This letter is governed by the law of the northern province.",
    "Each party keeps the other's secrets for three years.",
    "The goods are delivered to the dock at the buyer's cost.",
)
QUOTE = CLAUSES[1]
EVERY = BitMap(range(40))


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Forty documents of one chunk: 0 to 5 as above, then the last four clauses, renumbered."""
    clauses = [CLAUSES[each] if each < 6 else CLAUSES[2 + each % 4] for each in range(40)]
    texts = (f"Agreement number {at}. {clause}\n" for at, clause in enumerate(clauses))
    return built(
        {f"{at:02}.txt": text for at, text in enumerate(texts)}, tmp_path_factory.mktemp("few")
    )


def _chunks(ranking: list[Ranked]) -> list[int]:
    return [each.chunk for each in ranking]


def test_before_any_verdict_what_the_filters_kept_goes_first(corpus: Corpus) -> None:
    ranking = Ranker(corpus, ASKED, kept=BitMap([7, 9])).rank([], BitMap(), BitMap(), EVERY, 40)
    assert set(_chunks(ranking)[:2]) == {7, 9}


def test_a_quote_draws_up_the_chunk_that_shares_its_words(corpus: Corpus) -> None:
    ranker = Ranker(corpus, ASKED)
    pool = EVERY - BitMap([0, 2])
    before = _chunks(ranker.rank([], BitMap(), BitMap([2]), pool, 38)).index(1)
    quotes = ["shipper as loss payee"]
    after = _chunks(ranker.rank(quotes, BitMap(), BitMap([2]), pool, 38)).index(1)
    assert before > after == 0


def test_a_chunk_that_matched_draws_up_those_of_its_kind(corpus: Corpus) -> None:
    pool = EVERY - BitMap([2, 5])
    before, after = (
        _chunks(Ranker(corpus, ASKED).rank([], yes, BitMap([2]), pool, 38))
        for yes in (BitMap(), BitMap([5]))
    )
    like = [each for each in pool if CLAUSES[5] in corpus.chunk_text(each)]
    assert max(map(after.index, like)) < min(map(before.index, like))


@settings(max_examples=25, deadline=None)
@given(pool=st.sets(st.integers(0, 39)), n=st.integers(0, 45), quoted=st.booleans())
def test_a_ranking_holds_only_chunks_of_the_pool_each_once_best_first(
    corpus: Corpus, pool: set[int], n: int, quoted: bool
) -> None:
    quotes = [QUOTE] if quoted else []
    ranking = Ranker(corpus, ASKED).rank(quotes, BitMap(), EVERY - BitMap(pool), BitMap(pool), n)
    chunks = _chunks(ranking)
    assert len(chunks) == len(set(chunks)) == min(n, len(pool))
    assert set(chunks) <= pool
    assert [each.score for each in ranking] == sorted((r.score for r in ranking), reverse=True)


def test_of_many_quotes_a_sample_teaches(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranker, "_QUOTED", 3)
    quotes = [f"{QUOTE} It is item {number}." for number in range(30)]
    drawn = np.sort(np.random.default_rng(0).choice(30, 3, replace=False))
    pool, no = EVERY - BitMap([2]), BitMap([2])
    every, some, one = (
        Ranker(corpus, ASKED).rank(told, BitMap(), no, pool, 39)
        for told in (quotes, [quotes[at] for at in drawn], quotes[:1])
    )
    assert every == some != one


STEMS = csr_matrix(np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float32))


def _rows(*rows: list[int]) -> csr_matrix:
    return csr_matrix(np.array(rows, dtype=np.float32))


def test_words_of_matches_weigh_most_their_stems_less_and_unrelated_ones_nothing() -> None:
    weights = word_weights(_rows([1, 0, 0, 0]), _rows([0, 0, 1, 0], [0, 0, 1, 0]), STEMS)
    assert weights[0] > weights[1] > weights[3] == 0 > weights[2]
