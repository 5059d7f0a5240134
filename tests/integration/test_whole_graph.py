"""The whole graph with the real client against a server that reads well."""

from pathlib import Path

import pytest

from tests.fake_provider.asking import chat
from tests.fake_provider.server import FakeProvider
from tests.integration.asking import (
    FILTERED,
    GOLD,
    adds_up,
    answered,
    by_command,
    names,
    quotes_hold,
)
from tests.integration.reader import kind_of, read
from tools.corpus.corpus import Corpus

SMALL_BATCHES = FILTERED.model_copy(update={"batch_tokens": 150})


@pytest.fixture(autouse=True)
def _reads_well(provider: FakeProvider) -> None:
    provider.answer = read


def test_every_match_is_found_through_every_prompt(provider: FakeProvider, corpus: Corpus):
    answer = answered(corpus, chat(provider), SMALL_BATCHES)
    asked = [kind_of(body) for body in provider.requests]
    assert asked[:4] == ["interpret", "classify", "plan", "observe"]
    assert asked[4] == "plan"
    assert set(asked[5:]) == {"judge"}
    assert names(answer) == GOLD
    assert answer.value == len(GOLD)
    assert answer.bounds == (len(GOLD), len(corpus.documents))
    assert answer.cost.model_calls == provider.calls
    assert adds_up(answer)
    assert quotes_hold(answer, corpus)


def test_a_question_asked_twice_is_paid_once(provider: FakeProvider, place: Path):
    first = by_command(place, provider).answer
    paid = provider.calls
    second = by_command(place, provider).answer
    assert provider.calls == paid
    assert second["cost"]["model_calls"] == 0
    assert second["cost"]["cached_calls"] == first["cost"]["model_calls"]
    assert [each["name"] for each in second["entities"]] == GOLD
