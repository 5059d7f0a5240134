"""Runs on disk: one process at a time, one version of the graph, and clear words about damage."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from graphs.apps.exits import Exit
from tests.fake_provider.server import FakeProvider
from tests.graphs.conftest import PETS
from tests.integration.asking import Printed, by_command, started
from tests.integration.holding import PATIENCE, Holding
from tests.integration.hostile import Hostile
from tools.runs.store import RunStore

pytestmark = [pytest.mark.slow, pytest.mark.faults]


def _complaint(printed: Printed) -> str:
    """Return the one line that a failed command says."""
    assert printed.code == Exit.ERROR
    (line,) = [each for each in printed.stderr.splitlines() if each.startswith("headcount:")]
    assert not printed.stdout or json.loads(printed.stdout)["error"] in line
    assert "Traceback" not in printed.stderr
    return line


def _runs_in(place: Path) -> list[str]:
    with RunStore(place / "runs" / "runs.sqlite") as store:
        return [info.run for info in store.runs()]


def _partial(place: Path, provider: FakeProvider) -> str:
    """Leave a run that a limit of calls ended, and return its id."""
    provider.answer = Hostile()
    run: str = by_command(place, provider, "--max-calls", "9").answer["run"]
    return run


def test_a_run_belongs_to_one_process_at_a_time(provider: FakeProvider, place: Path):
    provider.answer = holding = Holding(at=8)
    with started(place, provider) as process:
        assert holding.came.wait(PATIENCE)
        (run,) = _runs_in(place)
        complaint = _complaint(by_command(place, provider, "--resume", run))
        holding.go.set()
        stdout, stderr = process.communicate()
    assert f"run '{run}' is being worked on by another process" in complaint
    first = Printed(process.returncode, stdout, stderr)
    assert first.code == Exit.ANSWERED
    assert first.answer["value"] == len(PETS)
    paid = holding.server.sold.total()
    again = by_command(place, provider, "--resume", run)
    assert again.answer == first.answer
    assert holding.server.sold.total() == paid


def test_a_run_of_another_graph_is_refused(
    provider: FakeProvider, place: Path, monkeypatch: pytest.MonkeyPatch
):
    run = _partial(place, provider)
    monkeypatch.setattr("graphs.runs.run_session.graph_version", lambda: "0123456789ab")
    complaint = _complaint(by_command(place, provider, "--resume", run))
    assert "was made by graph" in complaint
    assert "ask the question again" in complaint


def test_a_run_of_another_model_is_refused(provider: FakeProvider, place: Path):
    run = _partial(place, provider)
    complaint = _complaint(by_command(place, provider, "--resume", run, "--model", "other"))
    assert "--model fake" in complaint


@pytest.mark.parametrize("blob", [b"", b"\xc1" * 40, b"\x81\xa1"], ids=["empty", "noise", "cut"])
def test_a_damaged_checkpoint_is_one_clear_line(blob: bytes, provider: FakeProvider, place: Path):
    run = _partial(place, provider)
    checkpoints = place / "runs" / "checkpoints.sqlite"
    with closing(sqlite3.connect(checkpoints, isolation_level=None)) as connection:
        connection.execute("update checkpoints set checkpoint = ?", (blob,))
    complaint = _complaint(by_command(place, provider, "--resume", run))
    assert "damaged" in complaint
    assert by_command(place, provider).code == Exit.ANSWERED


@pytest.mark.parametrize("damage", ["cut", "overwritten"])
@pytest.mark.parametrize("name", ["checkpoints", "runs", "responses"])
def test_a_damaged_file_is_one_clear_line_and_replaceable(
    name: str, damage: str, provider: FakeProvider, place: Path
):
    run = _partial(place, provider)
    path = place / "runs" / f"{name}.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma wal_checkpoint(truncate)")
    for log in place.glob(f"runs/{name}.sqlite-*"):
        log.unlink()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2 - 7] if damage == "cut" else b"\x00junk" * 999)
    complaint = _complaint(by_command(place, provider, "--resume", run))
    assert name in complaint
    assert "damaged" in complaint
    path.unlink()
    assert by_command(place, provider).code == Exit.ANSWERED
