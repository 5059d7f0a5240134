import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from agent.answer import Answer
from evals.baseline import GRID, Baseline
from evals.comparison import compare
from evals.names import DocumentNames
from evals.outcome import Outcome
from evals.questions import Record
from evals.report import report
from evals.run import Asked
from evals.scores import score
from evals.summary import by_kind, summarise
from evals.tables import comparison_table, kinds_table, markdown, questions_table, total_table

NAMES = DocumentNames(["a", "b"])
KEYS = (
    "id value gold precision recall f1 chunk_recall_filtered chunk_recall_judged judged_share "
    "calls input_tokens seconds status"
)


@pytest.fixture
def asked(record_of: Callable[..., Record], answer_of: Callable[..., Answer]) -> Sequence[Asked]:
    def one(name: str, predicted: Sequence[str], *, k: int, **fields: Any) -> Asked:
        record = record_of(
            id=name, answer=["a", "b"], answer_count=2, gold_documents=["a", "b"], **fields
        )
        outcome = (
            Outcome(answer=answer_of(predicted)) if predicted else Outcome(error="KeyError: 'x'")
        )
        curve = {cut: 0.8 if cut == k else 0.1 for cut in GRID}
        return Asked(
            record=record,
            score=score(record, outcome, NAMES, ()),
            error=outcome.error,
            baseline=Baseline(curve, curve),
        )

    return [
        one("q1", ["a", "b"], k=5, decided_by="header", logic="single"),
        one("q2", ["a"], k=10, decided_by="body", logic="single"),
        one("q3", [], k=10, decided_by="body", aggregation="count"),
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


def test_the_baseline_has_one_cut_for_all_and_one_for_each_kind(asked: Sequence[Asked]) -> None:
    found = compare(asked)
    assert found is not None
    everything, body, header = found.rows
    assert (everything.kind, everything.n, everything.chunks_k) == ("all", 3, 10)
    assert (body.kind, body.chunks_k) == ("body", 10)
    assert body.chunks == body.chunks_own == pytest.approx(0.8)
    assert (header.chunks, header.chunks_own, header.chunks_k) == (0.1, 0.8, 5)
    assert body.f1 == pytest.approx((2 / 3 + 0) / 2)


def test_without_a_baseline_nothing_is_compared(asked: Sequence[Asked]) -> None:
    bare = [Asked(record=each.record, score=each.score) for each in asked]
    told: Any = report(bare, "rules")
    assert compare(bare) is None
    assert told["summary"]["baseline"] is None


def test_tables_have_a_row_each(asked: Sequence[Asked]) -> None:
    comparison = compare(asked)
    assert comparison is not None
    assert len(questions_table(asked).splitlines()) == 2 + 3
    assert "| f1 " in total_table(asked)
    assert "decided_by: body" in kinds_table(asked)
    assert "0.800 (k=5)" in comparison_table(comparison)


def test_a_table_is_aligned() -> None:
    lines = markdown(["name", "n"], [["a", "10"], ["longer", "2"]]).splitlines()
    assert lines[0] == "| name   |  n |"
    assert len({len(line) for line in lines}) == 1
