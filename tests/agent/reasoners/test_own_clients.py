"""The providers' own clients against imitations of their wires: what they send and what fails."""

import dataclasses
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain.chat_models.base import _get_chat_model_creator
from pydantic import SecretStr

from agent.errors import (
    HeadcountError,
    ProviderError,
    ProviderRejected,
    ProviderUnavailable,
    ProviderUnreachable,
    RefusedReply,
    SettingsError,
    TruncatedReply,
)
from agent.reasoner import ToolCall
from agent.reasoners import ChatReasoner, select_reasoner
from agent.reasoners.completion import _TELLING
from agent.reasoners.concurrency import STOPPING
from agent.reasoners.typed_reply import ToolChoice, TypedReply
from agent.settings import load_settings
from tests.agent.reasoners.test_typed_reply import REPLIES
from tests.fake_provider.asking import ACME, COUNT, FIND, PROMPT, Firm
from tests.fake_provider.clients import CLIENTS, KEY, own_client_at
from tests.fake_provider.replies import FAULTS, GOOD, Reply, completion, tool_completion
from tests.fake_provider.server import FakeProvider
from tools.filters.registry import specs

Build = Callable[..., ChatReasoner]


@pytest.fixture(params=CLIENTS)
def client(request: pytest.FixtureRequest) -> str:
    """The name of an extra."""
    return str(request.param)


@pytest.fixture
def build(client: str, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch) -> Iterator[Build]:
    """Return what builds the client's reasoner at the fake provider; it never sleeps."""
    with own_client_at(provider, client, monkeypatch) as model:

        def built(name: str = model, **flags: Any) -> ChatReasoner:
            reasoner = select_reasoner(load_settings(model=name, **{"max_retries": 0, **flags}))
            assert isinstance(reasoner, ChatReasoner)
            return dataclasses.replace(reasoner, sleep=lambda seconds: None)

        yield built


def at(body: dict[str, Any], path: str) -> Any:
    """Return a member of a request."""
    value: Any = body
    for step in path.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return value


SENT = {
    "anthropic": ("temperature", "max_tokens", "output_config.format.schema"),
    "bedrock": (
        *("inferenceConfig.temperature", "inferenceConfig.maxTokens"),
        "outputConfig.textFormat.structure.jsonSchema.schema",
    ),
    "google": (
        *("generationConfig.temperature", "generationConfig.maxOutputTokens"),
        "generationConfig.responseJsonSchema",
    ),
    "mistral": ("temperature", "max_tokens", "response_format.json_schema.schema"),
    "ollama": ("options.temperature", "options.num_predict", "format"),
}


def test_a_typed_reply_is_asked_for_by_schema(
    client: str, build: Build, provider: FakeProvider
) -> None:
    reasoner = build(temperature=0.5, reply_tokens=99)
    assert reasoner.ask(PROMPT, Firm) == ACME
    (sent,) = provider.requests
    temperature, length, schema = (at(sent, path) for path in SENT[client])
    assert (temperature, length) == (0.5, 99)
    schema = json.loads(schema) if isinstance(schema, str) else schema
    assert schema["required"] == ["name", "count"]
    assert schema["additionalProperties"] is False
    assert "Its JSON Schema" not in json.dumps(sent)
    spent = reasoner.spent()
    assert (spent.model_calls, spent.input_tokens, spent.output_tokens) == (1, 11, 7)


def test_a_tool_is_called(build: Build, provider: FakeProvider) -> None:
    provider.script = [tool_completion("find", {"phrase": "acme"})]
    found = build().choose(PROMPT, [FIND, COUNT])
    assert found == ToolCall(tool="find", arguments={"phrase": "acme", "best": 10}, why="")
    (sent,) = provider.requests
    assert "Find a phrase." in json.dumps(sent)


def test_every_reply_and_every_filter_can_be_asked_for(
    client: str, build: Build, provider: FakeProvider
) -> None:
    reasoner = build()
    for reply in REPLIES:
        reasoner._send(PROMPT, TypedReply(reply))
    assert all(at(each, SENT[client][2]) for each in provider.requests)
    assert provider.calls == len(REPLIES)
    offered = specs()
    reasoner._send(PROMPT, ToolChoice(offered))
    assert provider.calls == len(REPLIES) + 1
    sent = json.dumps(provider.requests[-1])
    assert all(f'"{each.name}"' in sent for each in offered)


