"""The way by which `headcount ask` answers, chosen by a flag."""

import json
from pathlib import Path

import pytest

from tests.graphs.apps.conftest import Run

Q = "How many leases have a deposit above 1000?"


@pytest.fixture
def sheets(tmp_path: Path, run: Run) -> Path:
    """A corpus of short sheets: their lines are records that the embedded rules can read."""
    folder = tmp_path / "sheets"
    folder.mkdir()
    for number in range(12):
        town = ("Lund", "Ystad")[number % 2]
        text = f"# Lease {number}\n\nTown: {town}\nDeposit: {500 + 100 * number}\nFloor: {number}\n"
        (folder / f"lease-{number:02}.txt").write_text(text, encoding="utf-8")
    place = tmp_path / "sheets.corpus"
    assert run("index", folder, "--into", place).exit_code == 0
    return place


def test_records_that_nobody_made_are_refused_where_they_are_asked_for(
    place: Path, run: Run
) -> None:
    done = run("ask", place, "How many leases allow a pet?", "--route", "records")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "records" in done.stderr


def test_texts_are_read_where_they_are_asked_for(sheets: Path, run: Run) -> None:
    done = run("ask", sheets, Q, "--json", "--route", "text")
    assert done.exit_code == 0
    assert "select" not in {each["tool"] for each in json.loads(done.stdout)["snapshots"]}
    assert "route: text" in done.stderr


def test_a_way_that_there_is_not_is_a_usage_error(place: Path, run: Run) -> None:
    assert run("ask", place, Q, "--route", "guess").exit_code == 2
