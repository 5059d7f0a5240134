"""Runs on disk: one process at a time, one version of the graph, and clear words about damage."""

from pathlib import Path

import pytest

from graphs.apps.exits import Exit
from tests.fake_provider.server import FakeProvider
from tests.graphs.conftest import PETS
from tests.integration.asking import by_command, command, complaint
from tests.integration.forked import PATIENCE, Forked
from tests.integration.hostile import Holding, Hostile, run_in
from tests.tools.changed_by_hand import by_hand

pytestmark = [pytest.mark.slow, pytest.mark.faults]


def _partial(place: Path, provider: FakeProvider) -> str:
    """Leave a run that a limit of calls ended, and return its id."""
    provider.answer = Hostile()
    run: str = by_command(place, provider, "--max-calls", "9").answer["run"]
    return run


def test_a_run_belongs_to_one_process_at_a_time(provider: FakeProvider, place: Path):
    provider.answer = holding = Holding(at=8)
    with Forked(command(place, provider), place.parent).at_work() as ending:
        assert holding.came.wait(PATIENCE)
        run = run_in(place)
        told = complaint(by_command(place, provider, "--resume", run))
        holding.go.set()
    assert f"run '{run}' is being worked on by another process" in told
    first = ending.result()
    assert first.code == Exit.ANSWERED
    assert first.answer["value"] == len(PETS)
    paid = holding.server.sold.total()
    again = by_command(place, provider, "--resume", run)
    assert again.answer == first.answer
    assert holding.server.sold.total() == paid


def test_a_run_of_another_graph_or_model_is_refused(
    provider: FakeProvider, place: Path, monkeypatch: pytest.MonkeyPatch
):
    run = _partial(place, provider)
    told = complaint(by_command(place, provider, "--resume", run, "--model", "other"))
    assert "--model fake" in told
    monkeypatch.setattr("graphs.runs.run_session.graph_version", lambda: "0123456789ab")
    told = complaint(by_command(place, provider, "--resume", run))
    assert "was made by graph" in told
    assert "ask the question again" in told


@pytest.mark.parametrize("blob", [b"", b"\xc1" * 40, b"\x81\xa1"], ids=["empty", "noise", "cut"])
def test_a_damaged_checkpoint_is_one_clear_line(blob: bytes, provider: FakeProvider, place: Path):
    run = _partial(place, provider)
    checkpoints = place / "runs" / "checkpoints.sqlite"
    with by_hand(checkpoints) as connection:
        connection.execute("update checkpoints set checkpoint = ?", (blob,))
    told = complaint(by_command(place, provider, "--resume", run))
    assert "damaged" in told
    assert by_command(place, provider).code == Exit.ANSWERED
