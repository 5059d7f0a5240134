"""A corrected number holds as often as it says; a normal interval does not."""

from pathlib import Path

import numpy as np
import pytest

from evals.compare.review_trials import check, prediction_powered, simulate
from tests.evals.question_files import invoked, written

TRUE = np.arange(60) < 12


def test_who_checks_everything_knows_the_number():
    said = ~TRUE
    assert check(TRUE, said, 60, seed=1) == (12, 12)
    assert prediction_powered(TRUE, said, 30, seed=1) == pytest.approx((12, 12))


def test_a_sample_without_an_error_leaves_no_width_to_the_normal_interval():
    low, high = prediction_powered(TRUE, TRUE, 5, seed=1)
    assert low == high
    assert check(TRUE, TRUE, 5, seed=1)[1] > 12


def test_the_interval_holds_where_a_model_errs():
    found = simulate([TRUE], misses=0.2, alarms=0.05, sizes=[8], seeds=100)["8"]
    assert found["held"] >= 0.95
    assert found["normal held"] < found["held"]
    assert 0 < found["width"] < 60


def test_the_command_needs_answers_of_documents(tmp_path: Path):
    asked = written(tmp_path, {"a.txt": "A pet."}, {"id": "a", "question": "?", "corpus": "docs"})
    done = invoked("compare review", asked)
    assert done.exit_code == 1
    assert "has documents of" in done.output
