"""Retrieval by words, by vectors and by both, and how coherent it is over a corpus."""

import json

import pytest

from agent.adf_state import Retrieval
from tools.corpus.corpus import Corpus
from tools.retrieval import ETA, reciprocal_rank_fusion, retrieve, thresholds

pytestmark = pytest.mark.slow

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


def test_scores_are_sums_of_reciprocal_ranks_of_each_item_once() -> None:
    fused_ranks = dict(reciprocal_rank_fusion([[7, 7, 8], [8]]))
    assert fused_ranks == {8: 1 / (ETA + 2) + 1 / (ETA + 1), 7: 1 / (ETA + 1)}


def test_thresholds_of_a_broken_file_or_another_corpus_are_written_anew(corpus: Corpus) -> None:
    found = thresholds("calibrated", corpus, 10)
    kept = corpus.runs / "coherence.json"
    own = json.loads(kept.read_text(encoding="utf-8"))
    whole = {"another/10/hybrid": own[f"{corpus.digest}/10/hybrid"] | {"dispersion": 99.0}}
    broken = (b"", b"{", b"\xff\x00", b"[]", b'{"key": 1}', b'{"digest": "x", "thresholds": []}')
    for content in (*broken, b"[" * 100_000, json.dumps(whole).encode()):
        kept.write_bytes(content)
        assert thresholds("calibrated", corpus, 10) == found
        assert [file.name for file in corpus.runs.iterdir()] == ["coherence.json"]
