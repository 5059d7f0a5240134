"""A process that dies in the middle of a run: the next one goes on and pays nothing twice."""

import random
import signal
from pathlib import Path
from typing import Any

import pytest

from graphs.apps.exits import Exit
from tests.fake_provider.server import FakeProvider
from tests.integration.asking import IDEAL, by_command, same_but_for_the_bill
from tests.integration.hostile import Hostile
from tests.integration.killing import IN_FLIGHT, Killing, interrupted, kept_replies, run_in

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
