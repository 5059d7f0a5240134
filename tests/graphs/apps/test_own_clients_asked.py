"""Whole questions by each provider's own client, against imitations of their wires."""

import json
from pathlib import Path

import pytest

from tests.fake_provider.clients import CLIENTS, own_client_at
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import Q, refused, told_by
from tests.integration.reader import read

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("extra", CLIENTS)
def test_a_question_is_answered_and_its_replies_are_kept(
    extra: str, place: Path, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.answer = read
    flags = ("--max-calls", "99", "--max-usd", "9")
    prices = json.dumps({"ollama:qwen3:8b": [0, 0]} | {CLIENTS[extra][0]: [1, 2]})
    monkeypatch.setenv("HEADCOUNT_PRICES", prices)
    with own_client_at(provider, extra, monkeypatch) as model:
        told = told_by("ask", place, Q, "--model", model, *flags)
        calls = provider.calls
        assert calls == told["cost"]["model_calls"] > 2
        again = told_by("ask", place, Q, "--model", model, *flags)
    assert (again["value"], provider.calls) == (told["value"], calls)
    assert told["value"] == 5
    assert told["cost"]["usd"] > 0


@pytest.mark.parametrize("extra", CLIENTS)
def test_a_wrong_key_ends_the_run_in_one_line(
    extra: str, place: Path, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.answer = lambda text, body: "401"
    with own_client_at(provider, extra, monkeypatch) as model:
        assert "Incorrect API key provided" in refused("ask", place, Q, "--model", model)
    assert provider.calls < 3


@pytest.mark.parametrize("extra", CLIENTS)
def test_an_estimate_knows_the_limits_of_the_model(
    extra: str, place: Path, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    with own_client_at(provider, extra, monkeypatch) as model:
        told = told_by("ask", place, Q, "--model", model, "--estimate")
    assert told["calls"][0] > 0
    assert provider.calls == 0
