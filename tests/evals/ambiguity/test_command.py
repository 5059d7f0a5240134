import json
from pathlib import Path

import pytest

from evals.experiments.experiment import Collection
from tests.evals.question_files import invoked


def test_the_json_holds_what_other_programs_read(reports: Collection, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    result = invoked("ambiguity", reports, "--json", target)
    assert result.exit_code == 0, result.output
    told = json.loads(target.read_text(encoding="utf-8"))
    first, second = told["questions"]
    assert {"id", "question", "codes", "gold_codes", "asked", "readings"} <= first.keys()
    assert (first["gold_codes"], second["gold_codes"]) == (["A1"], [])
    assert (second["codes"], second["asked"], second["rewriting"]) == ([], False, [])
    summary = told["summary"]
    assert (summary["n"], summary["controls"], summary["false_alarms"]) == (2, 1, 0)
    assert summary["errors"] == {}
    assert set(summary["codes"]["A1"]) == {"n", "found", "accuracy", "precision", "recall", "f1"}
    assert summary["rewriting"]["readings"] == 2


def test_when_every_question_fails_the_exit_code_says_so(
    reports: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr("evals.ambiguity.clarification.find", broken)
    result = invoked("ambiguity", reports)
    assert result.exit_code == 1
    assert "every question failed, the first with RuntimeError: out of order" in result.stderr
