"""Runs on a server: another machine goes on with them, one at a time, and no secret is told.

A machine is here a copy of the corpus's directory without what the first one keeps beside it.
"""

import shutil
import signal
import uuid
from pathlib import Path
from urllib.parse import quote

import pytest

from graphs.apps.exits import Exit
from tests.fake_provider.server import FakeProvider
from tests.graphs.conftest import PETS
from tests.integration.asking import IDEAL, Printed, by_command, command, complaint, printed
from tests.integration.forked import PATIENCE, Forked
from tests.integration.hostile import IN_FLIGHT, Holding, Hostile, Killing, interrupted
from tests.postgres.server import PASSWORD, TestServer
from tools.corpus.manifest import corpus_id
from tools.postgres.address import ServerAddress
from tools.runs.server_database import server_store

pytestmark = [pytest.mark.slow, pytest.mark.faults]


@pytest.fixture
def place(place: Path) -> Path:
    """A corpus that the server does not know yet."""
    (place / "id").write_text(uuid.uuid4().hex[:12] + "\n")
    return place


@pytest.fixture
def elsewhere(place: Path, tmp_path: Path) -> Path:
    """The same corpus on another machine."""
    copy = tmp_path / "elsewhere" / "leases.corpus"
    shutil.copytree(place, copy, ignore=shutil.ignore_patterns("runs"))
    return copy


@pytest.fixture(autouse=True)
def _stored_on_server(database_server: TestServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADCOUNT_STORE", database_server.url())


def run_on(server: TestServer, place: Path) -> str:
    """Return the id of the corpus's only run."""
    address = ServerAddress.parsed(server.url())
    with server_store(address, corpus_id(place)) as store:
        (info,) = store.runs()
    return info.run


def test_another_machine_goes_on_with_what_a_kill_left(
    provider: FakeProvider, place: Path, elsewhere: Path, database_server: TestServer
):
    killed = interrupted(place, provider, Killing(13, signal.SIGKILL))
    assert killed.code == -signal.SIGKILL
    came, run = provider.calls, run_on(database_server, place)

    provider.answer = after = Hostile()
    resumed = by_command(elsewhere, provider, "--resume", run)
    assert came + after.sold.total() <= IDEAL + IN_FLIGHT
    assert resumed.answer["value"] == len(PETS)
    assert resumed.answer["cost"]["model_calls"] + resumed.answer["cost"]["cached_calls"] >= IDEAL
    assert by_command(place, provider, "--resume", run).answer == resumed.answer
    for each in (place, elsewhere):
        left = {path.name for path in (each / "runs").iterdir()}
        assert left <= {"coherence.json"}


def test_one_process_at_a_time_works_on_a_run_and_stops_where_its_connection_is_cut(
    provider: FakeProvider, place: Path, elsewhere: Path, database_server: TestServer
):
    provider.answer = holding = Holding(at=13)
    with Forked(command(place, provider), place.parent).at_work() as ending:
        assert holding.came.wait(PATIENCE)
        run = run_on(database_server, place)
        refused = by_command(elsewhere, provider, "--resume", run)
        at_work = printed(["runs", str(elsewhere)])
        database_server.cut()
        holding.go.set()
    assert f"run '{run}' is being worked on by another process" in complaint(refused)
    assert at_work.stdout.split("\t")[2] == "running"
    told = complaint(ending.result())
    assert "cannot be reached" in told
    assert f"--resume {run}" in told

    left = printed(["runs", str(elsewhere)])
    assert left.stdout.split("\t")[2] == "interrupted"
    provider.answer = Hostile()
    resumed = by_command(elsewhere, provider, "--resume", run)
    assert resumed.answer["value"] == len(PETS)


@pytest.mark.parametrize(
    ("at", "how"), [(3, signal.SIGINT), (13, signal.SIGQUIT), (22, signal.SIGINT)]
)
def test_a_server_that_stops_in_mid_run_costs_at_most_what_was_in_flight(
    at: int,
    how: signal.Signals,
    provider: FakeProvider,
    place: Path,
    elsewhere: Path,
    database_server: TestServer,
):
    provider.answer = holding = Holding(at)
    with Forked(command(place, provider), place.parent).at_work() as ending:
        assert holding.came.wait(PATIENCE)
        run = run_on(database_server, place)
        database_server.stop(how)
        holding.go.set()
        told = complaint(ending.result())
        while_it_was_down = printed(["runs", str(place)])
        database_server.start()
    assert f"--resume {run}" in told
    assert "cannot be reached" in complaint(while_it_was_down)
    came = provider.calls
    provider.answer = after = Hostile()
    resumed = by_command(elsewhere, provider, "--resume", run)
    assert resumed.answer["value"] == len(PETS)
    paid = came + after.sold.total()
    assert paid <= IDEAL + IN_FLIGHT
    assert paid - IN_FLIGHT <= resumed.answer["cost"]["model_calls"] <= paid


def test_a_clarification_is_replied_to_elsewhere(
    place: Path, elsewhere: Path, database_server: TestServer
):
    asked = printed(["ask", str(place), "How many recent leases are there?"])
    assert asked.code == Exit.WAITING
    assert_no_secret(asked, place)
    run = run_on(database_server, place)
    replied = printed(["ask", str(elsewhere), "--resume", run, "--reply", "1"])
    assert replied.code == Exit.ANSWERED
    told = printed(["report", str(place), run, "--chunk", "0"])
    assert told.code == Exit.ANSWERED


def test_the_doctor_looks_the_server_over(
    place: Path, database_server: TestServer, monkeypatch: pytest.MonkeyPatch
):
    sound = printed(["doctor", str(place)])
    assert sound.code == Exit.ANSWERED
    assert ": answers" in sound.stdout
    monkeypatch.setenv("HEADCOUNT_STORE", database_server.url(PASSWORD[::-1]))
    refused = printed(["doctor", str(place)])
    assert refused.code == Exit.ERROR
    assert "password authentication failed" in refused.stdout
    assert PASSWORD[::-1] not in refused.stdout + refused.stderr


def assert_no_secret(told: Printed, place: Path) -> None:
    """Look for the password, as it is and as the URL has it, in all that was printed and kept."""
    kept = b"".join(each.read_bytes() for each in place.rglob("*") if each.is_file())
    for secret in (PASSWORD, quote(PASSWORD, safe="")):
        assert secret not in told.stdout + told.stderr
        assert secret.encode() not in kept