def test_no_other_key_reaches_a_client(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADCOUNT_API_KEY", "sk-ours-123456")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai-123456")
    held = [each for each in vars(build().model).values() if isinstance(each, SecretStr)]
    assert {str(each.get_secret_value()) for each in held} <= {KEY, "AKIA12345678"}


@pytest.mark.parametrize(
    ("fault", "error", "said"),
    [
        ("401", ProviderRejected, "Incorrect API key"),
        ("404", ProviderRejected, "does not exist"),
        ("429", ProviderUnavailable, "slow down"),
        ("500", ProviderUnavailable, "oops"),
        ("truncated", TruncatedReply, "was cut after 7 tokens"),
        ("no-finish", ProviderUnavailable, "no usable completion|cut the reply"),
    ],
)
def test_what_a_server_says_is_told_in_a_line(
    build: Build, provider: FakeProvider, fault: str, error: type[HeadcountError], said: str
) -> None:
    provider.answer = lambda text, body: FAULTS[fault]
    with pytest.raises(error, match=said) as raised:
        build().ask(PROMPT, Firm)
    assert "\n" not in str(raised.value)


ODD = [
    *(b"<html>502 Bad Gateway</html>", b"", b"null", b"[]", b"{}", b'{"id": "c', bytes(range(256))),
    b'{"error": {"message": "up", "code": 502}}',
    b'{"choices": [], "candidates": [], "content": [], "output": {}, "message": {}}',
    b'{"id": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
]


@pytest.mark.parametrize("status", [200, 400, 502])
def test_a_body_that_cannot_be_read_is_the_servers_failure(
    build: Build, provider: FakeProvider, status: int
) -> None:
    reasoner = build()
    broken = Reply(body=b'{"id":', status=status, promised=400, raw=True)
    for reply in (broken, *(Reply(body=body, status=status, raw=True) for body in ODD)):
        provider.answer = lambda *_, reply=reply: reply
        with pytest.raises(ProviderError) as raised:
            reasoner.ask(PROMPT, Firm)
        assert "\n" not in str(raised.value)
        with pytest.raises(ProviderError):
            reasoner.choose(PROMPT, [FIND])


TOO_LONG = {
    "anthropic": "prompt is too long: 210000 tokens > 200000 maximum",
    "bedrock": "Input is too long for requested model.",
    "google": "The input token count (9) exceeds the maximum number of tokens allowed (8).",
    "mistral": "Prompt contains 9 tokens, too large for model with 8 maximum context length",
    "ollama": "the input length exceeds the context length",
}


def test_a_prompt_that_is_too_long_is_to_be_made_shorter(
    client: str, build: Build, provider: FakeProvider
) -> None:
    body = json.dumps({"error": {"message": TOO_LONG[client]}}).encode()
    provider.script = [Reply(body=body, status=400)]
    with pytest.raises(TruncatedReply, match="set context_tokens"):
        build().ask(PROMPT, Firm)


def test_a_filter_refuses(client: str, build: Build, provider: FakeProvider) -> None:
    if client in {"mistral", "ollama"}:
        pytest.skip("its servers have none")
    provider.script = [completion("", "content_filter")]
    with pytest.raises(RefusedReply):
        build().ask(PROMPT, Firm)


def test_a_refused_schema_is_said_in_words_from_then_on(
    client: str, build: Build, provider: FakeProvider
) -> None:
    provider.refuses = (SENT[client][2].split(".")[0],)
    if client in {"google", "bedrock", "ollama"}:
        told = {"error": {"message": "invalid JSON schema in format"}}
        provider.refuses, provider.script = (), [Reply(body=json.dumps(told).encode(), status=400)]
    reasoner = build()
    assert reasoner.ask(PROMPT, Firm) == ACME
    provider.refuses = ()
    assert reasoner.ask(PROMPT, Firm) == ACME
    assert provider.calls == 3
    assert [at(each, SENT[client][2]) is None for each in provider.requests] == [False, True, True]
    assert "Its JSON Schema" in json.dumps(provider.requests[-1])


def test_a_refused_temperature_is_left_out(
    client: str, build: Build, provider: FakeProvider
) -> None:
    if client in {"mistral", "ollama"}:
        pytest.skip("its servers take one for any model")
    told = {"error": {"message": "`temperature` is deprecated for this model."}}
    provider.script = [Reply(body=json.dumps(told).encode(), status=400)]
    assert build().ask(PROMPT, Firm) == ACME
    first, second = (at(each, SENT[client][0]) for each in provider.requests)
    assert first == 0
    assert second in {None, 0.7}  # what Google's client says by itself


