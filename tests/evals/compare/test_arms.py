"""Systems are put side by side in one run that can be reported."""

from pathlib import Path

from evals.experiments.experiment import Collection
from evals.experiments.run_folder import load_run
from tests.evals.question_files import invoked


def test_systems_stand_side_by_side(letters: Collection, tmp_path: Path) -> None:
    systems = "compare systems main naive-rag-5 llm-only"
    told = invoked(systems, letters, "--into", tmp_path / "run", "--sample", 2)
    assert told.exit_code == 0, told.stderr
    assert "questions: each arm minus main" in told.stdout
    run = load_run(tmp_path / "run")
    assert [arm.system for arm in run.plan.arms] == ["main", "naive-rag-5", "llm-only"]
    recall = {each.arm: each.figure("chunk_recall_filtered") for each in run.measured}
    assert recall["main"] == 1.0
    assert recall["llm-only"] == 0.0
