"""The chat reasoner against a server of OpenAI's interface: forms, tools, faults, many at once."""

import contextlib
import dataclasses
import gzip
import json
import re
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_openai import AzureChatOpenAI, ChatOpenAI
from pydantic import SecretStr

from agent.cost import Budget
from agent.errors import (
    CorpusError,
    HeadcountError,
    LimitReached,
    MalformedReply,
    ProviderForbade,
    ProviderRejected,
    ProviderUnavailable,
    ProviderUnreachable,
    RefusedReply,
    SettingsError,
    TruncatedReply,
)
from agent.reasoner import Failure, ToolCall
from agent.reasoners import ChatReasoner, reasoner_around
from agent.reasoners.completion import BadResponse, RequestRefused
from agent.reasoners.concurrency import raise_failure
from tests.fake_provider.asking import ACME, COUNT, FIND, PROMPT, Firm, chat, prompts
from tests.fake_provider.replies import FAULTS, GOOD, Reply, completion, tool_completion
from tests.fake_provider.server import FakeProvider
from tools.runs.file_replies import FileReplies

TOOLS = (FIND, COUNT)


def _refused(message: str, status: int = 400) -> Reply:
    return Reply(body=json.dumps({"error": {"message": message}}).encode(), status=status)


FOUND = ToolCall(tool="find", arguments={"phrase": "acme", "best": 10}, why="It is named.")
IN_WORDS = '{"tool": "find", "arguments": {"phrase": "acme"}, "why": "It is named."}'


@pytest.mark.parametrize(
    ("refuses", "calls", "left"),
    [("response_format=json_schema", 2, {"type": "json_object"}), ("response_format", 3, None)],
)
def test_the_reply_form_falls_back_and_stays(
    provider: FakeProvider, refuses: str, calls: int, left: object
) -> None:
    provider.refuses = (refuses,)
    reasoner = chat(provider, "gpt-5")
    assert reasoner.model.profile == {}, "of OpenAI's model of that name"
    assert reasoner.ask(PROMPT, Firm) == ACME
    assert provider.calls == calls
    assert provider.requests[-1].get("response_format") == left
    reasoner.ask(PROMPT, Firm)
    assert provider.calls == calls + 1
    assert reasoner.spent().model_calls == 2


def test_the_model_sees_what_is_wrong_and_a_schema_that_is_not_enforced_in_words_from_then_on(
    provider: FakeProvider,
) -> None:
    provider.script = ["wrong-type", GOOD]
    reasoner = chat(provider)
    reasoner.ask(PROMPT, Firm)
    reasoner.ask(PROMPT, Firm)
    first, reply, correction = provider.requests[1]["messages"]
    assert first["content"].startswith(PROMPT.text)
    assert reply == {"role": "assistant", "content": '{"name":"acme","count":"many"}'}
    assert "count: Input should be a valid integer" in correction["content"]
    assert "many" not in correction["content"]
    said = ["The firm's name." in each["messages"][0]["content"] for each in provider.requests]
    assert said == [False, True, True]
    assert all("response_format" in each for each in provider.requests)


def test_parameters_that_are_refused_are_left_out(provider: FakeProvider) -> None:
    provider.refuses = ("temperature", "max_tokens")
    assert chat(provider).ask(PROMPT, Firm) == ACME
    assert not {"temperature", "max_tokens"} & provider.requests[-1].keys()


def test_a_native_call_comes_back_validated_with_its_reason(provider: FakeProvider) -> None:
    provider.script = [tool_completion("find", {"phrase": "acme"}, "It is named.")]
    assert chat(provider).choose(PROMPT, TOOLS) == FOUND
    (sent,) = provider.requests
    assert sent["tool_choice"] == "required"
    assert [tool["function"]["name"] for tool in sent["tools"]] == ["find", "count"]
    assert "response_format" not in sent


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (tool_completion("find", {"phrase": 3}), "phrase: Input should be a valid string"),
        (tool_completion("find", {"word": "acme"}), "word: Extra inputs are not permitted"),
        (tool_completion("find", '{"phrase":'), "arguments of find are not a JSON object"),
        (tool_completion("seek", {}), "the tools are: find, count"),
        (completion("I would search."), "no tool was called"),
        (completion('{"name": "acme"}'), "no tool was called"),
    ],
    ids=["type", "name", "cut", "tool", "prose", "object"],
)
def test_a_wrong_call_is_told_back_once(provider: FakeProvider, wrong: Reply, told: str) -> None:
    provider.script = [wrong, tool_completion("find", {"phrase": "acme"}, "It is named.")]
    assert chat(provider).choose(PROMPT, TOOLS) == FOUND
    assert told in provider.requests[1]["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("refuses", "calls"), [("tool_choice=required", 2), ("tool_choice", 3), ("tools", 2)]
)
def test_what_a_server_refuses_of_tools_is_left_out(
    provider: FakeProvider, refuses: str, calls: int
) -> None:
    provider.refuses = (refuses,)
    provider.answer = lambda text, body: IN_WORDS
    reasoner = chat(provider)
    assert reasoner.choose(PROMPT, TOOLS) == FOUND
    assert provider.calls == calls
    assert reasoner.choose(PROMPT, TOOLS) == FOUND
    assert provider.calls == calls + 1


