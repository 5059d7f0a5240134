"""Many prompts at once: order, isolation, bounds, budget, cache."""

import re
import threading
from pathlib import Path
from typing import Any

import pytest

from agent.cost import Budget, Cost
from agent.errors import LimitReached, MalformedReply, ProviderUnavailable, SettingsError
from agent.reasoner import Failure
from agent.reasoners import ChatReasoner, ResponseCache
from tests.fake_provider.asking import ACME, PROMPT, Firm, chat, prompts
from tests.fake_provider.server import Answer, FakeProvider

GOOD = {"name": "acme", "count": 3}


def numbered(text: str, body: object) -> Answer:
    number = re.search(r"\((\d+)\)", text)
    assert number is not None
    return {"name": "acme", "count": int(number[1])}


def failures(answers: list[Firm | Failure]) -> list[type[Exception]]:
    return [type(answer.error) for answer in answers if isinstance(answer, Failure)]


def test_answers_keep_the_order(provider: FakeProvider) -> None:
    provider.answer = numbered
    answers = chat(provider).ask_many(prompts(30), Firm)
    assert answers == [Firm(name="acme", count=index) for index in range(30)]


def test_no_prompts_have_no_answers(provider: FakeProvider) -> None:
    assert chat(provider).ask_many([], Firm) == []


def test_a_failure_touches_no_other(provider: FakeProvider) -> None:
    def answer(text: str, body: dict[str, Any]) -> Answer:
        prompt = body["messages"][0]["content"]
        faults = {"(3)": "malformed", "(5)": "500"}
        return next((fault for part, fault in faults.items() if part in prompt), {**GOOD})

    provider.answer = answer
    answers = chat(provider).ask_many(prompts(8), Firm)
    assert failures(answers) == [MalformedReply, ProviderUnavailable]
    assert [index for index, each in enumerate(answers) if isinstance(each, Failure)] == [3, 5]


def test_requests_in_flight_are_bounded_over_all_threads(provider: FakeProvider) -> None:
    reasoner = chat(provider, concurrency=3)
    threads = [
        threading.Thread(target=reasoner.ask_many, args=(prompts(10), Firm)) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert provider.calls == 30
    assert provider.peak <= 3


@pytest.mark.parametrize("limit", [0, 1, 5])
def test_the_limit_of_calls_is_never_exceeded(provider: FakeProvider, limit: int) -> None:
    reasoner = chat(provider, budget=Budget(calls=limit))
    answers = reasoner.ask_many(prompts(20), Firm)
    assert provider.calls == limit == reasoner.spent().model_calls
    assert failures(answers) == [LimitReached] * (20 - limit)


def test_repairs_count_against_the_limit(provider: FakeProvider) -> None:
    provider.script = ["malformed"]
    with pytest.raises(LimitReached, match="calls"):
        chat(provider, budget=Budget(calls=1)).ask(PROMPT, Firm)
    assert provider.calls == 1


def test_what_was_spent_before_counts(provider: FakeProvider) -> None:
    reasoner = chat(provider, budget=Budget(calls=4), spent=Cost(model_calls=4))
    with pytest.raises(LimitReached):
        reasoner.ask(PROMPT, Firm)
    assert provider.calls == 0


def test_money_is_booked_by_price(provider: FakeProvider) -> None:
    reasoner = chat(provider, prices={"fake": (1.0, 2.0)})
    reasoner.ask(PROMPT, Firm)
    spent = reasoner.spent()
    assert (spent.input_tokens, spent.output_tokens) == (11, 7)
    assert spent.usd == pytest.approx(25e-6)


def test_money_is_unknown_without_a_price(provider: FakeProvider) -> None:
    reasoner = chat(provider)
    reasoner.ask(PROMPT, Firm)
    assert reasoner.spent().usd is None


def test_a_limit_in_dollars_needs_a_price(provider: FakeProvider) -> None:
    with pytest.raises(SettingsError, match="price of 'fake'"):
        chat(provider, budget=Budget(usd=1.0))


@pytest.fixture
def cached(provider: FakeProvider, tmp_path: Path) -> ChatReasoner:
    return chat(provider, cache=ResponseCache(tmp_path / "responses.sqlite"))


def test_equal_prompts_are_paid_once(provider: FakeProvider, cached: ChatReasoner) -> None:
    assert cached.ask_many([PROMPT] * 10, Firm) == [ACME] * 10
    assert provider.calls == 1
    assert (cached.spent().model_calls, cached.spent().cached_calls) == (1, 9)


def test_the_cache_serves_when_the_budget_is_spent(
    provider: FakeProvider, cached: ChatReasoner
) -> None:
    cached.ask_many(prompts(5), Firm)
    broke = chat(provider, cache=cached.cache, budget=Budget(calls=0))
    answers = broke.ask_many(prompts(6), Firm)
    assert answers[:5] == [ACME] * 5
    assert failures(answers) == [LimitReached]


def test_a_mended_reply_is_cached(provider: FakeProvider, cached: ChatReasoner) -> None:
    provider.script = ["malformed"]
    assert cached.ask(PROMPT, Firm) == cached.ask(PROMPT, Firm) == ACME
    assert provider.calls == 2


@pytest.mark.parametrize("fault", ["malformed", "truncated-whole", "refusal", "500", "no-finish"])
def test_failures_are_not_cached(provider: FakeProvider, cached: ChatReasoner, fault: str) -> None:
    provider.script = [fault] * 3
    assert failures(cached.ask_many([PROMPT], Firm))
    provider.script = []
    assert cached.ask(PROMPT, Firm) == ACME


@pytest.mark.parametrize(
    "changed",
    [{"temperature": 1.0}, {"reply_tokens": 100}, {"model": "other"}],
    ids=["temperature", "reply_tokens", "model"],
)
def test_another_request_is_another_key(
    provider: FakeProvider, cached: ChatReasoner, changed: dict[str, Any]
) -> None:
    cached.ask(PROMPT, Firm)
    chat(provider, cache=cached.cache, **changed).ask(PROMPT, Firm)
    assert provider.calls == 2
