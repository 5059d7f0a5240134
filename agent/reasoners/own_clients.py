"""Chat models that are asked by their provider's own client, as LangChain builds it."""

import logging
import math
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import ValidationError

from agent.errors import SettingsError
from agent.providers import PROVIDERS, split_name
from agent.reasoners.chat_reasoner import ChatReasoner, reasoner_around

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from agent.settings import Settings

_AMAZON = "bedrock_converse"
_OLLAMA = {
    "max_input_tokens": 32_768,
    "structured_output": True,
    "tool_choice": False,
    "temperature": False,
}
"""What Ollama's server does for any model, with a context that most machines have the memory for;
its client takes a temperature at its making alone."""
_LENGTHS = {"google_genai": "max_output_tokens", "ollama": "num_predict"}
"""The clients' fields for the length of a reply, where they are not `max_tokens`."""


def own_client_reasoner(settings: "Settings", **fields: Any) -> ChatReasoner:
    """Build the reasoner of settings; `fields` are those of `ChatReasoner`, such as `cache`.

    Its requests are repeated and bounded in time here, since not every client does either.
    """
    model, settings = own_client(settings)
    options = settings.chat_options()
    address, _ = options.pop("base_url"), options.pop("api_key")
    return ChatReasoner(
        model,
        name=settings.model,
        server=urlsplit(address).netloc or address,
        seconds=options.pop("timeout"),
        retries=options.pop("max_retries"),
        **options | fields,
    )


def own_client(settings: "Settings") -> "tuple[BaseChatModel, Settings]":
    """Return the client, and the settings with the limits of its model's profile where none is set.

    Raises SettingsError: the client is not installed, has no key or takes no such settings.
    """
    provider, name = split_name(settings.model)
    options = settings.chat_options()
    built = _building(provider, options["timeout"], options["temperature"])
    if provider != _AMAZON:  # whose client finds its server and its key itself
        built["base_url"] = options["base_url"]
    if options["api_key"] is not None:
        built["api_key"] = options["api_key"]
    try:
        from langchain.chat_models import init_chat_model

        model: Any = init_chat_model(name, model_provider=provider, disable_streaming=True, **built)
    except ImportError as error:
        extra = PROVIDERS[provider].extra
        raise SettingsError(
            f"Model {settings.model!r} needs its provider's client: "
            f"pip install 'headcount[{extra}]'."
        ) from error
    except ValidationError as error:
        told = error.errors(include_input=False, include_url=False)[0]["msg"]
        raise SettingsError(f"Model {settings.model!r} cannot be asked: {told}") from error
    # Google's warns with each request that offers tools of a word in their schemas.
    logging.getLogger("langchain_google_genai._function_utils").setLevel(logging.ERROR)
    knows = reasoner_around(model)
    limits = {"context_tokens": knows.context_tokens, "reply_tokens": knows.reply_tokens}
    unset = limits.keys() - settings.model_fields_set
    settings = settings.model_copy(update={each: limits[each] for each in unset})
    setattr(model, _LENGTHS.get(provider, "max_tokens"), settings.reply_tokens)
    if provider == "ollama":
        model.num_ctx = settings.context_tokens
    return model, settings


def _building(provider: str, timeout: float, temperature: float) -> dict[str, Any]:
    """Return how a client is built: it follows no redirect where that can be said, nor retries."""
    unredirected, whole = {"follow_redirects": False}, math.ceil(timeout)
    settings: dict[str, dict[str, Any]] = {
        "anthropic": {"timeout": timeout, "max_retries": 0},
        _AMAZON: {"timeout": whole, "max_retries": 0},
        "google_genai": {"timeout": timeout, "max_retries": 1, "client_args": unredirected},
        "mistralai": {"timeout": whole, "max_retries": 1, "temperature": temperature},
        "ollama": {
            "client_kwargs": {"timeout": timeout, **unredirected},
            "temperature": temperature,
            "profile": _OLLAMA,
        },
    }
    return settings[provider]
