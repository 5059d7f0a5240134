"""One system's report, question by question."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from agent.answer import Answer
from evals.experiments.experiment import Arm, Cell, Measured, Result
from evals.names import DocumentNames
from evals.questions import Record
from evals.report import Asked, run_report
from evals.scores import Outcome, score

NAMES = DocumentNames(["a", "b"])
KEYS = (
    "id value gold precision recall f1 chunk_recall_filtered chunk_recall_judged judged_share "
    "calls input_tokens seconds status"
)


@pytest.fixture
def asked(record_of: Callable[..., Record], answer_of: Callable[..., Answer]) -> Sequence[Asked]:
    def one(name: str, predicted: Sequence[str]) -> Asked:
        gold = ["a", "b"]
        record = record_of(id=name, answer=gold, answer_count=2, gold_documents=gold)
        error = "" if predicted else "KeyError: 'x'"
        outcome = Outcome(answer=answer_of(predicted)) if predicted else Outcome(error=error)
        scored = {**score(record, outcome, NAMES, ())}
        place = Path()
        cell = Cell(
            collection="c", arm=Arm(name="main"), record=record, corpus=place, seed=0,
            replies=place, workspace=place,
        )  # fmt: skip
        return cell, Measured(Result(collection="c", arm="main", score=scored, error=error), 0.5)

    return [one("q1", ["a", "b"]), one("q2", ["a"]), one("q3", [])]


def test_the_json_has_exactly_these_keys_and_tells_errors(asked: Sequence[Asked]) -> None:
    told: Any = run_report(asked, "gold")
    assert set(told) == {"summary", "questions"}
    assert [list(question) for question in told["questions"]] == [KEYS.split()] * 3
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert told["summary"]["errors"] == {"q3": "KeyError: 'x'"}
    assert told["questions"][2]["status"] == "error"
    assert told["summary"]["total"]["recall"]["value"] == pytest.approx((1 + 0.5 + 0) / 3)
    assert told["summary"]["total"]["relative_error"]["value"] is None
