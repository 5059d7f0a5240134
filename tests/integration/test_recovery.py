"""A process that dies in the middle of a run: the next one goes on and pays nothing twice."""

import os
import random
import shutil
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from graphs.apps.exits import Exit
from tests.fake_provider.server import FakeProvider
from tests.integration.asking import (
    MANY_REQUESTS,
    Printed,
    by_command,
    command,
    same_but_for_the_bill,
)
from tests.integration.forked import Forked
from tests.integration.hostile import Hostile
from tests.integration.reader import Body
from tools.runs.store import RunStore

IDEAL = 21
IN_FLIGHT = int(MANY_REQUESTS["HEADCOUNT_CONCURRENCY"])
POINTS = [1, 2, 3, 4, 5, *sorted(random.Random(7).sample(range(6, IDEAL + 1), 5))]
"""The requests at which the process is killed: every prompt before judging, and five in it."""


@dataclass
class Killing:
    """A good server that sends its client a signal when so many requests have come."""

    at: int
    signal: signal.Signals
    server: Hostile = field(default_factory=Hostile)
    client: Callable[[], int] = lambda: 0

    def __call__(self, text: str, body: Body) -> Any:
        reply = self.server(text, body)
        if self.server.sold.total() == self.at:
            os.kill(self.client(), self.signal)
        return reply


@pytest.fixture(scope="module")
def whole(
    _built: Path, tmp_path_factory: pytest.TempPathFactory, _provider_process: FakeProvider
) -> dict[str, Any]:
    """The answer of a run that nothing interrupted, bill left out."""
    place = tmp_path_factory.mktemp("whole") / "leases.corpus"
    shutil.copytree(_built, place)
    _provider_process.reset()
    _provider_process.answer = server = Hostile()
    printed = by_command(place, _provider_process)
    assert server.sold.total() == IDEAL
    return same_but_for_the_bill(printed.answer)


def _interrupted(place: Path, provider: FakeProvider, killing: Killing) -> Printed:
    """Start the command, let the server end it, and return what it left."""
    child = Forked(command(place, provider), place.parent)
    killing.client = child.pid
    provider.answer = killing
    return child.outcome()


def _run_in(place: Path) -> str:
    with RunStore(place / "runs" / "runs.sqlite") as store:
        (info,) = store.runs()
    return info.run


def _kept(place: Path) -> int:
    """Return how many replies the killed process had brought to disk."""
    path = place / "runs" / "responses.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        (number,) = connection.execute("select count(*) from replies").fetchone()
    return int(number)


@pytest.mark.parametrize("at", POINTS)
def test_kill_costs_at_most_what_was_in_flight(
    at: int, provider: FakeProvider, place: Path, whole: dict[str, Any]
):
    killing = Killing(at, signal.SIGKILL)
    killed = _interrupted(place, provider, killing)
    assert killed.code == -signal.SIGKILL
    assert killed.stdout == ""
    came, kept = provider.calls, _kept(place)
    assert came - kept <= IN_FLIGHT

    provider.answer = after = Hostile()
    resumed = by_command(place, provider, "--resume", _run_in(place))
    assert resumed.code == Exit.ANSWERED
    assert after.sold.total() == IDEAL - kept
    assert same_but_for_the_bill(resumed.answer) == whole


def test_a_resumed_run_that_is_finished_asks_nothing(
    provider: FakeProvider, place: Path, whole: dict[str, Any]
):
    _interrupted(place, provider, Killing(9, signal.SIGKILL))
    run = _run_in(place)
    provider.answer = server = Hostile()
    first = by_command(place, provider, "--resume", run)
    paid = server.sold.total()
    second = by_command(place, provider, "--resume", run)
    assert server.sold.total() == paid
    assert second.answer == first.answer


def test_without_a_cache_a_kill_costs_at_most_its_step(
    provider: FakeProvider, place: Path, whole: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HEADCOUNT_RESPONSE_CACHE", "false")
    _interrupted(place, provider, Killing(13, signal.SIGKILL))
    came = provider.calls
    provider.answer = after = Hostile()
    resumed = by_command(place, provider, "--resume", _run_in(place))
    wave = int(MANY_REQUESTS["HEADCOUNT_WAVE"])
    assert came + after.sold.total() <= IDEAL + wave
    assert same_but_for_the_bill(resumed.answer) == whole


@pytest.mark.parametrize("at", [2, 5, 12])
def test_an_interrupted_command_tells_how_to_go_on(
    at: int, provider: FakeProvider, place: Path, whole: dict[str, Any]
):
    killing = Killing(at, signal.SIGINT)
    stopped = _interrupted(place, provider, killing)
    assert stopped.code == Exit.INTERRUPTED
    assert stopped.stdout == ""
    assert "Traceback" not in stopped.stderr
    run = stopped.stderr.rsplit("--resume ", 1)[1].split()[0]
    assert run == _run_in(place)

    came = provider.calls
    provider.answer = after = Hostile()
    resumed = by_command(place, provider, "--resume", run)
    assert resumed.code == Exit.ANSWERED
    assert came + after.sold.total() == IDEAL
    assert same_but_for_the_bill(resumed.answer) == whole
