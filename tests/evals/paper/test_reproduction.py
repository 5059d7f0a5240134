"""One command makes every table of a plan, says what failed, and does nothing twice."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from evals.ablate.variants import VARIANTS
from evals.cli import app
from evals.experiments.folder import load_run
from evals.paper.budgets import EQUAL
from tests.evals.letters import written

PLAN = """
reasoner = "skill:0.2"
[[collections]]
name = "letters"
title = "letters about a harbour"
questions = "questions.jsonl"
documents = "letters"
"""
CHAPTERS = ("methods", "budget", "skill", "batching", "depth", "filtering", "ablations")


def reproduced(root: Path) -> Result:
    return CliRunner().invoke(
        app,
        [
            "paper", "--documents", str(root), "--into", str(root / "report"),
            "--plan", str(root / "plan.toml"), "--jobs", "1",
        ],
    )  # fmt: skip


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("paper")
    written(place)
    chapters = "".join(
        f'[chapters.{name}]\ncollections = ["letters"]\nsample = 1\n' for name in CHAPTERS
    )
    (place / "plan.toml").write_text(PLAN + chapters)
    return place


@pytest.fixture(scope="module")
def first(root: Path) -> Result:
    return reproduced(root)


def tables(root: Path) -> str:
    return (root / "report" / "tables.md").read_text(encoding="utf-8")


def test_every_table_has_its_counterpart(root: Path, first: Result) -> None:
    assert first.exit_code == 0, first.stderr
    assert first.stdout.strip() == str(root / "report" / "index.html")
    told = tables(root)
    for number in (1, 2, 6, 7, 9):
        assert f"Counterpart of DFA, table {number}" in told
    for name in VARIANTS:
        if VARIANTS[name].group != "disambiguation":
            assert f"| {name} " in told
    assert "1 of 3 questions, drawn with seed 0." in told


def test_every_method_has_the_tokens_that_headcount_spent(root: Path, first: Result) -> None:
    assert first.exit_code == 0
    spent, equal = (
        load_run(root / "report.runs" / f"budget-{part}") for part in ("spent", "equal")
    )
    (whole,) = spent.measured
    allowed = {arm.name: arm.allowance for arm in equal.plan.arms}
    assert set(allowed) == {"headcount", "dfa", *EQUAL}
    for each in allowed.values():
        assert each is not None
        assert each.of("letters", whole.result.question, 0) == whole.result.tokens > 0
    assert "With a mean recall as high as headcount's or higher:" in tables(root)


def test_what_failed_is_told(root: Path, first: Result) -> None:
    assert first.exit_code == 0
    told = "records-alone: 1 of 1 questions failed and count as nothing found."
    assert tables(root).count(told) >= 3


def test_no_place_of_this_machine_is_told(root: Path, first: Result) -> None:
    assert first.exit_code == 0
    for place in (root / "report").iterdir():
        assert str(root) not in place.read_text(encoding="utf-8")


def test_given_again_it_measures_nothing_and_writes_the_same(root: Path, first: Result) -> None:
    assert first.exit_code == 0
    before = {place.name: place.read_bytes() for place in (root / "report").iterdir()}
    again = reproduced(root)
    assert again.exit_code == 0
    assert not re.search(r"^\d+/\d+ ", again.stderr, re.MULTILINE)
    assert {place.name: place.read_bytes() for place in (root / "report").iterdir()} == before


def test_a_folder_without_the_questions_is_one_line(root: Path, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text((root / "plan.toml").read_text())
    told = reproduced(tmp_path)
    assert told.exit_code == 1
    assert "letters' is not a folder of documents" in told.stderr
