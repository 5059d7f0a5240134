import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evals.cli import app
from evals.validation.checking import faults_in

TEXT = "Title: A\nStatus: Final\n\nWe use mypy here.\n"
OTHER = "Title: B\nStatus: Draft\n\nNothing is used here.\n"
ADDED = "A letter without any of it.\n"


def record(**changes: Any) -> dict[str, Any]:
    status = {"kind": "field", "field": "Status", "value": "Final"}
    mention = {"kind": "mention", "term": "mypy"}
    told = {
        "id": "expanded-001",
        "corpus": "expanded",
        "question": "How many documents have the status “Final” and mention “mypy”?",
        "conditions": [
            {"label": "s", "text": "have the status “Final”", "rule": status},
            {"label": "m", "text": "mention “mypy”", "rule": mention},
        ],
        "logic": "AND",
        "answer": ["one"],
        "answer_count": 1,
        "gold_documents": ["one"],
        "borderline_documents": [],
        "gold_evidence": [
            {"document": "one", "start": 9, "end": 22, "text": "Status: Final", "condition": "s"},
            {"document": "one", "start": 31, "end": 35, "text": "mypy", "condition": "m"},
        ],
    }
    return {**told, **changes}


def written(place: Path, records: list[dict[str, Any]], added: str = ADDED) -> Path:
    texts = {"one": TEXT, "two": OTHER, "added/three": added}
    for name, text in texts.items():
        file = place / "expanded" / f"{name}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    lines = "".join(json.dumps(each) + "\n" for each in records)
    (place / "expanded.jsonl").write_text(lines, encoding="utf-8")
    return place


def test_a_sound_folder_has_no_fault(tmp_path: Path) -> None:
    assert faults_in(written(tmp_path, [record()])) == (1, [])


EVIDENCE = record()["gold_evidence"]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"gold_evidence": [EVIDENCE[0], {**EVIDENCE[1], "end": 34}]}, "is 'myp', not 'mypy'"),
        ({"gold_evidence": [EVIDENCE[0], {**EVIDENCE[1], "end": 999}]}, "lies outside"),
        ({"gold_evidence": [EVIDENCE[0]]}, "'one' has no evidence for 'm'"),
        ({"gold_evidence": []}, "gold document 'one' has no evidence"),
        ({"gold_evidence": [*EVIDENCE, {**EVIDENCE[0], "condition": "x"}]}, "is no condition"),
        ({"answer_count": 2}, "answer_count is 2, the answer has 1 names"),
        ({"answer": ["one", "one"], "answer_count": 2}, "names 'one' twice"),
        ({"answer": [], "answer_count": 0, "gold_documents": []}, "nothing satisfies it"),
        ({"gold_documents": ["one", "four"]}, "document 'four' is not there"),
        ({"borderline_documents": ["one"]}, "'one' is both gold and borderline"),
        ({"borderline_documents": ["two"]}, "'two' is borderline, but code decides it is not"),
        ({"logic": "OR", "answer": ["one", "two"], "answer_count": 2}, "'two' is answer, but code"),
        ({"logic": "XOR"}, "code cannot decide it again: logic"),
        ({"logic": "single"}, "its logic is 'single', of 2 conditions"),
        ({"answer": None}, "code cannot decide it again: answer"),
        (
            {"conditions": [{"text": "mention “mypy”", "rule": {"kind": "guess"}}]},
            "code cannot decide it again: conditions.0.rule",
        ),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_each_fault_is_named(tmp_path: Path, changes: dict[str, Any], fault: str) -> None:
    _, faults = faults_in(written(tmp_path, [record(**changes)]))
    assert any(fault in str(each) for each in faults)
    assert {each.question for each in faults} == {"expanded-001"}


@pytest.mark.parametrize("leak", ["It runs mypy twice.\n", "See https://mypy.example\n"])
def test_an_added_document_that_satisfies_a_condition_is_a_leak(tmp_path: Path, leak: str) -> None:
    _, faults = faults_in(written(tmp_path, [record()], leak))
    assert "added document 'added/three' may mention “mypy”" in [each.text for each in faults]


def test_a_question_that_is_asked_twice_is_a_fault(tmp_path: Path) -> None:
    _, faults = faults_in(written(tmp_path, [record(), record(id="expanded-002")]))
    assert [str(each) for each in faults] == [
        "expanded.jsonl expanded-002: asks what expanded-001 asks"
    ]


def test_a_file_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    place = written(tmp_path, [record()])
    (place / "expanded.jsonl").write_text("{", encoding="utf-8")
    _, faults = faults_in(place)
    assert "is not a question" in faults[0].text


@pytest.mark.parametrize(
    ("changes", "code", "told"), [({}, 0, "have no fault"), ({"answer_count": 7}, 1, "1 faults")]
)
def test_the_exit_code_tells_faults(
    tmp_path: Path, changes: dict[str, Any], code: int, told: str
) -> None:
    place = written(tmp_path, [record(**changes)])
    result = CliRunner().invoke(app, ["build", "validate", str(place)])
    assert result.exit_code == code
    assert told in result.output


def test_what_no_builder_wrote_cannot_be_checked(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["build", "validate", str(tmp_path)])
    assert result.exit_code == 1
    assert "has no questions" in result.stderr
