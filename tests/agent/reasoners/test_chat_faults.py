"""What a chat reasoner makes of every fault of a provider: a typed failure, never a reply."""

import dataclasses

import pytest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from agent.errors import (
    HeadcountError,
    MalformedReply,
    ProviderRejected,
    ProviderUnavailable,
    RefusedReply,
    TruncatedReply,
)
from agent.reasoners import ChatReasoner
from agent.reasoners.completion import BadResponse, RequestRefused
from tests.fake_provider.asking import ACME, PROMPT, Firm, chat
from tests.fake_provider.replies import GOOD, Reply
from tests.fake_provider.server import FakeProvider


def test_a_good_reply_is_returned_in_its_type(provider: FakeProvider) -> None:
    assert chat(provider).ask(PROMPT, Firm) == ACME


@pytest.mark.parametrize("fault", ["fenced", "wrapped", "no-usage"])
def test_harmless_wrapping_is_let_pass(provider: FakeProvider, fault: str) -> None:
    assert chat(provider, fault).ask(PROMPT, Firm) == ACME
    assert provider.calls == 1


@pytest.mark.parametrize(
    ("fault", "error", "calls"),
    [
        ("malformed", MalformedReply, 2),
        ("wrong-type", MalformedReply, 2),
        ("prose", MalformedReply, 2),
        ("null-content", MalformedReply, 2),
        ("truncated", TruncatedReply, 1),
        ("truncated-whole", TruncatedReply, 1),
        ("context", TruncatedReply, 1),
        ("refusal", RefusedReply, 1),
        ("content-filter", RefusedReply, 1),
        ("no-finish", BadResponse, 3),
        ("no-choices", BadResponse, 3),
        ("null-choices", BadResponse, 3),
        ("error-200", BadResponse, 3),
        ("html-200", BadResponse, 3),
        ("cut-json", BadResponse, 3),
        ("cut-stream", BadResponse, 3),
        ("cut-body", ProviderUnavailable, 1),
        ("429", ProviderUnavailable, 1),
        ("500", ProviderUnavailable, 1),
        ("quota", ProviderRejected, 1),
        ("400", RequestRefused, 1),
        ("401", ProviderRejected, 1),
        ("403", ProviderRejected, 1),
        ("404", ProviderRejected, 1),
    ],
)
def test_each_fault_has_its_error(
    provider: FakeProvider, fault: str, error: type[HeadcountError], calls: int
) -> None:
    with pytest.raises(error):
        chat(provider, fault).ask(PROMPT, Firm)
    assert provider.calls == calls


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (402, ProviderRejected),
        (408, ProviderUnavailable),
        (409, ProviderUnavailable),
        (413, TruncatedReply),
    ],
)
def test_what_concerns_a_request_or_a_moment_is_no_rejection(
    provider: FakeProvider, status: int, error: type[HeadcountError]
) -> None:
    provider.answer = lambda text, body: Reply(body=b"{}", status=status)
    with pytest.raises(error):
        chat(provider).ask(PROMPT, Firm)


@pytest.mark.parametrize("fault", ["malformed", "wrong-type", "prose", "null-content"])
def test_one_malformed_reply_is_mended(provider: FakeProvider, fault: str) -> None:
    provider.script = [fault, GOOD]
    reasoner = chat(provider)
    assert reasoner.ask(PROMPT, Firm) == ACME
    assert reasoner.spent().model_calls == 2


def test_the_model_sees_its_reply_and_what_is_wrong(provider: FakeProvider) -> None:
    provider.script = ["wrong-type", GOOD]
    chat(provider).ask(PROMPT, Firm)
    first, reply, correction = provider.requests[1]["messages"]
    assert first["content"].startswith(PROMPT.text)
    assert reply == {"role": "assistant", "content": '{"name":"acme","count":"many"}'}
    assert "count: Input should be a valid integer" in correction["content"]
    assert "many" not in correction["content"]


@pytest.mark.parametrize("fault", ["no-finish", "no-choices", "html-200", "cut-json", "cut-stream"])
def test_a_broken_200_is_asked_again_and_booked(provider: FakeProvider, fault: str) -> None:
    provider.script = [fault, fault, GOOD]
    reasoner = chat(provider)
    assert reasoner.ask(PROMPT, Firm) == ACME
    assert reasoner.spent().model_calls == 3


@pytest.mark.parametrize("fault", ["429", "500", "cut-body"])
def test_the_client_repeats_what_the_server_failed(provider: FakeProvider, fault: str) -> None:
    provider.script = [fault, GOOD]
    reasoner = chat(provider, max_retries=1)
    assert reasoner.ask(PROMPT, Firm) == ACME
    assert (provider.calls, reasoner.spent().model_calls) == (2, 1)


def test_a_timeout_is_unavailable(provider: FakeProvider) -> None:
    with pytest.raises(ProviderUnavailable, match="timed out"):
        chat(provider, "slow", timeout=0.05).ask(PROMPT, Firm)


def test_a_closed_port_is_unavailable(provider: FakeProvider) -> None:
    provider.url, url = "http://127.0.0.1:9/v1", provider.url
    reasoner = chat(provider)
    provider.url = url
    with pytest.raises(ProviderUnavailable):
        reasoner.ask(PROMPT, Firm)


def test_a_failed_request_costs_nothing(provider: FakeProvider) -> None:
    reasoner = chat(provider, "401")
    with pytest.raises(ProviderRejected, match="Incorrect API key"):
        reasoner.ask(PROMPT, Firm)
    assert reasoner.spent().model_calls == 0


def test_the_request_holds_schema_limit_and_temperature(provider: FakeProvider) -> None:
    chat(provider, reply_tokens=99, temperature=0.5).ask(PROMPT, Firm)
    (sent,) = provider.requests
    named = sent["response_format"]["json_schema"]
    assert (named["name"], named["strict"]) == ("Firm", True)
    assert named["schema"]["additionalProperties"] is False
    assert (sent["max_tokens"], sent["temperature"]) == (99, 0.5)
    assert "max_completion_tokens" not in sent
    assert not sent.get("stream")
    assert named["schema"]["properties"]["name"]["description"] == "The firm's name."
    assert "The firm's name." not in sent["messages"][0]["content"]


def test_lone_surrogates_in_a_prompt_are_replaced(provider: FakeProvider) -> None:
    odd = dataclasses.replace(PROMPT, text="a\ud800b")
    assert chat(provider).ask(odd, Firm) == ACME
    assert provider.requests[0]["messages"][0]["content"].startswith("a?b")


def test_any_chat_model_serves() -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage(GOOD)]))
    reasoner = ChatReasoner(model, name="other")
    assert reasoner.ask(PROMPT, Firm) == ACME
    assert "estimated" in reasoner.warnings[0]
