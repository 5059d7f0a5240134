"""Prices that are set go before a table's; a table is asked about providers' servers alone."""

import sys
from pathlib import Path

import genai_prices
import pytest

from agent.settings import OPENAI_URL, load_settings

NONE = (None, "")
MINI = (0.15, 0.6)


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("model", ["gpt-4o-mini", "openai:gpt-4o-mini"])
def test_a_providers_own_model_has_the_tables_price_with_its_version_and_date(model: str) -> None:
    price, said_by = load_settings(model=model).price()
    assert price == MINI
    assert said_by.startswith(f"genai-prices {genai_prices.__version__}, newest of 20")


OTHERS = (
    "anthropic:claude-sonnet-4-5", "bedrock:amazon.nova-lite-v1:0",
    "google:gemini-2.5-flash", "mistral:mistral-large-latest",
)  # fmt: skip


@pytest.mark.parametrize("model", OTHERS)
def test_the_table_knows_other_providers(model: str) -> None:
    price, _ = load_settings(model=model).price()
    assert price is not None
    assert 0 < price[0] <= price[1]


def test_a_price_that_is_set_goes_before_the_tables_with_its_own_day(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = {"prices": {"gpt-4o-mini": (1, 2)}, "prices_of": "2026-11-02"}
    assert load_settings(model="gpt-4o-mini", **told).price() == ((1, 2), "2026-11-02")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-12345678")
    options = load_settings(model="openai:gpt-4o-mini", **told).chat_options()
    assert (options["prices"], options["prices_of"]) == ({"gpt-4o-mini": (1, 2)}, "2026-11-02")


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:8000/v1", "https://api.openai.com.example.org/v1"]
)
def test_a_name_behind_another_address_has_no_providers_price(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load_settings(model="gpt-4o-mini", base_url=address).price() == NONE
    monkeypatch.setenv("OPENAI_API_KEY", "sk-12345678")
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    assert load_settings(model="gpt-4o-mini").price() == NONE
    assert load_settings(model="gpt-4o-mini", base_url=OPENAI_URL).price()[0] == MINI
    monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
    assert load_settings(model="anthropic:claude-sonnet-4-5").price() == NONE


@pytest.mark.parametrize(
    "model", ["gpt-unheard-of", "text-embedding-3-small", "ollama:gpt-4o-mini"]
)
def test_what_the_table_has_no_two_prices_of_is_unknown(model: str) -> None:
    assert load_settings(model=model).price() == NONE


def test_without_the_package_no_price_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    assert load_settings(model="gpt-4o-mini").price() == NONE


def test_of_prices_by_length_the_highest_holds() -> None:
    model = "google:gemini-2.5-pro"  # whose long prompts cost more
    short, long = (
        load_settings(model=model, context_tokens=each).price()[0] for each in (128_000, 300_000)
    )
    assert short is not None
    assert long is not None
    assert long[0] > short[0]
    assert long[1] > short[1]
