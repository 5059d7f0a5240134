"""`headcount records induce | show | edit | fill`."""

import json
from pathlib import Path

import pytest

from tests.graphs.apps.conftest import Run
from tools.corpus.build import BuildSettings, build
from tools.records.schema_file import load_schema

SHIPS = "kinds:\n  boat:\n    grain: row\n    attributes:\n      name: {type: text}\n"


@pytest.fixture
def harbours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(40):
        rows = "\n".join(
            f"Boat record {n}: name is Boat {n}{number}, length is {n + 7} and flag is Malta."
            for n in range(1, 6)
        )
        (pages / f"harbour-{number:02}.txt").write_text(f"# Boats\n{rows}\n", encoding="utf-8")
    build([pages], tmp_path / "h.corpus", settings=BuildSettings())
    return tmp_path / "h.corpus"


def test_a_schema_is_drawn_up_filled_and_shown(harbours: Path, run: Run) -> None:
    drawn = run("records", "induce", harbours)
    assert drawn.exit_code == 0
    assert "boat (row): name, length, flag" in drawn.stdout
    assert "propose (group 1): added boat.name" in drawn.stderr
    filled = run("records", "fill", harbours)
    assert filled.exit_code == 0
    assert "40 documents read, 200 records" in filled.stdout
    shown = run("records", "show", harbours)
    assert "boat (row, 200 records of 40 documents)" in shown.stdout
    assert "length" in shown.stdout
    assert "8 to 12, mean 10" in shown.stdout
    assert (
        "0 documents read, 0 records; 40 had not changed" in run("records", "fill", harbours).stdout
    )


def test_json_tells_the_same(harbours: Path, run: Run) -> None:
    drawn = json.loads(run("records", "induce", harbours, "--json").stdout)
    assert [each["name"] for each in drawn["schema"]["kinds"]] == ["boat"]
    assert drawn["history"][0]["step"] == "propose"
    filled = json.loads(run("records", "fill", harbours, "--json").stdout)
    assert (filled["read"], filled["records"], filled["failed"]) == (40, 200, [])
    shown = json.loads(run("records", "show", harbours, "--json").stdout)
    assert shown["documents"] == {"corpus": 40, "read": 40}
    assert shown["tables"][0]["rows"] == 200
    assert shown["current"]


def test_a_schema_is_never_replaced_unasked(harbours: Path, run: Run) -> None:
    run("records", "induce", harbours)
    place = harbours / "records" / "schema.yaml"
    before = place.read_text(encoding="utf-8")
    again = run("records", "induce", harbours)
    assert again.exit_code == 1
    assert "already" in again.stderr
    assert place.read_text(encoding="utf-8") == before
    assert run("records", "induce", harbours, "--replace").exit_code == 0


def test_a_given_schema_is_taken(harbours: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "gold.yaml").write_text(SHIPS, encoding="utf-8")
    assert run("records", "induce", harbours, "--schema", tmp_path / "gold.yaml").exit_code == 0
    (kind,) = load_schema(harbours / "records" / "schema.yaml").kinds
    assert [each.name for each in kind.attributes] == ["name"]
    (tmp_path / "gold.yaml").write_text(SHIPS.replace("text", "txt"), encoding="utf-8")
    wrong = run("records", "induce", harbours, "--replace", "--schema", tmp_path / "gold.yaml")
    assert wrong.exit_code == 1
    assert "line 5" in wrong.stderr


def test_a_limit_ends_with_exit_code_4_and_the_next_call_goes_on(harbours: Path, run: Run) -> None:
    run("records", "induce", harbours)
    stopped = run("records", "fill", harbours, "--max-calls", 35)
    assert stopped.exit_code == 4
    assert "left: 5 documents" in stopped.stderr
    assert "35 documents read" in stopped.stdout
    assert "5 documents read" in run("records", "fill", harbours).stdout


def test_an_estimate_spends_and_writes_nothing(harbours: Path, run: Run) -> None:
    told = run("records", "induce", harbours, "--estimate", "--model", "some-model")
    assert told.exit_code == 0
    assert told.stdout.startswith("some-model: 8 to 17 calls, ")
    assert not (harbours / "records" / "schema.yaml").exists()
    run("records", "induce", harbours)
    told = run("records", "fill", harbours, "--estimate", "--model", "some-model", "--json")
    assert json.loads(told.stdout)["low"]["model_calls"] == 40
    assert "cannot write records" in run("records", "fill", harbours, "--estimate").stderr


def test_before_there_is_a_schema_everything_says_how_to_get_one(harbours: Path, run: Run) -> None:
    for command in ("fill", "show", "edit"):
        done = run("records", command, harbours)
        assert done.exit_code == 1
        assert "headcount records induce" in done.stderr


def test_an_edited_schema_takes_its_place_only_when_it_is_valid(
    harbours: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    run("records", "induce", harbours)
    place = harbours / "records" / "schema.yaml"
    before = place.read_text(encoding="utf-8")
    monkeypatch.setenv("EDITOR", "sed -i s/integer/whole/")
    wrong = run("records", "edit", harbours)
    assert wrong.exit_code == 1
    assert "boat.length.type" in wrong.stderr
    assert "draft is kept" in wrong.stderr
    assert place.read_text(encoding="utf-8") == before
    monkeypatch.setenv("EDITOR", "sed -i s/whole/number/")
    assert "changed" in run("records", "edit", harbours).stdout
    length = load_schema(place).kinds[0].attribute("length")
    assert length is not None
    assert length.type == "number"
    monkeypatch.setenv("EDITOR", "rm")
    assert "the editor removed the draft" in run("records", "edit", harbours).stderr


def test_without_an_editor_one_is_asked_for(
    harbours: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    run("records", "induce", harbours)
    assert "EDITOR" in run("records", "edit", harbours).stderr


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("\n\n", "has no questions"),
        ('{"question": 1}\n', "line 1: there is no `question`"),
        ("How many?\n{\n", "line 2: not valid JSON"),
    ],
    ids=["empty", "no question", "broken"],
)
def test_a_file_of_questions_that_cannot_be_used_is_one_line(
    text: str, complaint: str, harbours: Path, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "asked").write_text(text, encoding="utf-8")
    done = run("records", "induce", harbours, "--questions", tmp_path / "asked")
    assert done.exit_code == 1
    assert complaint in done.stderr


def test_documents_with_nothing_in_common_have_no_schema(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "a.txt").write_text("Once upon a time a miller had three sons.\n", encoding="utf-8")
    (pages / "b.txt").write_text("It rained, and nobody went out to sea.\n", encoding="utf-8")
    build([pages], tmp_path / "t.corpus", settings=BuildSettings())
    done = run("records", "induce", tmp_path / "t.corpus")
    assert done.exit_code == 1
    assert "nothing in common" in done.stderr
