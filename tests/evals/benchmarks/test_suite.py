"""The command runs groups in processes of their own, and shows their rows or why there are none."""

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.errors import CorpusMissing, SettingsError
from evals.benchmarks import indexing_speed
from evals.benchmarks.__main__ import app
from evals.benchmarks.indexing_speed import indexing, updating
from evals.benchmarks.real_text import Sized
from evals.benchmarks.suite import Setting, chosen, run_group
from evals.benchmarks.timed_processes import Taken
from tools.corpus.corpus import Corpus

pytestmark = pytest.mark.slow

TAKEN = Taken(result=60.0, cpu=90.0, peak_mb=500.0)


@pytest.fixture
def text(mixed: Corpus) -> Sized:
    return Sized(mixed.path.parent / "text", mixed.path, TAKEN)


@pytest.fixture
def setting(text: Sized, tmp_path: Path) -> Setting:
    return Setting(place=tmp_path, rounds=1, large=text, small=text, data=tmp_path / "nowhere")


@pytest.mark.slow
def test_the_command_measures_and_shows_a_table() -> None:
    done = CliRunner().invoke(app, ["--chunks", "250", "--rounds", "1", "--only", "feeding"])
    assert done.exit_code == 0, done.output
    assert sum("a round of feedback" in line for line in done.stdout.splitlines()) == 1


@pytest.mark.parametrize(
    "given", [["--chunks", "3"], ["--text", "."]], ids=["chunks", "text without a place"]
)
def test_a_wrong_argument_ends_before_anything_is_made(given: list[str]) -> None:
    done = CliRunner().invoke(app, given)
    assert (done.exit_code, done.stdout) == (2, "")


def test_a_group_that_cannot_run_says_why(setting: Setting) -> None:
    elsewhere = replace(setting.large, corpus=setting.place)
    with pytest.raises(CorpusMissing, match="there is no corpus at"):
        run_group("ranking", replace(setting, large=elsewhere))


def test_without_the_development_data_no_contracts_are_asked_about(setting: Setting) -> None:
    assert run_group("finding", setting) == []


def test_a_group_that_is_not_there_is_refused() -> None:
    with pytest.raises(SettingsError, match="no group 'nothing' here"):
        chosen(["ranking", "nothing"])


def test_a_large_corpus_has_no_peer_that_would_take_an_hour(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing_speed, "LARGE", 10)
    speed, memory = indexing(setting.large, setting.place)
    assert (speed.peer, memory.peer) == (None, None)
    assert (speed.met, memory.met) == (False, True)


@pytest.mark.slow
def test_a_copy_is_changed_and_the_text_stays(text: Sized, tmp_path: Path) -> None:
    before = {file.name: file.read_bytes() for file in text.folder.iterdir()}
    row = updating(text, tmp_path)
    assert row.ours.value > 0
    assert row.note.startswith("1 of ")
    assert {file.name: file.read_bytes() for file in text.folder.iterdir()} == before
