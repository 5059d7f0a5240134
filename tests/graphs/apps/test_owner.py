"""Who owns what is made, what a read-only corpus gives, and how much one may ask."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import Run, make_read_only
from tests.graphs.apps.replies import doubting
from tests.integration.reader import QUOTE
from tools.corpus import corpus as corpora

Q = "How many leases allow the tenant to keep a pet?"
Flags = tuple[str, ...]


def test_only_the_owner_may_read_what_is_made(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text(QUOTE)
    made = tmp_path / "made"
    made.mkdir()
    for words in (
        ("index", "../texts", "--into", "x.corpus"),
        ("ask", "x.corpus", "How many documents mention dog?"),
        ("report", "x.corpus"),
    ):
        command = [sys.executable, "-c", "from graphs.apps.main import main; main()", *words]
        root = str(Path(__file__).parents[3])
        environment = os.environ | {"PYTHONPATH": root}
        subprocess.run(command, cwd=made, env=environment, check=True, capture_output=True)
    paths = [path for path in made.rglob("*") if not path.is_symlink()]
    assert [path.suffix for path in paths if path.suffix == ".html"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in paths if path.is_dir()} == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in paths if path.is_file()} == {0o600}


def test_a_read_only_corpus_is_asked_and_its_runs_lie_with_the_person(
    place: Path, run: Run, model: Flags, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    make_read_only(place, tmp_path / "state", monkeypatch)
    before = {path: path.stat().st_mtime_ns for path in place.rglob("*")}
    asked = run("ask", place, Q, *model, "--on-ambiguity", "assume")
    assert asked.exit_code == 0, asked.output
    kept = tmp_path / "state" / "headcount" / "runs"
    assert list(kept.glob("*/runs.sqlite"))
    assert Q in run("runs", place).stdout
    assert run("report", place, "--out", tmp_path / "page.html").exit_code == 0
    assert {path: path.stat().st_mtime_ns for path in place.rglob("*")} == before


@pytest.mark.parametrize("command", ["ask", "readings", "analyse", "estimate", "chat", "reply"])
def test_what_is_too_long_is_refused_in_one_line(
    command: str, place: Path, run: Run, model: Flags, provider: FakeProvider
) -> None:
    provider.answer = doubting
    long = ("Which leases allow a dog and " * 35_000).strip()
    if command == "chat":
        told = run("chat", place, input=f"{long}\n/quit\n").output
    elif command == "reply":
        told = run("chat", place, *model, input=f"{Q}\n{long}\n1\n/quit\n").output
    elif command == "estimate":
        told = run("ask", place, long, *model, "--estimate").output
    else:
        told = run(command, place, long, *model).output
    assert f"the {'reply' if command == 'reply' else 'question'} has 1,014,999 characters" in told
    assert len(told) < 10_000


def test_a_file_that_may_not_be_read_is_not_called_damaged(
    place: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(generation: object) -> None:
        raise PermissionError(13, "Permission denied", "documents.text")

    monkeypatch.setattr(corpora.DocumentTable, "load", refuse)
    refused = run("ask", place, Q)
    assert refused.exit_code == 1
    assert "Permission denied" in refused.stderr
    assert "is damaged" not in refused.stderr


@pytest.mark.parametrize("address", ["http://[::1", "http://", "http://x:y", "http://a b"])
def test_an_address_that_is_none_is_one_line(address: str, place: Path, run: Run) -> None:
    refused = run("ask", place, Q, "--model", "x", "--base-url", address)
    assert refused.exit_code == 1
    assert refused.stderr.startswith("headcount: --base-url")
    assert len(refused.stderr.splitlines()) == 1
