import mmap

import pytest

from evals.benchmarks.bit_flips import trial


@pytest.mark.slow
@pytest.mark.parametrize("block", [1 << 22, mmap.ALLOCATIONGRANULARITY], ids=["one", "many"])
def test_no_flipped_bit_changes_an_answer(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.corpus.checksums._BLOCK", block)
    found = trial(flips=70, seed=7)
    assert found["refused"] + found["same answer"] == found["flips"] == 70
    assert found["refused"] > found["same answer"]
