"""A second reasoner that reads well, disagrees, or fails: the run answers, and says which."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent.cost import Cost
from agent.reasoner import Reasoner
from agent.state import State
from graphs.apps.exits import Exit
from tests.fake_provider.asking import chat
from tests.fake_provider.replies import FAULTS, Reply
from tests.fake_provider.server import FakeProvider
from tests.integration.asking import (
    FILTERED,
    GOLD,
    MANY_REQUESTS,
    answered,
    by_command,
    ended,
    names,
    same_but_for_the_bill,
)
from tests.integration.reader import Body, Reader, doubting, read
from tools.corpus.corpus import Corpus

pytestmark = pytest.mark.slow

SECOND = "second"
"""The model's name."""
ASKED = {**MANY_REQUESTS, "HEADCOUNT_SECOND_OPINION": SECOND, "HEADCOUNT_SECOND_SAMPLE": "4"}
BROKEN = ["500", "429", "cut-body", "malformed", "refusal", "truncated", "null-content", "401"]


@dataclass
class TwoReaders:
    """A server of two models, of which the second reads in its own way."""

    other: Reader
    first: Reader = read
    asked: int = 0
    """Requests to the second model."""

    def __call__(self, text: str, body: Body) -> Reply:
        if body["model"] != SECOND:
            return self.first(text, body)
        self.asked += 1
        return self.other(text, body)


def _ran(corpus: Corpus, provider: FakeProvider) -> State:
    def second(spent: Cost) -> Reasoner:
        return chat(provider, SECOND, already_spent=spent)

    return ended(corpus, chat(provider), FILTERED, second=second)


def _drawn(state: State) -> int:
    opinion = state.second_opinion
    return sum(each.drawn for each in opinion.strata) if opinion else 0


def test_the_second_reasoner_is_heard(provider: FakeProvider, corpus: Corpus):
    provider.answer = server = TwoReaders(read)
    state = _ran(corpus, provider)
    opinion = state.second_opinion
    agreed = sum(len(each.yes if each.first else each.no) for each in opinion.strata)
    assert agreed == _drawn(state) > 0
    assert names(state.answer) == GOLD
    assert state.answer.cost.model_calls == provider.calls
    assert server.asked > 0


@pytest.mark.parametrize("mode", BROKEN)
def test_a_second_reasoner_that_fails_costs_nothing_but_its_opinion_and_is_told(
    mode: str, provider: FakeProvider, corpus: Corpus
):
    provider.answer = read
    alone = answered(corpus, chat(provider), FILTERED)
    provider.answer = TwoReaders(lambda text, body: FAULTS[mode])
    state = _ran(corpus, provider)
    answer = state.answer
    assert (answer.entities, answer.bounds) == (alone.entities, alone.bounds)
    assert (answer.status, answer.coverage) == (alone.status, alone.coverage)
    assert _drawn(state) == 0
    assert any("second" in each for each in answer.warnings)


@pytest.mark.parametrize("more", [0, 3, 7])
def test_a_limit_in_the_second_opinion_ends_the_run_and_a_higher_one_goes_on(
    more: int, provider: FakeProvider, place: Path
):
    provider.answer = TwoReaders(read)
    alone = by_command(place, provider)
    whole = by_command(place, provider, settings=ASKED)
    shutil.rmtree(place / "runs")
    provider.requests.clear()
    limit = alone.answer["cost"]["model_calls"] + more
    again = ("--second-opinion", SECOND, "--max-calls", str(limit))
    stopped = by_command(place, provider, *again, settings=ASKED)
    assert stopped.code == Exit.BUDGET
    assert provider.calls == stopped.answer["cost"]["model_calls"] == limit
    assert stopped.answer["entities"] == alone.answer["entities"]
    assert stopped.answer["bounds"] == alone.answer["bounds"]
    hint = stopped.stderr.splitlines()[-1]
    assert hint.endswith(f"--second-opinion {SECOND}")
    run = stopped.answer["run"]
    resumed = by_command(place, provider, "--resume", run, settings=ASKED)
    assert resumed.code == Exit.ANSWERED
    assert resumed.answer["cost"]["model_calls"] == provider.calls
    assert same_but_for_the_bill(resumed.answer) == same_but_for_the_bill(whole.answer)


@pytest.mark.parametrize("limit", [20, 34, 38])
def test_both_reasoners_keep_one_limit_over_several_readings(
    limit: int, provider: FakeProvider, place: Path
):
    provider.answer = TwoReaders(read, doubting)
    more = ("--on-ambiguity", "branch", "--max-calls", str(limit))
    printed = by_command(place, provider, *more, settings=ASKED)
    assert printed.code == Exit.BUDGET
    assert provider.calls <= limit
    assert printed.answer["cost"]["model_calls"] == provider.calls
