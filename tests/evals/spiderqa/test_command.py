import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from evals.commands import app
from evals.questions import load

ASKED = [
    ("ships", "How many ships are there?", "SELECT count(*) FROM Ship"),
    ("ships", "Count the ships.", "select COUNT( * ) from ship ;"),
    ("ships", "How many  SHIPS are there?", "SELECT count(Ship_ID) FROM Ship"),
    ("ships", "What is the total tonnage?", "SELECT sum(Tonnage) FROM Ship"),
    ("ships", "What is the mean tonnage?", "SELECT avg(Tonnage) FROM Ship"),
    ("ships", "Which ships are brigs?", "SELECT Name FROM Ship WHERE Kind = 'Brig'"),
    ("copy", "How many battles are there?", "SELECT count(*) FROM Battle"),
    ("copy", "How many ships are there?", "SELECT count(*) FROM Ship"),
    ("towns", "How many towns are there?", "SELECT count(*) FROM town"),
    ("gone", "How many are gone?", "SELECT count(*) FROM gone"),
]


@pytest.fixture
def asked(tmp_path: Path, ships: Path, make: Callable[[str, str], Path]) -> Path:
    make("towns", "CREATE TABLE town (name TEXT); INSERT INTO town VALUES ('Lyon'), ('Graz');")
    copy = ships.parents[1] / "copy" / "copy.sqlite"
    copy.parent.mkdir()
    copy.write_bytes(ships.read_bytes())
    path = tmp_path / "dev.json"
    rows = [{"db_id": db, "question": text, "query": sql, "toks": []} for db, text, sql in ASKED]
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def converted(databases: Path, asked: Path, into: Path, *more: str) -> Result:
    given = ["--databases", str(databases), "--questions", str(asked), "--into", str(into)]
    return CliRunner().invoke(app, ["build", "spiderqa", *given, *more])


def rejected(into: Path) -> dict[tuple[str, str], str]:
    lines: list[dict[str, Any]] = [
        json.loads(line) for line in (into / "rejected.jsonl").read_text("utf-8").splitlines()
    ]
    return {(each["db_id"], each["question"]): each["why"] for each in lines}


def test_a_query_is_asked_once_and_its_other_wordings_are_paraphrases(
    databases: Path, asked: Path, tmp_path: Path
) -> None:
    into = tmp_path / "made"
    converted(databases, asked, into)
    questions = load(into / "questions.jsonl")
    assert {each.question: each.gold for each in questions} == {
        "How many ships are there?": 5,
        "What is the total tonnage?": 896.5,
        "What is the mean tonnage?": 224.125,
    }
    line = json.loads((into / "questions.jsonl").read_text("utf-8").splitlines()[1])
    assert line["question"] == "How many ships are there?"
    assert line["paraphrases"] == ["Count the ships."]


def test_the_kinds_come_in_turn_and_no_database_has_more_than_its_share(
    databases: Path, asked: Path, tmp_path: Path
) -> None:
    into = tmp_path / "made"
    converted(databases, asked, into, "--per-database", "2", "--fewest", "1")
    kinds = [(each.db_id, each.aggregation) for each in load(into / "questions.jsonl")]
    assert kinds == [("ships", "avg"), ("ships", "count"), ("towns", "count")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "no questions in Spider's format"),
        ('[{"db_id": "ships"}]', "no questions in Spider's format"),
        ('{"db_id": "gone", "question": "?", "query": "SELECT 1"}', "none of 1 questions"),
    ],
)
def test_what_cannot_be_converted_is_told_in_a_line(
    databases: Path, ships: Path, tmp_path: Path, text: str, told: str
) -> None:
    asked = tmp_path / "dev.json"
    asked.write_text(text, encoding="utf-8")
    result = converted(databases, asked, tmp_path / "made")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: ")
    assert told in result.stderr


def test_a_folder_that_is_not_empty_is_left_alone(
    databases: Path, asked: Path, tmp_path: Path
) -> None:
    result = converted(databases, asked, tmp_path)
    assert result.exit_code == 1
    assert "not empty" in result.stderr
