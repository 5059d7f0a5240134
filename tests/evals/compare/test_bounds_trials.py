from pathlib import Path

import numpy as np
import pytest

from evals.compare.bounds_trials import (
    LOOKS,
    TARGET,
    Case,
    Judge,
    cases,
    check,
    prediction_powered,
    run_trial,
    simulate,
    simulate_checks,
)
from evals.questions import load
from evals.scopes import Corpora
from tests.evals.question_files import invoked, written

JUDGE = Judge(misses=0.13, alarms=0.001)


def _case(chunks: int, every: int) -> Case:
    generator = np.random.default_rng(every)
    relevant = generator.permutation(chunks) % every == 0
    scores = generator.random(chunks) + relevant * generator.random(chunks)
    return Case(
        relevant=relevant,
        scores=scores,
        document=tuple(chunk // 8 for chunk in range(chunks)),
    )


RARELY, OFTEN = _case(1200, 150), _case(800, 12)


def test_a_search_stops_when_its_target_is_proven_or_its_looks_are_used_up() -> None:
    for seed in range(20):
        bounds, _ = run_trial(OFTEN, JUDGE, 100, seed)
        assert len(bounds) == LOOKS or bounds[-1] >= TARGET
        assert all(each < TARGET for each in bounds[:-1])


@pytest.mark.parametrize("case", [RARELY, OFTEN], ids=["rarely", "often"])
def test_the_stated_bounds_hold_and_are_reported(case: Case) -> None:
    told: list[str] = []
    figures = simulate([case], JUDGE, [60], 40, told.append)["60"]
    assert figures["runs"] == 40
    assert min(figures["held"], figures["documents_held"]) >= 0.95
    assert figures["likely_held"] >= 0.8
    assert 0 < figures["likely_width"] < 100
    assert told == ["1 questions, 40 seeds, audits of 60 chunks"]


def test_a_question_without_a_relevant_chunk_or_over_another_folder_is_left_out(
    tmp_path: Path,
) -> None:
    evidence = [{"document": "a", "start": 0, "end": 3, "text": "red"}]
    asked = written(
        tmp_path,
        {"a.txt": "red walls, blue doors", "b.txt": "nothing is here", "c.txt": "nor is here"},
        {"id": "none", "question": "?", "corpus": "x/docs"},
        {"id": "beside", "question": "?", "corpus": "x/beside", "gold_evidence": evidence},
        {"id": "one", "question": "red", "corpus": "x/docs", "gold_evidence": evidence},
    )
    (tmp_path / "beside").mkdir()
    corpora = Corpora(tmp_path / "kept", print)
    (case,) = cases(load(asked.questions), asked.documents, corpora)
    assert case.document == (0, 1, 2)
    assert case.relevant.tolist() == [True, False, False]
    assert case.scores[0] > max(case.scores[1:]) == 0


TRUE = np.arange(60) < 12


def test_who_checks_everything_knows_the_number_and_a_sample_without_an_error_does_not():
    said = ~TRUE
    assert check(TRUE, said, 60, seed=1) == (12, 12)
    assert prediction_powered(TRUE, said, 30, seed=1) == pytest.approx((12, 12))
    low, high = prediction_powered(TRUE, TRUE, 5, seed=1)
    assert low == high
    assert check(TRUE, TRUE, 5, seed=1)[1] > 12


def test_the_interval_holds_where_a_model_errs():
    found = simulate_checks([TRUE], misses=0.2, alarms=0.05, sizes=[8], seeds=100)["8"]
    assert found["held"] >= 0.95
    assert found["normal held"] < found["held"]
    assert 0 < found["width"] < 60


def test_the_command_needs_answers_of_documents(tmp_path: Path):
    asked = written(tmp_path, {"a.txt": "A pet."}, {"id": "a", "question": "?", "corpus": "docs"})
    done = invoked("compare review", asked)
    assert done.exit_code == 1
    assert "has documents of" in done.output
