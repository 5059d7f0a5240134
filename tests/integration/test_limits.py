"""A limit of calls is never passed, and a run that it ended goes on where it was."""

from dataclasses import replace
from pathlib import Path

import pytest

from agent.answer import Answer
from graphs.apps.exits import Exit
from tests.fake_provider.replies import Reply
from tests.fake_provider.server import FakeProvider
from tests.integration.asking import (
    GOLD,
    IDEAL,
    MANY_REQUESTS,
    adds_up,
    by_command,
    names,
    same_but_for_the_bill,
)
from tests.integration.hostile import Hostile
from tests.integration.reader import Body, doubting

pytestmark = [pytest.mark.slow, pytest.mark.faults]


@pytest.fixture
def server(provider: FakeProvider) -> Hostile:
    provider.answer = server = Hostile()
    return server


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 6, 15, 28])
def test_a_limit_holds_with_a_true_answer_and_a_higher_one_goes_on_without_paying_twice(
    limit: int, provider: FakeProvider, server: Hostile, place: Path, whole
):
    printed = by_command(place, provider, "--max-calls", str(limit))
    answer = Answer.model_validate_json(printed.stdout)
    assert server.sold.total() <= limit
    assert printed.code == Exit.BUDGET
    assert answer.status == "partial"
    assert answer.cost.model_calls == server.sold.total()
    assert answer.coverage.unseen > 0
    assert adds_up(answer)
    low, high = answer.bounds
    assert low <= len(names(answer)) <= len(GOLD) <= high
    printed = by_command(place, provider, "--resume", answer.run, "--max-calls", str(IDEAL))
    assert printed.code == Exit.ANSWERED
    assert server.sold.total() == IDEAL
    assert printed.answer["cost"]["model_calls"] == IDEAL
    assert same_but_for_the_bill(printed.answer) == whole


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
