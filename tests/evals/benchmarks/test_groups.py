"""Groups of benchmarks run in processes of their own and tell rows, or why there are none."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from agent.errors import SettingsError
from evals.benchmarks.indexing_speed import Taken, indexing, updating
from evals.benchmarks.rows import Row, Unequal
from evals.benchmarks.suite import SEARCHES, Asked, Setting, run_benchmarks, run_group
from tools.corpus.corpus import Corpus

TAKEN = Taken(seconds=60.0, cpu=90.0, peak_mb=500.0)


@pytest.fixture
def setting(mixed: Corpus, tmp_path: Path) -> Setting:
    return Setting(
        place=tmp_path,
        rounds=1,
        large=mixed.path,
        small=mixed.path,
        text=mixed.path.parent / "text",
        taken=TAKEN,
        data=tmp_path / "nowhere",
    )


def test_a_group_s_rows_come_back_as_they_were(setting: Setting) -> None:
    rows = run_group("snapshots", setting)
    assert [row.peer is not None and row.aim is not None for row in rows] == [True] * 3
    assert [Row.from_json(row.to_json()) for row in rows] == rows


def test_a_group_that_cannot_run_says_why(setting: Setting) -> None:
    with pytest.raises(Unequal, match="ranking: there is no corpus at"):
        run_group("ranking", replace(setting, large=setting.place))


def test_searches_are_measured_over_a_corpus_that_is_there(
    mixed: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    def run(name: str, _: Setting) -> list[Row]:
        ran.append(name)
        return []

    monkeypatch.setattr(sys.modules["evals.benchmarks.suite"], "run_group", run)
    asked = Asked(chunks=200, rounds=1, data=tmp_path, corpus=mixed.path)
    list(run_benchmarks(asked, tmp_path, print))
    assert ran == list(SEARCHES)


def test_a_group_that_is_not_there_is_refused(mixed: Corpus, tmp_path: Path) -> None:
    asked = Asked(chunks=200, rounds=1, data=tmp_path, corpus=mixed.path, only=("updating",))
    with pytest.raises(SettingsError, match="no group 'updating' here"):
        list(run_benchmarks(asked, tmp_path, print))


def test_a_large_corpus_has_no_peer_that_would_take_an_hour(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["evals.benchmarks.indexing_speed"], "LARGE", 10)
    speed, memory = indexing(setting.text, setting.large, setting.place, TAKEN)
    assert (speed.peer, memory.peer) == (None, None)
    assert (speed.met, memory.met) == (False, True)


def test_a_copy_is_changed_and_the_text_stays(mixed: Corpus, tmp_path: Path) -> None:
    text = mixed.path.parent / "text"
    before = {file.name: file.read_bytes() for file in text.iterdir()}
    row = updating(text, mixed.path, tmp_path, TAKEN)
    assert row.ours.value > 0
    assert row.note.startswith("1 of ")
    assert {file.name: file.read_bytes() for file in text.iterdir()} == before
