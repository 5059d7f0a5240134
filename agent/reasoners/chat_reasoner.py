"""A chat model as a reasoner: typed replies, native tool calls, a cache, a ledger and a budget."""

import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, JsonValue, SecretStr

from agent.cost import Budget, Cost
from agent.errors import MalformedReply, ProviderUnavailable, SettingsError, ToolArgumentError
from agent.reasoner import ALL_ABILITIES, Ability, Failure, Prompt, ToolCall, ToolSpec
from agent.reasoners.completion import (
    BadResponse,
    Completion,
    Dialect,
    Form,
    LengthField,
    ReplyForm,
    Request,
    RequestRefused,
    ToolForm,
    Turn,
    complete,
    openai_client,
    speaks_openai,
)
from agent.reasoners.concurrency import STOPPING, answer_all, raise_failure
from agent.reasoners.ledger import Ledger, Prices, Usage
from agent.reasoners.typed_reply import Expected, ToolChoice, TypedReply
from agent.settings import OPENAI_URL

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_RETRIES = 2
_PAUSE = 0.5
R = TypeVar("R", bound=BaseModel)


class ReplyCache(Protocol):
    """Replies by request key; safe in several threads."""

    def get(self, key: str) -> str | None:
        """Return the reply stored under a key, or None."""

    def put(self, key: str, reply: str, usage: Usage) -> None:
        """Store a complete, parsed reply with the tokens it cost; it is durable afterwards."""

    def flight(self, key: str) -> AbstractContextManager[object]:
        """Let one thread at a time work on a key: the next one finds its reply stored."""


