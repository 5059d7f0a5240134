"""The providers' own clients: a model of each, and what leads it to the fake provider."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from agent.reasoners import own_clients
from tests.fake_provider.server import FakeProvider

KEY = "k-secret-12345"
CLIENTS = {
    "anthropic": (
        "anthropic:claude-sonnet-4-6",
        {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "{root}"},
    ),
    "bedrock": (
        "bedrock:anthropic.claude-sonnet-4-5-20250929-v1:0",
        {
            "AWS_ACCESS_KEY_ID": "AKIA12345678",
            "AWS_SECRET_ACCESS_KEY": KEY,
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": "{root}",
        },
    ),
    "google": (
        "google:gemini-2.5-flash",
        {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": "{root}"},
    ),
    "mistral": (
        "mistral:mistral-medium-latest",
        {"MISTRAL_API_KEY": KEY, "MISTRAL_BASE_URL": "{root}/v1"},
    ),
    "ollama": ("ollama:qwen3:8b", {"OLLAMA_API_KEY": KEY, "OLLAMA_HOST": "{root}"}),
}


@contextmanager
def own_client_at(
    provider: FakeProvider, extra: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Set up a client for the fake provider and yield its model; what it opens is closed."""
    model, variables = CLIENTS[extra]
    for name, value in variables.items():
        monkeypatch.setenv(name, value.format(root=provider.url.removesuffix("/v1")))
    made: list[Any] = []
    own_client = own_clients.own_client

    def noting(settings: Any) -> Any:
        built = own_client(settings)
        made.append(built[0])
        return built

    monkeypatch.setattr(own_clients, "own_client", noting)
    yield model
    for each in made:
        if extra != "anthropic":  # whose connections are shared by all
            (each._client if extra == "ollama" else each.client).close()
