"""Models of other providers: whose server is asked, by which name and which key."""

import pytest
from pydantic import SecretStr

from agent.errors import SettingsError
from agent.reasoners import ChatReasoner, chat_reasoner, select_reasoner
from agent.settings import load_settings

KEYS = {"HEADCOUNT_API_KEY": "sk-ours-123456", "OPENAI_API_KEY": "sk-openai-123456"}


def client_of(model: str, **settings: str) -> tuple[ChatReasoner, str, str, str]:
    """Return a model's reasoner, its server's address, its name there and its key."""
    reasoner = select_reasoner(load_settings(model=model, **settings))
    assert isinstance(reasoner, ChatReasoner)
    client = reasoner.model
    key = client.openai_api_key.get_secret_value()
    return reasoner, client.openai_api_base, client.model_name, key


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)


def test_a_provider_gets_its_own_key_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "gm-123456789")
    reasoner, url, name, key = client_of("google_genai:gemini-x")
    assert (url, name, key) == (
        "https://generativelanguage.googleapis.com/v1beta/openai",
        "gemini-x",
        "gm-123456789",
    )
    assert (reasoner.name, reasoner.server) == (
        "google_genai:gemini-x",
        "generativelanguage.googleapis.com",
    )


def test_a_missing_key_is_named() -> None:
    with pytest.raises(SettingsError, match="set ANTHROPIC_API_KEY"):
        client_of("anthropic:claude-x")


def test_a_provider_of_this_machine_needs_none() -> None:
    _, url, name, key = client_of("ollama:llama3:8b")
    assert (url, name) == ("http://127.0.0.1:11434/v1", "llama3:8b")
    assert key not in KEYS.values()


@pytest.mark.parametrize("name", ["ft:gpt-4o-mini:org::x", "anthropic:", "nobody:x"])
def test_a_colon_in_a_name_is_no_provider_by_itself(name: str) -> None:
    _, url, served, key = client_of(name)
    assert (url, served, key) == ("https://api.openai.com/v1", name, KEYS["HEADCOUNT_API_KEY"])


def test_a_named_server_calls_its_models_what_it_likes() -> None:
    _, url, served, key = client_of("ollama:llama3", base_url="http://127.0.0.1:1/v1")
    assert (url, served) == ("http://127.0.0.1:1/v1", "ollama:llama3")
    assert key == KEYS["HEADCOUNT_API_KEY"]


def test_openai_can_be_named_too() -> None:
    assert chat_reasoner("openai:gpt-x", api_key=SecretStr("sk-12345678")).name == "gpt-x"