@dataclass(eq=False)
class ChatReasoner:
    """Any LangChain chat model behind the seam; safe in several threads.

    A model that speaks OpenAI's interface is asked with a JSON schema in the request, another
    one where its profile says that it takes one, else with the schema in the prompt; what the
    profile denies is not tried. What a server does not take is left out from then on, a schema that
    it does not enforce is said in the prompt too, and so are tools that are not called.
    """

    model: "BaseChatModel"
    _: KW_ONLY
    name: str
    paid: ClassVar[bool] = True
    abilities: ClassVar[frozenset[Ability]] = ALL_ABILITIES
    context_tokens: int = 128_000
    reply_tokens: int = 4096
    concurrency: int = 8
    cache: ReplyCache | None = None
    budget: Budget = field(default_factory=Budget)
    already_spent: Cost = field(default_factory=Cost)
    """What an interrupted run had spent before: its bill and its budget go on from there."""
    prices: Prices = field(default_factory=dict)
    prices_of: str = ""
    """Whose prices these are, or of which day, which an answer says."""
    server: str = ""
    """The server's host, so that two servers' models of one name are cached apart."""
    temperature: float | None = None
    """None leaves it, and the limit of `length`, to the model object."""
    length: LengthField = "none"
    """The parameter that carries `reply_tokens` to the server."""
    seconds: float | None = None
    """What bounds a whole request; None leaves it to the client."""
    retries: int = 0
    """How often a request that the server failed is repeated, where the client repeats none."""
    requests_per_second: float | None = None
    """How many requests begin at most, evenly spaced."""
    sleep: Callable[[float], object] = STOPPING.wait

    def __post_init__(self) -> None:
        price = self.prices.get(self.name)
        if self.budget.usd is not None and price is None:
            raise SettingsError(
                f"A limit in dollars needs the price of {self.name!r}: set prices, dollars per "
                "million input and output tokens; those of OpenAI and other providers come with "
                "pip install 'headcount[prices]'."
            )
        if self.concurrency < 1:
            raise SettingsError(f"concurrency must be at least 1, not {self.concurrency}.")
        openai, knows = speaks_openai(self.model), self.model.profile or {}
        plain: ReplyForm = "json_object" if openai else "text"
        tools: ToolForm = "required" if knows.get("tool_choice", True) else "auto"
        form = Form(
            reply="json_schema" if knows.get("structured_output", openai) else plain,
            tools=tools if knows.get("tool_calling", True) else "text",
            length=self.length if openai else "none",
            temperature=self.temperature is not None and knows.get("temperature", True),
            schemas_alone=not openai,
        )
        self._dialect = Dialect(form)
        self._ledger = Ledger(self.budget, self.already_spent, price=price)
        self._slots = threading.BoundedSemaphore(self.concurrency)
        """As many as there may be requests in flight."""
        self._limiter = None
        if self.requests_per_second is not None:
            from langchain_core.rate_limiters import InMemoryRateLimiter

            self._limiter = InMemoryRateLimiter(
                requests_per_second=self.requests_per_second,
                check_every_n_seconds=0.01,
                max_bucket_size=1,
            )

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Answer the prompt with a typed reply; a malformed one is sent back once."""
        return self._answer(prompt, TypedReply(reply, prompt.unused))

    def ask_many(self, prompts: Sequence[Prompt], reply: type[R]) -> list[R | Failure]:
        """Answer all prompts, `concurrency` at a time, in order, each on its own."""
        return answer_all(lambda prompt: self.ask(prompt, reply), prompts, self.concurrency)

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Choose one tool; wrong arguments are sent back once, with what is wrong."""
        return self._answer(prompt, ToolChoice(tools))

    def spent(self) -> Cost:
        """Return what was spent, what had been spent before included."""
        return self._ledger.spent()

    def _answer(self, prompt: Prompt, expected: Expected[R]) -> R:
        if self.cache is None:
            return self._ask_model(prompt, expected)[0]
        asked: dict[str, JsonValue] = {
            "model": self.name,
            "server": self.server,
            "prompt": [prompt.name, prompt.digest, prompt.text],
            "expected": expected.signature,
            "temperature": self.temperature,
            "reply_tokens": self.reply_tokens,
        }
        canonical = json.dumps(asked, sort_keys=True, separators=(",", ":"))
        key = hashlib.sha256(canonical.encode()).hexdigest()
        with self.cache.flight(key):
            with suppress(MalformedReply):  # the type does not accept it any more: it is asked anew
                if (stored := self.cache.get(key)) is not None:
                    kept = expected.load(stored)
                    self._ledger.cached()
                    return kept
            value, usage = self._ask_model(prompt, expected)
            self.cache.put(key, value.model_dump_json(), usage)
            return value

    def _ask_model(self, prompt: Prompt, expected: Expected[R]) -> tuple[R, Usage]:
        """Ask, and once more with what was wrong; raise MalformedReply where both replies are."""
        first = self._send(prompt, expected)
        try:
            return expected.read(first), first.usage
        except (MalformedReply, ToolArgumentError) as error:
            if not expected.choosing or not first.calls:
                self._dialect.distrust(self._dialect.form, choosing=expected.choosing)
            repair: tuple[Turn, ...] = (
                ("ai", expected.written(first) or "(no text)"),
                ("human", f"That cannot be used: {error!s}. Reply again in the form asked for."),
            )
        second = self._send(prompt, expected, repair)
        try:
            return expected.read(second), second.usage
        except (MalformedReply, ToolArgumentError) as error:
            raise MalformedReply(
                f"{self.name} answered prompt {prompt.name!r} in a wrong form twice: {error}"
            ) from error

    def _send(
        self, prompt: Prompt, expected: Expected[R], repair: tuple[Turn, ...] = ()
    ) -> Completion:
        """Send a request in the current form and return the usable completion.

        A refused form is weakened and remembered.
        """
        choosing = expected.choosing
        while True:
            form = self._dialect.form
            try:
                completion = self._persistently(self._request(prompt, expected, form, repair))
            except RequestRefused as error:
                if not self._dialect.concede(form, str(error), choosing=choosing):
                    raise
            else:
                completion.raise_unless_usable()
                return completion

    def _persistently(self, request: Request) -> Completion:
        """Ask again what the server failed, and a broken 200 twice, which no client repeats."""
        attempt = 0
        while True:
            try:
                return self._once(request)
            except ProviderUnavailable as error:
                if attempt >= (_RETRIES if isinstance(error, BadResponse) else self.retries):
                    raise
                self.sleep(error.pause or _PAUSE * 2**attempt)
            attempt += 1

    def _once(self, request: Request) -> Completion:
        with self._slots, self._ledger.call(request.tokens) as call:
            if self._limiter is not None:
                self._limiter.acquire()
            raise_failure()
            try:
                completion = complete(self.model, request, self.seconds)
            except BadResponse:
                call.usage = Usage(request.tokens, 0)
                raise
            call.usage = completion.usage
            return completion

    def _request(
        self, prompt: Prompt, expected: Expected[R], form: Form, repair: tuple[Turn, ...] = ()
    ) -> Request:
        options = expected.options(form)
        text = f"{prompt.text}\n\n{options.instruction}"
        body = dict(options.body)
        if form.temperature:
            body["temperature"] = self.temperature
        if form.length != "none":
            body[form.length] = self.reply_tokens
        return Request(turns=(("human", text), *repair), options=replace(options, body=body))


