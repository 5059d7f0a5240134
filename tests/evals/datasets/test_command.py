"""headcount-eval build."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from evals.commands import app


def test_build_writes_a_folder(tmp_path: Path) -> None:
    into = tmp_path / "set"
    asked = ["build", "hotels", "--into", str(into), "--documents", "5", "--questions", "4"]
    result = CliRunner().invoke(app, asked)
    assert result.exit_code == 0
    assert "5 documents with 4 questions" in result.output
    assert {each.name for each in into.iterdir()} == {
        "docs", "questions.jsonl", "schema.yaml", "records.jsonl", "recipe.json",
    }  # fmt: skip


def test_several_domains_make_a_mixed_collection(tmp_path: Path) -> None:
    into = tmp_path / "set"
    asked = ["build", "hotels", "worldcup", "--into", str(into), "--documents", "3"]
    result = CliRunner().invoke(app, [*asked, "--questions", "2"])
    assert "6 documents with 4 questions" in result.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["hotels", "castles"], "there is no domain"),
        (["hotels", "--style", "verse"], "there is no style"),
    ],
)
def test_what_is_not_there_is_told_in_a_line(
    tmp_path: Path, arguments: list[str], told: str
) -> None:
    result = CliRunner().invoke(app, ["build", *arguments, "--into", str(tmp_path / "set")])
    assert result.exit_code == 1
    assert result.stderr.startswith("error: ")
    assert told in result.stderr
