"""Chat reasoners from settings: OpenAI, or any server that speaks its interface."""

from typing import TYPE_CHECKING, TypedDict, Unpack
from urllib.parse import urlsplit

from pydantic import SecretStr

from agent.cost import Budget, Cost
from agent.errors import SettingsError
from agent.reasoners.chat_reasoner import ChatReasoner
from agent.reasoners.ledger import Prices
from agent.reasoners.response_cache import ReplyCache

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

_OPENAI_URL = "https://api.openai.com/v1"


class ChatOptions(TypedDict, total=False):
    """The settings of a chat reasoner; each has the default of `Settings`."""

    base_url: str | None
    """None is OpenAI itself."""
    api_key: SecretStr | None
    timeout: float
    """Seconds that one request may take."""
    max_retries: int
    """How often the client repeats a request that the server failed."""
    temperature: float
    context_tokens: int
    reply_tokens: int
    concurrency: int
    requests_per_second: float | None
    prices: Prices
    cache: ReplyCache | None
    budget: Budget
    spent: Cost
    """What an interrupted run had spent before."""


def chat_reasoner(name: str, **options: Unpack[ChatOptions]) -> ChatReasoner:
    """Build a reasoner for a model by its name.

    Raises:
        SettingsError: OpenAI is meant and there is no key.
    """
    base_url = options.get("base_url") or _OPENAI_URL
    host = urlsplit(base_url).netloc
    return ChatReasoner(
        _client(name, base_url, options),
        name=name,
        context_tokens=options.get("context_tokens", 128_000),
        reply_tokens=options.get("reply_tokens", 4096),
        concurrency=options.get("concurrency", 8),
        cache=options.get("cache"),
        budget=options.get("budget", Budget()),
        already_spent=options.get("spent", Cost()),
        prices=options.get("prices", {}),
        requests_per_second=options.get("requests_per_second"),
        server=host,
        temperature=options.get("temperature", 0.0),
        length="max_completion_tokens" if base_url == _OPENAI_URL else "max_tokens",
    )


def _client(name: str, base_url: str, options: ChatOptions) -> "ChatOpenAI":
    """Return the client, told everything that it would else read from the environment."""
    from langchain_openai import ChatOpenAI

    key = options.get("api_key")
    if key is None and base_url == _OPENAI_URL:
        raise SettingsError(
            f"Model {name!r} needs a key: set HEADCOUNT_API_KEY or OPENAI_API_KEY, or base_url "
            "for another server, or take the model 'lexical', which needs none."
        )
    return ChatOpenAI(
        model=name,
        base_url=base_url,
        api_key=key or SecretStr("no-key"),
        timeout=options.get("timeout", 60.0),
        max_retries=options.get("max_retries", 4),
        use_responses_api=False,
        disable_streaming=True,
    )
