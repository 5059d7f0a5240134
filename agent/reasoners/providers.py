"""Chat models of providers besides OpenAI, by LangChain's `init_chat_model`."""

from typing import TYPE_CHECKING, Any

from agent.errors import SettingsError

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.rate_limiters import BaseRateLimiter


def provider_model(
    name: str,
    *,
    timeout: float,
    max_retries: int,
    temperature: float,
    reply_tokens: int,
    context_tokens: int,
    limiter: "BaseRateLimiter | None",
) -> "BaseChatModel":
    """Return the client of `provider:name`, which looks up its own key; times are in seconds.

    Raises SettingsError: its package is not installed, or it lacks a key or another setting.
    """
    options: dict[str, Any] = {"temperature": temperature, "rate_limiter": limiter}
    if name.startswith("ollama:"):  # it cuts a prompt to `num_ctx` without a word
        told = {"num_ctx": context_tokens, "num_predict": reply_tokens}
        options |= told | {"client_kwargs": {"timeout": timeout}}
    else:
        options |= {"timeout": timeout, "max_retries": max_retries, "max_tokens": reply_tokens}
    try:
        from langchain.chat_models import init_chat_model

        model: BaseChatModel = init_chat_model(name, **options)
    except ImportError as error:
        raise SettingsError(
            f"Model {name!r} needs the packages langchain and that of its provider ({error}): "
            "install them into Headcount's environment."
        ) from error
    except ValueError as error:
        raise SettingsError(f"Model {name!r} cannot be used: {error}") from error
    return model
