"""Runs on disk: what dies goes on and pays nothing twice, one process at a time, damage is told."""

import random
import signal
from pathlib import Path
from typing import Any

import httpx2
import pytest

from agent.answer import Answer
from graphs.apps.exits import Exit
from tests.fake_provider.server import FakeProvider
from tests.graphs.conftest import PETS
from tests.integration.asking import (
    IDEAL,
    MANY_REQUESTS,
    adds_up,
    by_command,
    command,
    complaint,
    same_but_for_the_bill,
)
from tests.integration.forked import PATIENCE, Forked
from tests.integration.hostile import (
    IN_FLIGHT,
    Holding,
    Hostile,
    Killing,
    interrupted,
    kept_replies,
    run_in,
)
from tests.tools.changed_by_hand import by_hand

pytestmark = [pytest.mark.slow, pytest.mark.faults]

POINTS = [1, 2, 3, 4, 5, *sorted(random.Random(7).sample(range(6, IDEAL + 1), 5))]
"""The requests at which the process is killed: every prompt before judging, and five in it."""


@pytest.mark.parametrize("at", POINTS)
def test_kill_costs_at_most_what_was_in_flight(
    at: int, provider: FakeProvider, place: Path, whole: dict[str, Any]
):
    killing = Killing(at, signal.SIGKILL)
    killed = interrupted(place, provider, killing)
    assert killed.code == -signal.SIGKILL
    assert killed.stdout == ""
    came, kept = provider.calls, kept_replies(place)
    assert came - kept <= IN_FLIGHT

    provider.answer = after = Hostile()
    resumed = by_command(place, provider, "--resume", run_in(place))
    assert resumed.code == Exit.ANSWERED
    assert after.sold.total() == IDEAL - kept
    assert same_but_for_the_bill(resumed.answer) == whole


def test_ctrl_c_waits_for_replies_in_flight_alone_and_says_how_to_go_on(
    provider: FakeProvider, place: Path, whole: dict[str, Any]
):
    killing, all_at_once = Killing(9, signal.SIGINT, again=15), {"HEADCOUNT_WAVE": str(IDEAL)}
    ended = interrupted(place, provider, killing, MANY_REQUESTS | all_at_once)
    assert (ended.code, ended.stdout) == (Exit.INTERRUPTED, "")
    assert "stopping after the requests in flight" in ended.stderr
    came, run = provider.calls, run_in(place)
    assert came == kept_replies(place) <= killing.again + IN_FLIGHT
    *_, last = ended.stderr.splitlines()
    assert f"resume with: headcount ask {place} --resume {run} --model" in last

    provider.answer = after = Hostile()
    resumed = by_command(place, provider, "--resume", run)
    assert after.sold.total() == IDEAL - came
    assert same_but_for_the_bill(resumed.answer) == whole


def test_a_server_that_is_gone_is_asked_no_more_and_the_run_goes_on_later(
    provider: FakeProvider, place: Path, whole: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    provider.answer = server = Hostile()
    refused: list[object] = []
    send = httpx2.Client.send

    def gone(self: httpx2.Client, request: httpx2.Request, **options: Any) -> httpx2.Response:
        if server.sold["judge"] < 8:
            return send(self, request, **options)
        refused.append(request)
        raise httpx2.ConnectError("refused", request=request)

    impatient = MANY_REQUESTS | {"HEADCOUNT_MAX_RETRIES": "0"}
    with monkeypatch.context() as patched:
        patched.setattr(httpx2.Client, "send", gone)
        stopped = by_command(place, provider, settings=impatient)
    assert stopped.code == Exit.BUDGET
    assert len(refused) == int(MANY_REQUESTS["HEADCOUNT_WAVE"])
    answer = Answer.model_validate(stopped.answer)
    assert adds_up(answer)
    assert (answer.coverage.judged, answer.coverage.failed) == (8, 0)
    assert any("server cannot be reached" in each for each in answer.warnings)
    last = stopped.stderr.splitlines()[-1]
    assert "server cannot be reached" in last
    assert f"--resume {answer.run}" in last
    resumed = by_command(place, provider, "--resume", answer.run)
    assert resumed.code == Exit.ANSWERED
    assert server.sold.total() == IDEAL
    assert same_but_for_the_bill(resumed.answer) == whole


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
