"""A limit of calls is never passed, and a run that it ended goes on where it was."""

from dataclasses import replace
from pathlib import Path

import pytest

from graphs.apps.exits import Exit
from tests.fake_provider.replies import Reply
from tests.fake_provider.server import FakeProvider
from tests.integration.asking import (
    GOLD,
    MANY_REQUESTS,
    by_command,
)
from tests.integration.hostile import Hostile
from tests.integration.reader import Body, doubting

pytestmark = [pytest.mark.slow, pytest.mark.faults]


def test_money_that_pays_for_part_of_a_request_is_used(provider: FakeProvider, place: Path, whole):
    good = Hostile()
    one = MANY_REQUESTS | {
        "HEADCOUNT_BATCH_TOKENS": "6000",
        "HEADCOUNT_PRICES": '{"fake": [1, 1]}',
    }

    def uncounted(text: str, body: Body) -> Reply:
        """Leave the counting of tokens to the client."""
        reply = good(text, body)
        return replace(reply, body=reply.body.replace(b'"usage"', b'"uncounted"'))

    provider.answer = uncounted
    planned = by_command(place, provider, "--max-calls", "5", settings=one).answer
    limit = planned["cost"]["usd"] + 0.0035
    stopped = by_command(
        place, provider, "--resume", planned["run"], "--max-usd", str(limit), settings=one
    )
    assert stopped.code == Exit.BUDGET
    assert 0 < stopped.answer["coverage"]["judged"] < planned["coverage"]["unseen"]
    assert stopped.answer["cost"]["usd"] <= limit
    resumed = by_command(place, provider, "--resume", planned["run"], settings=one)
    assert resumed.code == Exit.ANSWERED
    assert resumed.answer["entities"] == whole["entities"]
    assert good.sold["judge"] == 2


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