def reasoner_around(model: object, **fields: Any) -> ChatReasoner:
    """Return a reasoner that asks a LangChain chat model, with the limits of the model's profile.

    `fields` are those of `ChatReasoner` and go before them. Its settings (key, address, time-out,
    temperature) are the model's own.

    Raises SettingsError: it is no chat model.
    """
    from langchain_core.language_models import BaseChatModel

    if not isinstance(model, BaseChatModel):
        raise SettingsError(
            f"A {type(model).__name__} cannot read: give a model's name, a LangChain chat model, "
            "or a reasoner of your own."
        )
    knows = model.profile or {}
    named = (getattr(model, each, None) for each in ("model_name", "model", "deployment_name"))
    limits = (knows.get("max_output_tokens"), getattr(model, "max_tokens", None))
    told = {
        "name": next(filter(None, named), type(model).__name__),
        "context_tokens": knows.get("max_input_tokens") or ChatReasoner.context_tokens,
        "reply_tokens": min(filter(None, (ChatReasoner.reply_tokens, *limits))),
    }
    return ChatReasoner(model, **told | fields)


def chat_reasoner(
    name: str,
    *,
    base_url: str | None = None,
    api_key: SecretStr | None = None,
    timeout: float = 60.0,
    max_retries: int = 4,
    temperature: float = 0.0,
    **fields: Any,
) -> ChatReasoner:
    """Build a reasoner for a model by its name, told everything else the client would look up.

    Times are in seconds; without a `base_url` OpenAI itself is asked, which needs a key. `fields`
    are those of `ChatReasoner`, such as `cache` and `budget`.

    Raises SettingsError: OpenAI is meant and there is no key.
    """
    name = name.removeprefix("openai:") or name
    url = base_url or OPENAI_URL
    if api_key is None and url == OPENAI_URL:
        raise SettingsError(
            f"Model {name!r} needs a key: set HEADCOUNT_API_KEY or OPENAI_API_KEY, or base_url "
            "for another server, or take the model 'lexical', which needs none."
        )
    client = openai_client(
        timeout,
        model=name,
        base_url=url,
        api_key=api_key or SecretStr("no-key"),
        max_retries=0,
        use_responses_api=False,
        profile=None if url == OPENAI_URL else {},  # a name says nothing of another server's model
        disable_streaming=True,
    )
    return ChatReasoner(
        client,
        name=name,
        server=urlsplit(url).netloc,
        temperature=temperature,
        length="max_completion_tokens" if url == OPENAI_URL else "max_tokens",
        seconds=timeout,
        retries=max_retries,
        **fields,
    )
