"""The thresholds kept beside a corpus's runs; here, where the fixtures of a corpus are."""

import json

import pytest

from tools.corpus.corpus import Corpus
from tools.retrieval_coherence import thresholds


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\x00", b"[]", b'{"key": 1}', b'{"digest": "x", "thresholds": []}'],
    ids=["empty", "cut", "bytes", "list", "other", "of another kind"],
)
def test_a_broken_file_is_written_anew(corpus: Corpus, content: bytes) -> None:
    found = thresholds("calibrated", corpus, 10)
    kept = corpus.runs / "coherence.json"
    kept.write_bytes(content)
    assert thresholds("calibrated", corpus, 10) == found
    assert [file.name for file in corpus.runs.iterdir()] == ["coherence.json"]


def test_thresholds_of_another_state_of_the_corpus_are_not_used(corpus: Corpus) -> None:
    found = thresholds("calibrated", corpus, 10)
    kept = corpus.runs / "coherence.json"
    whole = json.loads(kept.read_text(encoding="utf-8"))
    whole["digest"] = "another"
    whole["thresholds"]["10/hybrid"]["dispersion"] = 99.0
    for bad in (json.dumps(whole), "[" * 100_000):
        kept.write_text(bad, encoding="utf-8")
        assert thresholds("calibrated", corpus, 10) == found
