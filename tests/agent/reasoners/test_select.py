"""Which reasoner a name stands for: whose server is asked, by which name and with which key."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from langchain_core.rate_limiters import InMemoryRateLimiter
from pydantic import SecretStr

from agent.cost import Cost
from agent.errors import SettingsError
from agent.reasoners import ChatReasoner, chat_reasoner, select_reasoner
from agent.settings import load_settings
from tests.fake_provider.asking import ACME, PROMPT, Firm
from tests.fake_provider.server import FakeProvider
from tools.runs.file_replies import FileReplies


@pytest.mark.parametrize("name", ["lexical", "rules"])
def test_the_embedded_reader_needs_nothing(name: str) -> None:
    assert select_reasoner(name).name == "lexical"


def test_any_other_name_is_a_chat_model_under_the_settings_which_may_switch_the_cache_off(
    provider: FakeProvider, tmp_path: Path
) -> None:
    settings = load_settings(model="fake", base_url=provider.url, max_calls=3, max_retries=0)
    cache = FileReplies(tmp_path / "responses.sqlite")
    reasoner = select_reasoner(settings, cache=cache, spent=Cost(model_calls=1))
    assert reasoner.ask(PROMPT, Firm) == ACME
    assert reasoner.spent().model_calls == 2
    again = select_reasoner(settings, cache=cache)
    assert again.ask(PROMPT, Firm) == ACME
    assert again.spent() == Cost(cached_calls=1)
    assert provider.calls == 1
    uncached = load_settings(model="fake", base_url=provider.url, response_cache=False)
    assert select_reasoner(uncached, cache=cache).ask(PROMPT, Firm) == ACME
    assert provider.calls == 2


@pytest.mark.parametrize("base_url", [None, "https://api.openai.com/v1"])
def test_openai_needs_a_key(base_url: str | None) -> None:
    with pytest.raises(SettingsError, match="HEADCOUNT_API_KEY or OPENAI_API_KEY"):
        chat_reasoner("gpt", base_url=base_url)


def test_openai_gets_its_own_length_parameter_and_no_other_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    reasoner = chat_reasoner("gpt", api_key=SecretStr("k"))
    assert isinstance(reasoner, ChatReasoner)
    assert reasoner.length == "max_completion_tokens"
    assert reasoner.server == "api.openai.com"
    assert reasoner.model.openai_api_base == "https://api.openai.com/v1"  # type: ignore[attr-defined]


def test_requests_leave_evenly_spaced() -> None:
    reasoner = chat_reasoner("fake", base_url="http://127.0.0.1:9/v1", requests_per_second=4)
    limiter = reasoner._limiter
    assert isinstance(limiter, InMemoryRateLimiter)
    assert (limiter.requests_per_second, limiter.max_bucket_size) == (4, 1)


KEYS = {"HEADCOUNT_API_KEY": "sk-ours-123456", "OPENAI_API_KEY": "sk-openai-123456"}
OPENAI, LOCAL = "https://api.openai.com/v1", "http://127.0.0.1:11434/v1"


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize(
    ("model", "named", "url", "served"),
    [
        ("ft:gpt-4o-mini:org::x", None, OPENAI, "ft:gpt-4o-mini:org::x"),
        ("openai:gpt-x", None, OPENAI, "gpt-x"),
        ("llama3:8b", LOCAL, LOCAL, "llama3:8b"),
        ("ollama:llama3", "http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1", "ollama:llama3"),
    ],
    ids=["a colon", "OpenAI itself", "a tag", "a named server"],
)
def test_openais_interface_is_asked_for_a_model_with_the_key_for_it(
    model: str, named: str | None, url: str, served: str
) -> None:
    reasoner = select_reasoner(load_settings(model=model, base_url=named))
    assert isinstance(reasoner, ChatReasoner)
    client: Any = reasoner.model
    assert (client.openai_api_base, client.model_name) == (url, served)
    assert client.openai_api_key.get_secret_value() == KEYS["HEADCOUNT_API_KEY"]
    assert (reasoner.name, reasoner.server) == (model.removeprefix("openai:"), urlsplit(url).netloc)


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize("model", ["groq:x", "anthropic:", "azure_openai:x", "qwen3:8b"])
def test_a_provider_whose_server_is_not_known_is_not_openai(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = load_settings(model=model)
    with pytest.raises(SettingsError, match=r"is of none of .* --base-url, .* as reasoner"):
        select_reasoner(settings)
    with pytest.raises(SettingsError, match="is of none"):
        settings.price()
    monkeypatch.delenv("HEADCOUNT_API_KEY")
    monkeypatch.setenv("OPENAI_BASE_URL", LOCAL)
    client: Any = select_reasoner(load_settings(model=model)).model  # type: ignore[attr-defined]
    assert (client.openai_api_base, client.model_name) == (LOCAL, model)
