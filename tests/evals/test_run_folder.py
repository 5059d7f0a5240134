"""A run that is killed goes on where it was, and ends with the results of one that was not."""

from pathlib import Path
from typing import cast

import pytest

from agent.answer import Answer
from agent.errors import CorpusDamaged, ProviderUnavailable, RunError, SettingsError
from evals import experiment as workers
from evals.experiment import Arm, Cell, Collection, Experiment, Measured, load_run, measure, run
from evals.systems import SYSTEMS, System
from graphs.context import Context

pytestmark = pytest.mark.slow


def quiet(line: str) -> None:
    """Say nothing."""


def results(folder: Path) -> list[dict[str, object]]:
    return [each.model_dump(exclude={"seconds"}) for each in load_run(folder).measured]


class Interrupting:
    """Measures, and is interrupted before a cell of that number."""

    def __init__(self, before: int | None = None) -> None:
        self.before = before
        self.cells: list[Cell] = []

    def __call__(self, cell: Cell) -> Measured:
        if len(self.cells) == self.before:
            raise KeyboardInterrupt
        self.cells.append(cell)
        return measure(cell)


def test_an_interrupted_run_whose_last_line_was_cut_off_goes_on_and_comes_to_the_same_results(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "place"
    whole = run(experiment, tmp_path / "whole", place, quiet)
    killed = Interrupting(before=2)
    monkeypatch.setattr(workers, "measure", killed)
    with pytest.raises(KeyboardInterrupt):
        run(experiment, tmp_path / "killed", place, quiet)
    assert len(load_run(tmp_path / "killed").measured) == 2
    journal = tmp_path / "killed" / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-9])
    assert len(load_run(tmp_path / "killed").measured) == 1
    rest = Interrupting()
    monkeypatch.setattr(workers, "measure", rest)
    resumed = run(experiment, tmp_path / "killed", place, quiet)
    assert len(rest.cells) == len(whole.measured) - 1 == 5
    assert resumed.plan == whole.plan
    assert results(tmp_path / "killed") == results(tmp_path / "whole")


@pytest.mark.parametrize("damage", [b"no journal\xff\n" * 100, b'{"result": {}}\n'])
def test_a_damaged_journal_is_named_and_left_as_it_is(
    damage: bytes, experiment: Experiment, tmp_path: Path
) -> None:
    run(experiment, tmp_path / "run", tmp_path / "place", quiet)
    journal = tmp_path / "run" / "journal.jsonl"
    journal.write_bytes(damage)
    with pytest.raises(SettingsError, match=r"journal\.jsonl' cannot be read"):
        run(experiment, tmp_path / "run", tmp_path / "place", quiet)
    assert journal.read_bytes() == damage


def test_results_are_right_the_same_side_by_side_and_without_a_trace_of_the_place_or_a_question(
    experiment: Experiment, tmp_path: Path
) -> None:
    found = run(experiment, tmp_path / "run", tmp_path / "place", quiet)
    run(experiment, tmp_path / "two", tmp_path / "place", quiet, jobs=2)
    assert results(tmp_path / "run") == results(tmp_path / "two")
    assert [each.score["value"] for each in found.measured] == [2] * 6
    first = found.measured[0]
    assert first.score["chunk_recall_filtered"] == 1.0
    for name in ("run.json", "journal.jsonl"):
        assert str(tmp_path) not in (tmp_path / "run" / name).read_text(encoding="utf-8")
    left = {path.name for path in (tmp_path / "place").glob("*.corpus/*")}
    assert left == {"CURRENT", "generations", "id", "lock"}


@pytest.mark.parametrize(
    ("error", "asked"),
    [
        pytest.param(ProviderUnavailable("no route"), 6, id="what a server failed"),
        pytest.param(CorpusDamaged("broken"), 6, id="what the index failed"),
        pytest.param(RunError("too much"), 3, id="not what the question fails at"),
    ],
)
def test_a_run_that_goes_on_asks_again(
    error: Exception, asked: int, inspected: Collection, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    times: list[str] = []

    def broken(question: str, context: Context) -> Answer:
        times.append(question)
        raise error

    monkeypatch.setitem(cast("dict[str, System]", SYSTEMS), "broken", broken)
    arms = (Arm(name="broken", system="broken"),)
    failing = Experiment(name="test", arms=arms, collections=(inspected,))
    for _ in range(2):
        run(failing, tmp_path / "run", tmp_path / "place", quiet)
    assert len(times) == asked


def test_questions_settings_and_code_that_change_results_are_part_of_the_plan(
    experiment: Experiment, inspected: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(experiment, tmp_path / "run", tmp_path / "place", quiet)
    assert whole.plan.settings == {}
    asked = inspected.questions.read_text()
    inspected.questions.write_text(f"{asked}\n")
    with pytest.raises(SettingsError, match="other questions"):
        run(experiment, tmp_path / "run", tmp_path / "place", quiet)
    inspected.questions.write_text(asked)
    monkeypatch.setenv("HEADCOUNT_MAX_TOKENS", "60")
    with pytest.raises(SettingsError, match="other questions, arms, seed, settings"):
        run(experiment, tmp_path / "run", tmp_path / "place", quiet)
    limited = run(experiment, tmp_path / "limited", tmp_path / "place", quiet)
    assert limited.plan.settings == {"max_tokens": 60}
    monkeypatch.setattr(workers, "_code", lambda: "1" * 64)
    with pytest.raises(SettingsError, match="settings or code"):
        run(experiment, tmp_path / "limited", tmp_path / "place", quiet)