def test_a_failing_server_is_asked_again_as_often_as_is_set_after_the_pause_that_it_asks_for(
    client: str, build: Build, provider: FakeProvider
) -> None:
    paused: list[float] = []
    busy = dataclasses.replace(FAULTS["429"], headers={"retry-after": "7"})
    reasoner = dataclasses.replace(build(max_retries=1), sleep=paused.append)
    provider.script = [busy]
    assert reasoner.ask(PROMPT, Firm) == ACME
    assert paused == [0.5 if client in {"google", "ollama"} else 7]  # which keep no header
    provider.script = [busy, "500", GOOD]
    with pytest.raises(ProviderUnavailable):
        reasoner.ask(PROMPT, Firm)
    assert provider.calls == 4


def test_no_server_is_no_connection(
    client: str, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in CLIENTS[client][1].items():
        if "{root}" in value:
            monkeypatch.setenv(name, value.format(root="http://127.0.0.1:9"))
    with pytest.raises(ProviderUnreachable):
        build().ask(PROMPT, Firm)


@pytest.mark.parametrize("status", [301, 307])
def test_no_redirect_is_followed(
    client: str, build: Build, provider: FakeProvider, status: int
) -> None:
    if client == "anthropic":
        pytest.skip("its client follows them, which cannot be set")
    elsewhere = {"location": f"{provider.url}/elsewhere"}
    moved = Reply(body=b'{"error": {"message": "moved"}}', status=status, headers=elsewhere)
    provider.script = [moved] * 3
    with pytest.raises(HeadcountError):
        build().ask(PROMPT, Firm)
    assert provider.calls == 3 - len(provider.script)


def test_a_request_is_given_up_in_time_and_none_begins_while_the_command_stops(
    build: Build, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.gate = threading.Semaphore(0)
    reasoner = dataclasses.replace(build(), seconds=0.2)
    try:
        with pytest.raises(ProviderUnavailable):
            reasoner.ask(PROMPT, Firm)
    finally:
        provider.gate.release(9)
    while provider.live:
        time.sleep(0.01)
    monkeypatch.setattr(STOPPING, "is_set", lambda: True)
    with pytest.raises(KeyboardInterrupt):
        reasoner.ask(PROMPT, Firm)
    assert provider.calls == 1


def test_no_error_holds_the_key(build: Build, provider: FakeProvider) -> None:
    told = json.dumps({"error": {"message": f"Incorrect API key: {KEY}"}}).encode()
    for status in (400, 401, 403, 429, 500):
        provider.script = [Reply(body=told, status=status)]
        with pytest.raises(HeadcountError) as raised:
            build().ask(PROMPT, Firm)
        assert KEY not in str(raised.value)


def test_the_limits_are_the_profiles_unless_they_are_set(
    client: str, build: Build, provider: FakeProvider
) -> None:
    reasoner = build()
    assert reasoner.context_tokens not in {128_000, 9000}
    own = build(context_tokens=9000, reply_tokens=100)
    assert (own.context_tokens, own.reply_tokens) == (9000, 100)
    if client == "ollama":
        own.ask(PROMPT, Firm)
        assert provider.requests[0]["options"]["num_ctx"] == 9000


def test_a_missing_client_is_named_with_what_installs_it(
    client: str, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    _get_chat_model_creator.cache_clear()
    for package in _TELLING:
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(SettingsError, match=rf"pip install 'headcount\[{client}\]'"):
        build()
    monkeypatch.setitem(sys.modules, "langchain.chat_models", None)
    with pytest.raises(SettingsError, match=rf"pip install 'headcount\[{client}\]'"):
        build()


def test_a_missing_key_is_named_before_anything_is_sent(
    client: str, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    if client == "ollama":
        pytest.skip("no key")
    for name in CLIENTS[client][1]:
        monkeypatch.delenv(name)
    named = {"bedrock": "specify a region", "google": "GOOGLE_API_KEY"}
    with pytest.raises(SettingsError, match=named.get(client, f"{client.upper()}_API_KEY")):
        build()


def test_what_a_client_does_not_take_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MISTRAL_API_KEY", KEY)
    with pytest.raises(SettingsError, match=r"cannot be asked: .*temperature"):
        select_reasoner(load_settings(model="mistral:x", temperature=1.5))
