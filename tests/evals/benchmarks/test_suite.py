"""The command runs groups in processes of their own, and shows their rows or why there are none."""

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.errors import CorpusMissing, SettingsError
from evals.benchmarks.__main__ import app
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
    return Setting(place=tmp_path, rounds=1, large=text, small=text)


@pytest.mark.slow
def test_the_command_measures_and_shows_a_table() -> None:
    text = str(Path(__file__).parents[3] / "tools")
    given = ["--chunks", "200", "--rounds", "1", "--only", "indexing", "--text", text]
    done = CliRunner().invoke(app, given)
    assert done.exit_code == 0, done.output
    assert sum("index the text" in line for line in done.stdout.splitlines()) == 2


def test_a_group_that_cannot_run_says_why(setting: Setting) -> None:
    elsewhere = replace(setting.large, corpus=setting.place)
    with pytest.raises(CorpusMissing, match="there is no corpus at"):
        run_group("ranking", replace(setting, large=elsewhere))


def test_a_group_that_is_not_there_is_refused() -> None:
    with pytest.raises(SettingsError, match="no group 'nothing' here"):
        chosen(["ranking", "nothing"])
