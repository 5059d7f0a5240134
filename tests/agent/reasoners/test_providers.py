"""Models of other providers, by their real clients, against their wires on loopback."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from pydantic import SecretStr

from agent.errors import (
    HeadcountError,
    ProviderRejected,
    ProviderUnavailable,
    ProviderUnreachable,
    SettingsError,
    TruncatedReply,
)
from agent.reasoner import ToolCall
from agent.reasoners import ChatReasoner, chat_reasoner
from agent.settings import load_settings
from tests.fake_provider.asking import ACME, COUNT, FIND, PROMPT, Firm

KEY = "sk-ant-1234567890"
GOOD = ACME.model_dump_json()
Said = dict[str, Any]


@dataclass
class Wire:
    """A server that answers every request in a provider's words."""

    reply: Callable[[Said], tuple[int, Said]]
    requests: list[Said] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    url: str = ""


@pytest.fixture
def wire() -> Iterator[Wire]:
    served = Wire(lambda body: (500, {}))

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            served.requests.append(body)
            served.headers.append({name.lower(): value for name, value in self.headers.items()})
            status, told = served.reply(body)
            sent = json.dumps(told).encode() + b"\n"
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield served
    server.shutdown()
    server.server_close()
    thread.join()


def anthropic(text: str = GOOD, end: str = "end_turn", **call: object) -> Said:
    block: Said = {"type": "text", "text": text}
    if call:
        block = {"type": "tool_use", "id": "t1", "name": "find", "input": call}
    usage = {"input_tokens": 7, "output_tokens": 3}
    head = {"id": "m", "type": "message", "role": "assistant", "model": "claude-x"}
    return {**head, "content": [block], "stop_reason": end, "usage": usage}


def ollama(text: str = GOOD, end: str = "stop", **call: object) -> Said:
    message: Said = {"role": "assistant", "content": text}
    if call:
        message |= {
            "content": "",
            "tool_calls": [{"function": {"name": "find", "arguments": call}}],
        }
    counts = {"prompt_eval_count": 7, "eval_count": 3}
    head = {"model": "llama3", "created_at": "2026-01-01T00:00:00Z", "done": True}
    return {**head, "message": message, "done_reason": end, **counts}


WIRES = [("anthropic:claude-x", anthropic, "max_tokens"), ("ollama:llama3", ollama, "length")]


@pytest.fixture(params=WIRES, ids=["anthropic", "ollama"])
def provider(
    request: pytest.FixtureRequest, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> tuple[ChatReasoner, Wire, Callable[..., Said], str]:
    name, said, cut = request.param
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", wire.url)
    monkeypatch.setenv("ANTHROPIC_API_URL", wire.url)
    monkeypatch.setenv("OLLAMA_HOST", wire.url)
    reasoner = chat_reasoner(name, max_retries=0, reply_tokens=500, context_tokens=9000)
    reasoner.sleep = lambda seconds: None
    return reasoner, wire, said, cut


Provider = tuple[ChatReasoner, Wire, Callable[..., Said], str]


def test_a_typed_reply_and_its_bill(provider: Provider) -> None:
    reasoner, wire, said, _ = provider
    wire.reply = lambda body: (200, said())
    assert reasoner.ask(PROMPT, Firm) == ACME
    assert (reasoner.spent().input_tokens, reasoner.spent().output_tokens) == (7, 3)
    body = wire.requests[0]
    asked = json.dumps(body["messages"])
    assert "The firm's name." in asked, "the schema stands in the prompt"
    limits = body.get("options", body)
    assert 500 in (limits.get("max_tokens"), limits.get("num_predict"))
    assert limits.get("num_ctx", 9000) == 9000


def test_a_tool_is_called_natively(provider: Provider) -> None:
    reasoner, wire, said, _ = provider
    wire.reply = lambda body: (200, said(phrase="acme"))
    chosen = reasoner.choose(PROMPT, (FIND, COUNT))
    assert chosen == ToolCall(tool="find", arguments={"phrase": "acme", "best": 10})
    assert {each.get("name") or each["function"]["name"] for each in wire.requests[0]["tools"]} == {
        "find",
        "count",
    }


def test_a_cut_reply_is_no_verdict(provider: Provider) -> None:
    reasoner, wire, said, cut = provider
    wire.reply = lambda body: (200, said(end=cut))
    with pytest.raises(TruncatedReply):
        reasoner.ask(PROMPT, Firm)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, ProviderRejected),
        (401, ProviderRejected),
        (404, ProviderRejected),
        (429, ProviderUnavailable),
        (500, ProviderUnavailable),
        (529, ProviderUnavailable),
    ],
)
def test_what_fails_is_an_error_of_ours(
    provider: Provider, status: int, kind: type[HeadcountError]
) -> None:
    reasoner, wire, _, _ = provider
    told = {"type": "error", "error": {"type": "some_error", "message": f"no, {KEY}"}}
    wire.reply = lambda body: (status, told)
    with pytest.raises(kind) as raised:
        reasoner.ask(PROMPT, Firm)
    if "anthropic" in reasoner.name:
        assert KEY not in str(raised.value)


def test_a_server_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    with pytest.raises(ProviderUnreachable):
        chat_reasoner("ollama:llama3").ask(PROMPT, Firm)


def test_our_key_is_not_sent_to_another_provider(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, wire, said, _ = provider
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai-123456")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    settings = load_settings(model=provider[0].name, api_key=SecretStr("sk-ours-123456"))
    reasoner = chat_reasoner(settings.model, **settings.chat_options())
    wire.reply = lambda body: (200, said())
    assert reasoner.ask(PROMPT, Firm) == ACME
    assert "sk-ours" not in json.dumps(wire.headers)
    assert "sk-openai" not in json.dumps(wire.headers)


def test_a_missing_package_is_named() -> None:
    with pytest.raises(SettingsError, match="langchain-cohere"):
        chat_reasoner("cohere:command")


def test_a_colon_in_a_name_is_no_provider_by_itself() -> None:
    named = chat_reasoner("ft:gpt-4o-mini:org::x", api_key=SecretStr("sk-12345678"))
    assert (named.name, named.server) == ("ft:gpt-4o-mini:org::x", "api.openai.com")
    local = chat_reasoner("ollama:llama3", base_url="http://127.0.0.1:1/v1")
    assert (local.name, local.server) == ("ollama:llama3", "127.0.0.1:1")
    plain = chat_reasoner("openai:gpt-4o-mini", api_key=SecretStr("sk-12345678"))
    assert plain.name == "gpt-4o-mini"
