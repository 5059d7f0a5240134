"""Retrieval by words, by vectors and by both; here, where the fixtures of a corpus are."""

import pytest

from agent.adf_state import Retrieval
from tools.corpus.corpus import Corpus
from tools.retrieval import (
    by_words,
    fused,
    reciprocal_rank_fusion,
    retrieve,
)

MODES: tuple[Retrieval, ...] = ("bm25", "dense", "hybrid")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", [0, 1, 3, 10_000])
def test_at_most_n_different_chunks_come_back(mode: Retrieval, n: int, corpus: Corpus) -> None:
    text = corpus.chunk_text(0)
    found = retrieve(corpus, text, n, mode=mode)
    assert len(found) == len(set(found)) <= min(n, len(corpus))
    assert set(found) <= set(range(len(corpus)))
    assert retrieve(corpus, text, n, mode=mode) == found


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text", ["", "  ", "?!", "xyzzyplugh"])
def test_a_text_without_known_words_retrieves_nothing(
    mode: Retrieval, text: str, corpus: Corpus
) -> None:
    assert retrieve(corpus, text, 5, mode=mode) == []


def test_words_rank_by_bm25_among_chunks_that_have_one(corpus: Corpus) -> None:
    text = corpus.chunk_text(0)[:80]
    found = by_words(corpus.lexical, text, len(corpus))
    scores = corpus.lexical.bm25(text)
    assert list(scores[found]) == sorted(scores[found], reverse=True)
    assert all(
        set(text.lower().split()) & set(corpus.chunk_text(each).lower().split())
        or scores[each] != 0
        for each in found
    )


def test_the_hybrid_is_the_fusion_of_both() -> None:
    lexical, dense = [3, 1, 2], [2, 5]
    found = fused(lambda n: lexical[:n], lambda n: dense[:n], 3, mode="hybrid")
    assert found == [chunk for chunk, _ in reciprocal_rank_fusion([lexical, dense])][:3]
    assert found[0] == 2
