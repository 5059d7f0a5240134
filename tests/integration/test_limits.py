"""Every reply sold is on the bill, no limit is passed, and what one ended goes on and pays once."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent.answer import Answer
from agent.coverage import ReadingRound
from graphs.apps.exits import Exit
from tests.fake_provider.asking import chat
from tests.fake_provider.replies import FAULTS
from tests.fake_provider.server import FakeProvider
from tests.graphs.prepared import copied
from tests.integration.asking import GOLD, Printed, by_command, is_true, same_but_for_the_bill
from tests.integration.hostile import Hostile
from tests.integration.reader import Reader, doubting
from tests.integration.scattered import LOOP_SETTINGS, SCATTERED_GOLD, audited, read_scattered
from tools.corpus.corpus import Corpus

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


@pytest.mark.parametrize("limit", [13, 16])
def test_errors_on_resumption_do_not_open_the_limit(
    limit: int, provider: FakeProvider, place: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HEADCOUNT_RESPONSE_CACHE", "false")
    server, most = Hostile(), ("--max-calls", str(limit))

    def revoked_after(more: int) -> Reader:
        until = server.sold.total() + more
        return lambda text, body: (
            FAULTS["401"] if server.sold.total() >= until else server(text, body)
        )

    provider.answer = revoked_after(6)
    printed = by_command(place, provider, *most)
    for _ in range(limit):
        if printed.code != Exit.ERROR:
            break
        provider.answer = revoked_after(3)
        run = printed.stderr.rsplit("--resume ", 1)[1].split()[0]
        printed = by_command(place, provider, "--resume", run, *most)
    assert printed.code == Exit.BUDGET
    assert printed.answer["cost"]["model_calls"] == server.sold.total() == limit


def test_a_limit_before_anything_was_read_tells_the_reply_that_was_no_use(
    provider: FakeProvider, place: Path
):
    provider.answer = server = Hostile(malformed=1.0, kinds=("interpret",))
    printed = by_command(place, provider, "--max-calls", "1")
    assert printed.code == Exit.BUDGET
    assert printed.answer["cost"]["model_calls"] == server.sold.total() == 1


EARLY = [1, 2, 3, 4, 5, 6, 7, 10]
"""Limits of calls: in reading the question, in filtering, and in the first rounds of feedback."""
PLACES = ["first feedback", "before the audit", "in the audit"]


@dataclass(frozen=True)
class Whole:
    """What a run does and says that nothing ends."""

    answer: dict[str, Any]
    """Its bill left out."""
    calls: int
    rounds: tuple[ReadingRound, ...]

    def calls_until(self, place: str) -> int:
        """Return after how many calls a run is at a place."""
        first = [each.purpose for each in self.rounds].index("audit")
        at, into = {
            "first feedback": (1, 1),
            "before the audit": (first, 0),
            "in the audit": (first, 2),
        }[place]
        sizes = [each.size for each in self.rounds]
        return self.calls - sum(sizes[at:]) + into


@pytest.fixture(scope="module")
def whole(
    _scattered: Path, tmp_path_factory: pytest.TempPathFactory, _provider_process: FakeProvider
) -> Whole:
    """A run without any limit."""
    corpus = copied(_scattered, tmp_path_factory.mktemp("whole"))
    _provider_process.reset()
    _provider_process.answer = server = Hostile(reader=read_scattered)
    printed = by_command(corpus.path, _provider_process, settings=LOOP_SETTINGS)
    assert printed.code == Exit.ANSWERED
    calls = server.sold.total()
    state = audited(corpus, chat(_provider_process))
    assert calls == server.sold.total() - calls
    assert server.sold["judge"] == 2 * sum(each.size for each in state.rounds)
    return Whole(same_but_for_the_bill(printed.answer), calls, state.rounds)


def _asked(place: Path, provider: FakeProvider, *more: str) -> Printed:
    return by_command(place, provider, *more, settings=LOOP_SETTINGS)


@pytest.mark.parametrize("at", [*EARLY, *PLACES])
def test_a_limit_leaves_a_true_answer_that_goes_on(
    at: int | str, provider: FakeProvider, scattered: Corpus, scattered_place: Path, whole: Whole
):
    provider.answer = server = Hostile(reader=read_scattered)
    limit = at if isinstance(at, int) else whole.calls_until(at)
    stopped = _asked(scattered_place, provider, "--max-calls", str(limit))
    assert stopped.code == Exit.BUDGET
    assert server.sold.total() == stopped.answer["cost"]["model_calls"] == limit
    if limit > 1:
        answer = Answer.model_validate(stopped.answer)
        assert answer.status == "partial"
        assert is_true(answer, scattered, SCATTERED_GOLD)
        assert any("the search ended early" in each for each in answer.warnings)
    run, enough = stopped.answer["run"], str(whole.calls)
    resumed = _asked(scattered_place, provider, "--resume", run, "--max-calls", enough)
    assert resumed.code == Exit.ANSWERED
    assert server.sold.total() == resumed.answer["cost"]["model_calls"] == whole.calls
    assert same_but_for_the_bill(resumed.answer) == whole.answer
