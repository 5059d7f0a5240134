"""The page holds everything and asks nobody for anything; the same runs give the same bytes."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.errors import SettingsError
from evals.cli import app
from evals.experiments.experiment import Experiment
from evals.experiments.running import run
from evals.reporting.writing import report_runs


class Reaching(HTMLParser):
    """Collects whatever a browser would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"script", "iframe", "link", "object", "embed"}:
            self.fetched.append(tag)
        self.fetched += [
            value or ""
            for name, value in attrs
            if name in {"src", "href", "srcset", "action"} and not (value or "").startswith("#")
        ]


@pytest.fixture
def folder(experiment: Experiment, tmp_path: Path) -> Path:
    run(experiment, tmp_path / "run", tmp_path / "place", lambda line: None)
    return tmp_path / "run"


def test_a_report_has_all_its_files_and_a_page_of_its_own(folder: Path, tmp_path: Path) -> None:
    written = report_runs([folder], tmp_path / "report")
    names = {place.name for place in written}
    assert {"index.html", "tables.md", "letters-quality.tex", "letters-reading.svg"} <= names
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    reaching = Reaching()
    reaching.feed(page)
    assert reaching.fetched == []
    assert not re.search(r"url\(|@import", page)
    assert "letters: each arm minus headcount" in page
    assert page.count("<svg") == 4
    assert str(tmp_path) not in page


def test_the_same_run_gives_the_same_report(folder: Path, tmp_path: Path) -> None:
    one, two = (report_runs([folder], tmp_path / name) for name in ("one", "two"))
    assert [each.read_bytes() for each in one] == [each.read_bytes() for each in two]


def test_the_command_prints_where_the_page_is(folder: Path, tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["report", str(folder), "--into", str(tmp_path / "report")])
    assert told.exit_code == 0
    assert Path(told.stdout.strip()) == tmp_path / "report" / "index.html"


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="holds no run"):
        report_runs([tmp_path], tmp_path / "report")
    told = CliRunner().invoke(app, ["report", str(tmp_path), "--into", str(tmp_path / "report")])
    assert told.exit_code == 1
    assert "holds no run" in told.stderr


def test_a_torn_run_without_its_journal_is_refused_in_one_line(
    folder: Path, tmp_path: Path
) -> None:
    (folder / "journal.sqlite").unlink()
    with (folder / "results.jsonl").open("a", encoding="utf-8") as results:
        results.write('{"arm": ')
    with pytest.raises(SettingsError, match=r"the run .* cannot be read"):
        report_runs([folder], tmp_path / "report")
