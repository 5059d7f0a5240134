"""The providers that a model's name can begin with, as in `providers.toml`, and their prices."""

import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from importlib.resources import files
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A provider of models, as its users set it up."""

    address: str
    """Its own server."""
    addresses: Sequence[str]
    """The variables that name another server, which its client reads."""
    extra: str
    """What installs its own client."""
    keys: Sequence[str] = ()
    """The variables of which one holds the key; none where it needs none or has its own chain."""

    def server(self) -> str:
        """Return the address that the environment names, else the provider's own."""
        return next(filter(None, map(os.environ.get, self.addresses)), None) or self.address


PROVIDERS: Final = {
    name: Provider(**told)
    for name, told in tomllib.loads(
        files("agent").joinpath("providers.toml").read_text(encoding="utf-8")
    ).items()
}
"""By LangChain's name of the provider."""
_ALIASES = {"bedrock": "bedrock_converse", "google": "google_genai", "mistral": "mistralai"}
KNOWN = sorted([*PROVIDERS, *_ALIASES])


def split_name(name: str) -> tuple[str, str]:
    """Return LangChain's name of the provider that a model's name begins with, and the rest.

    >>> split_name("google:gemini-x"), split_name("ollama:qwen3:8b"), split_name("qwen3:8b")
    (('google_genai', 'gemini-x'), ('ollama', 'qwen3:8b'), ('', 'qwen3:8b'))
    """
    prefix, _, own = name.partition(":")
    provider = _ALIASES.get(prefix, prefix)
    return (provider, own) if own and provider in PROVIDERS else ("", name)


def listed_price(
    model: str, address: str, context_tokens: int
) -> tuple[tuple[float, float], str] | None:
    """Return dollars per million tokens in and out, and the table; None where none has them.

    The table is that of the package `genai-prices`, where that is installed.
    Of what a provider asks by the length of a request it is the most, and nothing is taken off for
    what it keeps of a prompt: a limit in dollars has to hold. No network is used.
    """
    try:
        from genai_prices import Usage, calc_price
    except ModuleNotFoundError:
        return None
    full = Usage(input_tokens=context_tokens, output_tokens=context_tokens)
    try:
        told = calc_price(full, model, provider_api_url=address)
    except LookupError:
        return None
    if None in (told.model_price.input_mtok, told.model_price.output_mtok):
        return None  # priced by the second or the picture
    per_million = 1_000_000 / Decimal(context_tokens)
    dollars = float(told.input_price * per_million), float(told.output_price * per_million)
    return dollars, _name(datetime.now(UTC).date())


def _name(today: date) -> str:
    """Name the table by its version and the newest of its dated prices; it has no date itself."""
    from genai_prices import __version__
    from genai_prices.data_snapshot import get_snapshot

    dated = (
        each.constraint.start_date
        for provider in get_snapshot().providers
        for model in provider.models
        if isinstance(model.prices, list)
        for each in model.prices
        if hasattr(each.constraint, "start_date")
    )
    newest = max(each for each in dated if each <= today)
    return f"genai-prices {__version__}, newest of {newest}"
