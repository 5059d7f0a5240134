"""The thresholds kept beside a corpus's runs; here, where the fixtures of a corpus are."""

import pytest

from tools.calibration import thresholds_of
from tools.corpus.corpus import Corpus


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\x00", b"[]", b'{"key": 1}'],
    ids=["empty", "cut", "bytes", "list", "other"],
)
def test_a_broken_file_is_written_anew(corpus: Corpus, content: bytes) -> None:
    found = thresholds_of(corpus, 10)
    kept = corpus.runs / "coherence.json"
    kept.write_bytes(content)
    assert thresholds_of(corpus, 10) == found
    assert [file.name for file in corpus.runs.iterdir()] == ["coherence.json"]
