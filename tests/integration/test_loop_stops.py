"""A run that is ended while it reads by feedback or audits goes on there and pays nothing twice."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent.answer import Answer
from agent.coverage import ReadingRound
from graphs.apps.exits import Exit
from tests.fake_provider.asking import chat
from tests.fake_provider.server import FakeProvider
from tests.graphs.prepared import copied
from tests.integration.asking import Printed, by_command, is_true, same_but_for_the_bill
from tests.integration.hostile import Hostile
from tests.integration.scattered import LOOP_SETTINGS, SCATTERED_GOLD, audited, read_scattered
from tools.corpus.corpus import Corpus

pytestmark = [pytest.mark.slow, pytest.mark.faults]

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


@pytest.fixture
def server(provider: FakeProvider) -> Hostile:
    provider.answer = server = Hostile(reader=read_scattered)
    return server


def _asked(place: Path, provider: FakeProvider, *more: str) -> Printed:
    return by_command(place, provider, *more, settings=LOOP_SETTINGS)


@pytest.mark.parametrize("at", [*EARLY, *PLACES])
def test_a_limit_leaves_a_true_answer_that_goes_on(
    at: int | str,
    provider: FakeProvider,
    server: Hostile,
    scattered: Corpus,
    scattered_place: Path,
    whole: Whole,
):
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