def test_tools_that_no_reply_calls_are_said_in_words_from_then_on(provider: FakeProvider) -> None:
    provider.script = ["prose", IN_WORDS, IN_WORDS]
    reasoner = chat(provider)
    assert [reasoner.choose(PROMPT, TOOLS) for _ in range(2)] == [FOUND, FOUND]
    assert ["tools" in each for each in provider.requests] == [True, False, False]
    assert '"name":"find"' in provider.requests[1]["messages"][0]["content"]


def failures(answers: list[Firm | Failure]) -> list[type[Exception]]:
    return [type(answer.error) for answer in answers if isinstance(answer, Failure)]


def test_requests_in_flight_are_bounded_over_all_threads_and_answers_keep_their_order(
    provider: FakeProvider,
) -> None:
    provider.answer = lambda text, _: {"name": "acme", "count": int(re.findall(r"\d+", text)[-1])}
    reasoner = chat(provider, concurrency=3)
    with ThreadPoolExecutor(3) as pool:
        told = list(pool.map(lambda _: reasoner.ask_many(prompts(10), Firm), range(3)))
    assert [[each.count for each in answers] for answers in told] == [[*range(10)]] * 3
    assert provider.peak <= 3


@pytest.mark.parametrize(
    ("limit", "script", "answered"), [(0, (), 0), (1, ("malformed",), 0), (5, (), 5)]
)
def test_the_limit_of_calls_is_never_exceeded_repairs_included(
    provider: FakeProvider, limit: int, script: tuple[str, ...], answered: int
) -> None:
    provider.script = [*script]
    reasoner = chat(provider, budget=Budget(calls=limit))
    answers = reasoner.ask_many(prompts(20), Firm)
    assert provider.calls == limit == reasoner.spent().model_calls
    assert failures(answers) == [LimitReached] * (20 - answered)


def test_money_is_booked_by_price_which_a_limit_in_dollars_needs(provider: FakeProvider) -> None:
    with pytest.raises(SettingsError, match="price of 'fake'"):
        chat(provider, budget=Budget(usd=1.0))
    reasoner = chat(provider, prices={"fake": (1.0, 2.0)})
    reasoner.ask(PROMPT, Firm)
    spent = reasoner.spent()
    assert (spent.input_tokens, spent.output_tokens) == (11, 7)
    assert spent.usd == pytest.approx(25e-6)


@pytest.fixture
def cached(provider: FakeProvider, tmp_path: Path) -> ChatReasoner:
    return chat(provider, cache=FileReplies(tmp_path / "responses.sqlite"))


def test_equal_prompts_are_paid_once_and_the_cache_serves_when_the_budget_is_spent(
    provider: FakeProvider, cached: ChatReasoner
) -> None:
    assert cached.ask_many([*prompts(5)] * 2, Firm) == [ACME] * 10
    assert provider.calls == 5
    assert (cached.spent().model_calls, cached.spent().cached_calls) == (5, 5)
    broke = chat(provider, cache=cached.cache, budget=Budget(calls=0))
    answers = broke.ask_many(prompts(6), Firm)
    assert answers[:5] == [ACME] * 5
    assert failures(answers) == [LimitReached]


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
        ("filtered-prompt", RefusedReply, 1),
        ("no-finish", BadResponse, 3),
        ("null-choices", BadResponse, 3),
        ("error-200", BadResponse, 3),
        ("html-200", BadResponse, 3),
        ("deep-json", BadResponse, 3),
        ("cut-body", ProviderUnavailable, 1),
        ("429", ProviderUnavailable, 1),
        ("500", ProviderUnavailable, 1),
        ("quota", ProviderRejected, 1),
        ("400", RequestRefused, 1),
        ("401", ProviderRejected, 1),
        ("403", ProviderForbade, 1),
        ("404", ProviderRejected, 1),
    ],
)
def test_each_fault_has_its_error(
    provider: FakeProvider, fault: str, error: type[HeadcountError], calls: int
) -> None:
    with pytest.raises(error):
        chat(provider, fault).ask(PROMPT, Firm)
    assert provider.calls == calls


_BROKEN = ("no-finish", "no-choices", "html-200", "cut-json", "cut-stream")


