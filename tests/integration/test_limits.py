"""A limit of calls is never passed, and a run that it ended goes on where it was."""

from pathlib import Path

import pytest

from graphs.apps.exits import Exit
from tests.fake_provider.server import FakeProvider
from tests.integration.asking import GOLD, by_command
from tests.integration.hostile import Hostile
from tests.integration.reader import doubting

pytestmark = [pytest.mark.slow, pytest.mark.faults]


VALUES = [len(GOLD), 2]
"""What the two readings of the ambiguous question come to."""


@pytest.mark.parametrize("limit", [2, 3, 4, 6, 9, 15, 20])
def test_a_limit_ends_side_by_side_readings_too(limit: int, provider: FakeProvider, place: Path):
    provider.answer = server = Hostile(reader=doubting)
    branch = ("--on-ambiguity", "branch")
    stopped = by_command(place, provider, *branch, "--max-calls", str(limit))
    assert stopped.code == Exit.BUDGET
    assert server.sold.total() == stopped.answer["cost"]["model_calls"] <= limit
    for reading, value in zip(stopped.answer["readings"], VALUES, strict=False):
        low, high = reading["bounds"]
        assert low <= value <= high
    resumed = by_command(place, provider, *branch, "--resume", stopped.answer["run"])
    assert resumed.code == Exit.ANSWERED
    assert [reading["value"] for reading in resumed.answer["readings"]] == VALUES
    assert [reading["status"] for reading in resumed.answer["readings"]] == ["answered"] * 2
    assert resumed.answer["cost"]["model_calls"] == server.sold.total()
