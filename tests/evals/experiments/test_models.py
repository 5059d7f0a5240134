"""A model's questions share one cache: a second run of the same asks nobody anything."""

from pathlib import Path
from typing import Any

import pytest

from evals.experiments.arm import Arm
from evals.experiments.collection import Collection
from evals.experiments.experiment import Experiment
from evals.experiments.running import run
from tests.fake_provider.server import FakeProvider


def _three(text: str, body: dict[str, Any]) -> dict[str, Any]:
    return {"reason": "counted", "items": [], "value": 3.0, "unit": None}


def test_replies_are_paid_for_once_and_the_results_are_the_same(
    letters: Collection, tmp_path: Path, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADCOUNT_BASE_URL", provider.url)
    monkeypatch.setenv("HEADCOUNT_API_KEY", "a-key")
    provider.answer = _three
    arms = (Arm(name="rag", system="naive-rag-5", reasoner="reader"),)
    asked = Experiment(name="test", arms=arms, collections=(letters,))
    first = run(asked, tmp_path / "one", tmp_path / "place", lambda line: None, jobs=3)
    paid = provider.calls
    assert 1 <= paid <= 3
    again = run(asked, tmp_path / "two", tmp_path / "place", lambda line: None, jobs=3)
    assert provider.calls == paid
    run(asked, tmp_path / "three", tmp_path / "place", lambda line: None)
    recorded = [(tmp_path / name / "results.jsonl").read_bytes() for name in ("two", "three")]
    assert recorded[0] == recorded[1]
    for done in (first, again):
        assert [each.result.score["value"] for each in done.measured] == [3, 3, 3]
        assert [each.result.error for each in done.measured] == [""] * 3
