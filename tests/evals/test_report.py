import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from agent.answer import Answer
from evals.names import DocumentNames
from evals.question_run import Asked, by_kind, report, summarise
from evals.questions import Record
from evals.scores import Outcome, score
from evals.tables import markdown

NAMES = DocumentNames(["a", "b"])
KEYS = (
    "id value gold precision recall f1 chunk_recall_filtered chunk_recall_judged judged_share "
    "calls input_tokens seconds status"
)


@pytest.fixture
def asked(record_of: Callable[..., Record], answer_of: Callable[..., Answer]) -> Sequence[Asked]:
    def one(name: str, predicted: Sequence[str], **fields: Any) -> Asked:
        record = record_of(
            id=name, answer=["a", "b"], answer_count=2, gold_documents=["a", "b"], **fields
        )
        outcome = (
            Outcome(answer=answer_of(predicted)) if predicted else Outcome(error="KeyError: 'x'")
        )
        return Asked(
            record=record,
            score=score(record, outcome, NAMES, ()),
            error=outcome.error,
        )

    return [
        one("q1", ["a", "b"], decided_by="header", logic="single"),
        one("q2", ["a"], decided_by="body", logic="single"),
        one("q3", [], decided_by="body", aggregation="count"),
    ]


def test_the_questions_of_the_json_have_exactly_these_keys(asked: Sequence[Asked]) -> None:
    told: Any = report(asked, "rules")
    assert set(told) == {"summary", "questions"}
    assert [list(question) for question in told["questions"]] == [KEYS.split()] * 3


def test_the_report_is_json(asked: Sequence[Asked]) -> None:
    told = report(asked, "rules")
    assert json.loads(json.dumps(told, allow_nan=False)) == told


def test_an_error_is_counted_and_told(asked: Sequence[Asked]) -> None:
    told: Any = report(asked, "rules")
    assert told["summary"]["errors"] == {"q3": "KeyError: 'x'"}
    assert told["questions"][2]["status"] == "error"
    assert told["summary"]["total"]["recall"]["value"] == pytest.approx((1 + 0.5 + 0) / 3)


def test_the_summary_is_told_by_kind_of_question(asked: Sequence[Asked]) -> None:
    told: Any = report(asked, "rules")
    by = told["summary"]["by"]
    assert set(by) == {"aggregation", "logic", "decided_by"}
    assert by["decided_by"]["header"]["f1"]["value"] == 1.0
    assert by["decided_by"]["body"]["f1"]["n"] == 2


def test_kinds_are_ordered_by_size_and_the_unstated_named(asked: Sequence[Asked]) -> None:
    assert list(by_kind(asked, "logic")) == ["single", "not stated"]
    assert list(by_kind(asked, "decided_by")) == ["body", "header"]


def test_an_undefined_figure_has_no_value(asked: Sequence[Asked]) -> None:
    assert summarise(asked)["relative_error"].value is None
    assert summarise(asked)["exact"].value == pytest.approx(1 / 3)


def test_a_table_is_aligned() -> None:
    lines = markdown(["name", "n"], [["a", "10"], ["longer", "2"]]).splitlines()
    assert lines[0] == "| name   |  n |"
    assert len({len(line) for line in lines}) == 1