@pytest.mark.parametrize("fault", [*_BROKEN, "429", "500", "cut-body"])
def test_a_broken_200_is_asked_again_and_booked_and_what_failed_is_repeated(
    provider: FakeProvider, fault: str
) -> None:
    provider.script = [fault, GOOD]
    reasoner = chat(provider, max_retries=1)
    assert reasoner.ask(PROMPT, Firm) == ACME
    assert (provider.calls, reasoner.spent().model_calls) == (2, 1 + (fault in _BROKEN))


def test_a_server_that_nobody_runs_cannot_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        nobody = FakeProvider(url=f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
    with pytest.raises(ProviderUnreachable):
        chat(nobody).ask(PROMPT, Firm)


def test_a_response_that_drips_is_given_up_in_time() -> None:
    given_up = threading.Event()

    def drip() -> None:
        client, _ = listener.accept()
        with client, contextlib.suppress(OSError):
            client.recv(65_536)
            client.sendall(b"HTTP/1.1 200 OK\r\n")
            for _ in range(100):  # for five seconds at most
                client.sendall(b"X-Wait: a bit\r\n")
                if given_up.wait(0.05):
                    break

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=drip)
        thread.start()
        slow = FakeProvider(url=f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
        try:
            with pytest.raises(ProviderUnavailable, match="in time"):
                chat(slow, timeout=0.3).ask(PROMPT, Firm)
        finally:
            given_up.set()
            thread.join()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(("padding", "refused"), [(2**23, True), (2**12, False)])
def test_a_response_has_a_limit_unpacked(
    provider: FakeProvider, packed: bool, padding: int, refused: bool
) -> None:
    body = completion(GOOD).body + b" " * padding
    sent = gzip.compress(body) if packed else body
    headers = {"content-encoding": "gzip"} if packed else {}
    provider.answer = lambda text, asked: Reply(body=sent, headers=headers)
    with pytest.raises(BadResponse, match="8,388,608") if refused else contextlib.nullcontext():
        assert chat(provider).ask(PROMPT, Firm) == ACME


@pytest.mark.parametrize(
    "odd",
    [
        tool_completion("find", {"phrase": "a\ud800"}, "It is\udfff named."),
        completion('{"tool": "find", "arguments": {"phrase": "a\\ud800"}, "why": "\\udfff"}'),
    ],
    ids=["native", "words"],
)
def test_lone_surrogates_in_a_prompt_and_its_reply_are_replaced(
    provider: FakeProvider, cached: ChatReasoner, odd: Reply
) -> None:
    provider.script = [odd]
    asked = dataclasses.replace(PROMPT, text="a\ud800b")
    assert cached.choose(asked, TOOLS).arguments["phrase"] == "a?"
    assert provider.requests[0]["messages"][0]["content"].startswith("a?b")


_LONG = "a\ud800 " * 10_000


@pytest.mark.parametrize(
    "odd", [_refused(_LONG), completion(None, refusal=_LONG), completion(json.dumps({_LONG: 1}))]
)
def test_errors_can_be_written_and_repeat_the_beginning_of_what_is_said(
    provider: FakeProvider, odd: Reply
) -> None:
    provider.script = [odd] * 2
    with pytest.raises(HeadcountError) as raised:
        chat(provider).ask(PROMPT, Firm)
    assert len(str(raised.value).encode()) < 1_100


def test_a_reply_that_cannot_be_kept_ends_what_would_be_asked_again(
    provider: FakeProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = FileReplies(tmp_path / "r.sqlite")

    def put(*_: object) -> None:
        raise CorpusError("the disk is full")

    def until_that_is_known(_: float) -> None:
        with contextlib.suppress(CorpusError):
            for _ in range(10_000_000):  # seconds, after which the calls are counted all the same
                raise_failure()

    monkeypatch.setattr(cache, "put", put)
    provider.answer = lambda text, _: FAULTS["no-finish"] if "(0)" in text else completion(GOOD)
    reasoner = chat(provider, cache=cache, concurrency=2)
    with pytest.raises(CorpusError, match="full"):
        dataclasses.replace(reasoner, sleep=until_that_is_known).ask_many(prompts(9), Firm)
    assert provider.calls == 2


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


def test_azures_client_asks_its_deployment(provider: FakeProvider) -> None:
    provider.refuses = ("max_tokens",)
    model = AzureChatOpenAI(
        azure_endpoint=provider.url.removesuffix("/v1"),
        azure_deployment="mine",
        api_version="2024-10-21",
        api_key=SecretStr("key"),
    )
    reasoner = ChatReasoner(model, name="azure:mine", length="max_tokens")
    assert reasoner.ask(PROMPT, Firm) == ACME
    assert provider.requests[-1]["response_format"]["type"] == "json_schema"
    provider.script = [tool_completion("find", {"phrase": "acme"}, "It is named.")]
    assert reasoner.choose(PROMPT, TOOLS) == FOUND


_KEY = "sk-secret/12345"
_ECHOES = {
    **{str(status): _refused(_KEY, status) for status in (400, 401, 403, 429, 500)},
    "html": Reply(body=_KEY.encode(), media_type="text/html"),
    "cut": Reply(body=b"  ".join([_KEY.encode()] * 50), media_type="text/html"),
    "prose": completion(f"I was asked with {_KEY}"),
    "refusal": completion(None, refusal=_KEY),
    "value": completion(json.dumps({"name": _KEY, "count": 3})),
    "tool": tool_completion("find", {"phrase": _KEY}),
    "escaped": completion(json.dumps({"name": _KEY, "count": 3}).replace("-", "\\u002D")),
    "slashes": completion(json.dumps({"name": _KEY, "count": 3}).replace("/", "\\/")),
    "escaped tool": Reply(
        body=tool_completion("find", {"phrase": _KEY}).body.replace(b"sk-", b"\\\\u0073k-")
    ),
}


@pytest.mark.parametrize("echo", _ECHOES)
def test_a_key_that_the_server_echoes_is_in_no_error_and_no_reply(
    provider: FakeProvider, echo: str
) -> None:
    provider.script = [_ECHOES[echo]] * 8
    reasoner = chat(provider, api_key=SecretStr(_KEY))
    choosing = "tool" in echo
    try:
        told: object = reasoner.choose(PROMPT, [FIND]) if choosing else reasoner.ask(PROMPT, Firm)
    except HeadcountError as error:
        told = error
    assert "secret" not in str(told)


@pytest.mark.parametrize("told", [None, -1, 2**70, 11.5, True])
def test_a_usage_that_cannot_be_is_estimated_and_loses_no_reply(
    provider: FakeProvider, told: object
) -> None:
    usage = {"usage": {"prompt_tokens": told, "completion_tokens": 7}}
    provider.script = [Reply(body=json.dumps(json.loads(completion(GOOD).body) | usage).encode())]
    reasoner = chat(provider)
    assert reasoner.ask(PROMPT, Firm) == ACME
    assert 0 < reasoner.spent().input_tokens < 1_000


def _bare(provider: FakeProvider, model: str = "fake", **options: Any) -> ChatOpenAI:
    key = SecretStr("key")
    return ChatOpenAI(model=model, base_url=provider.url, api_key=key, max_retries=0, **options)


@pytest.mark.parametrize(
    ("model", "own", "limits"),
    [
        ("gpt-5", {}, (272_000, 4096)),
        ("unheard-of", {}, (128_000, 4096)),
        ("unheard-of", {"max_tokens": 300}, (128_000, 300)),
        ("x", {"profile": {"max_input_tokens": 8192, "max_output_tokens": 512}}, (8192, 512)),
    ],
    ids=["its profile", "no profile", "its own limit", "a profile of one's own"],
)
def test_a_bare_chat_model_is_told_of_by_its_profile(
    provider: FakeProvider, model: str, own: dict[str, Any], limits: tuple[int, int]
) -> None:
    reasoner = reasoner_around(_bare(provider, model, **own))
    assert (reasoner.name, reasoner.context_tokens, reasoner.reply_tokens) == (model, *limits)
    assert reasoner.ask(PROMPT, Firm) == ACME
    assert provider.requests[0]["response_format"]["type"] == "json_schema"
    assert reasoner_around(reasoner.model, name="n", context_tokens=9999).context_tokens == 9999


def test_what_the_profile_denies_is_not_tried(provider: FakeProvider) -> None:
    poor = {"structured_output": False, "tool_calling": False, "temperature": False}
    reasoner = reasoner_around(_bare(provider, profile=poor), temperature=0.0)
    assert reasoner.ask(PROMPT, Firm) == ACME
    provider.script = [completion(IN_WORDS)]
    assert reasoner.choose(PROMPT, TOOLS) == FOUND
    first, second = provider.requests
    assert first["response_format"]["type"] == "json_object"
    assert not {"tools", "temperature"} & (first.keys() | second.keys())


def test_a_model_of_another_client_serves_as_it_is_and_chooses_in_words() -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage(GOOD), AIMessage(IN_WORDS)]))
    reasoner = reasoner_around(model)
    assert reasoner.name == "GenericFakeChatModel"
    assert reasoner.ask(PROMPT, Firm) == ACME
    assert reasoner.choose(PROMPT, TOOLS) == FOUND


def test_an_error_of_another_client_is_ours_without_its_key() -> None:
    class TooLarge(Exception):
        status_code = 413

    class Other(GenericFakeChatModel):
        own_key: SecretStr = SecretStr(_KEY)

        def _generate(self, *_: Any, **__: Any) -> Any:
            raise TooLarge(f"no: {_KEY}")

    with pytest.raises(TruncatedReply, match="exceeds the model's context") as told:
        reasoner_around(Other(messages=iter([]))).ask(PROMPT, Firm)
    assert "secret" not in str(told.value)
