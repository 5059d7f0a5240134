import pytest

from evals.benchmarks.bit_flips import trial


@pytest.mark.slow
def test_no_flipped_bit_changes_an_answer() -> None:
    found = trial(flips=70, seed=7)
    assert found["refused"] + found["same answer"] == found["flips"] == 70
    assert found["refused"] > found["same answer"]
