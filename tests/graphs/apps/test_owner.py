"""Who owns what is made, what a read-only corpus gives, and how much one may ask."""

import subprocess
from pathlib import Path

import pytest

from tests.built import write
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import PROGRAM, Flags, Q, make_read_only, refused, run
from tests.integration.reader import QUOTE, doubting
from tools.corpus import corpus as corpora

pytestmark = pytest.mark.slow


def test_only_the_owner_may_read_what_is_made(tmp_path: Path) -> None:
    write(tmp_path / "texts", {"a.txt": QUOTE})
    made = tmp_path / "made"
    made.mkdir()
    for words in (
        ("index", "../texts", "--into", "x.corpus"),
        ("ask", "x.corpus", "How many documents mention dog?"),
        ("report", "x.corpus"),
    ):
        subprocess.run([*PROGRAM, *words], cwd=made, check=True)
    assert list(made.glob("*.html"))
    assert {oct(path.stat().st_mode) for path in made.rglob("*")} == {"0o40700", "0o100600"}


def test_a_read_only_corpus_is_asked_and_its_runs_lie_with_the_person(
    place: Path, model: Flags, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    make_read_only(place, tmp_path / "state", monkeypatch)
    before = {path: path.stat().st_mtime_ns for path in place.rglob("*")}
    asked = run("ask", place, Q, *model, "--on-ambiguity", "assume")
    assert asked.exit_code == 0, asked.output
    kept = tmp_path / "state" / "headcount" / "runs"
    assert list(kept.glob("*/runs.sqlite"))
    assert Q in run("runs", place).stdout
    assert run("report", place).exit_code == 0
    assert {path: path.stat().st_mtime_ns for path in place.rglob("*")} == before


@pytest.mark.parametrize("command", ["ask", "analyse", "chat"])
def test_what_is_too_long_is_refused_in_one_line(
    command: str, place: Path, model: Flags, provider: FakeProvider
) -> None:
    provider.answer = doubting
    long = ("Which leases allow a dog and " * 35_000).strip()
    asked = [] if command == "chat" else [long]
    told = run(command, place, *asked, *model, input=f"{long}\n{Q}\n{long}\n1\n").output
    assert "the question has 1,014,999 characters, 10,000 at most" in told
    assert ("the reply has 1,014,999 characters" in told) == (command == "chat")
    assert len(told) < 10_000


def test_a_file_that_may_not_be_read_is_not_called_damaged(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "documents.text")

    monkeypatch.setattr(corpora.ChunkTable, "load", refuse)
    told = refused("ask", place, Q)
    assert "Permission denied" in told
    assert "is damaged" not in told
