import json
from pathlib import Path
from typing import Any

import pytest

from evals.commands import measuring
from evals.experiments.experiment import Collection
from tests.evals.question_files import invoked, stated, written

DOCUMENTS = {
    "red": "Colour: Red\n\nThe walls were painted last year and mention Kotlin once.\n",
    "blue": "Colour: Blue\n\nNothing of note is said of this wall at all.\n",
    "crimson": "Colour: Red\n\nThe doors were painted this year.\n",
}


@pytest.fixture
def walls(tmp_path: Path) -> Collection:
    record = {
        "id": "q1",
        "question": "How many documents mention Kotlin?",
        "conditions": [{"text": "mentions Kotlin"}],
        "answer": ["red"],
        "gold_documents": ["red"],
        "gold_evidence": [stated("red", DOCUMENTS["red"], "mention Kotlin")],
    }
    return written(tmp_path, {f"{name}.txt": text for name, text in DOCUMENTS.items()}, record)


@pytest.mark.parametrize("reasoner", ["skill:0", "gold"])
def test_a_file_of_questions_is_asked_and_measured(
    walls: Collection, reasoner: str, tmp_path: Path
) -> None:
    out = tmp_path / "out.json"
    done = invoked("run", walls, "--reasoner", reasoner, "--json", out)
    assert done.exit_code == 0, done.output
    told: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    (question,) = told["questions"]
    assert (question["status"], question["f1"], question["value"]) == ("answered", 1.0, 1)
    assert question["chunk_recall_filtered"] == 1.0
    assert told["summary"]["total"]["f1"]["value"] == 1.0
    assert "| f1 " in done.stdout
    assert "1/1 q1" in done.stderr


def test_indexes_and_runs_are_kept_where_asked(walls: Collection, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    assert invoked("run", walls, "--keep", kept).exit_code == 0
    assert [path.suffix for path in kept.iterdir()] == [".corpus"]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        pytest.param(["--documents", "nowhere"], "not a folder", id="documents"),
        pytest.param(["--json", "nowhere/out.json"], "existing folder", id="json"),
        pytest.param(["--questions", "nowhere"], "cannot read the questions", id="questions"),
        pytest.param(["--system", "naive-rag"], "choose one of main, analyst", id="system"),
        pytest.param(
            ["--system", "naive-rag-5", "--reasoner", "lexical"],
            "choose --reasoner gold",
            id="lexical",
        ),
        pytest.param(["--reasoner", "skill:2"], "write skill:0.1", id="skill"),
    ],
)
def test_a_wrong_argument_ends_with_one_line(walls: Collection, more: list[str], told: str) -> None:
    done = invoked("run", walls, *more)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("error: ")
    assert told in done.stderr


def test_a_store_of_the_settings_is_said_to_keep_nothing_of_an_evaluation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    with measuring(None, tmp_path):
        assert capsys.readouterr().err == ""
    monkeypatch.setenv("HEADCOUNT_STORE", "postgresql://jo:s3cret@db.example/team")
    with measuring(None, tmp_path):
        told = capsys.readouterr().err
    assert "not in the store" in told
    assert "s3cret" not in told
