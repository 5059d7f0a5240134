"""One request to a chat model, in a form that its server takes, and what came back."""

import contextvars
import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, InvalidStateError
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import cache, reduce
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeVar

from pydantic import JsonValue, SecretStr

from agent.errors import (
    HeadcountError,
    ProviderForbade,
    ProviderRejected,
    ProviderUnavailable,
    ProviderUnreachable,
    RefusedReply,
    TruncatedReply,
)
from agent.reasoners.concurrency import STOPPING
from agent.reasoners.ledger import Usage, estimate_tokens
from agent.settings import redacted

if TYPE_CHECKING:
    from httpx2 import Client, Response
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.runnables import RunnableConfig
    from langchain_openai import ChatOpenAI

T = TypeVar("T")
ReplyForm = Literal["json_schema", "json_object", "text"]
ToolForm = Literal["required", "auto", "text"]
LengthField = Literal["max_completion_tokens", "max_tokens", "none"]

_REPLY_WORDS = (
    "response_format", "schema", "json_object", "structured output", "grammar", "output_config",
)  # fmt: skip
_TOOL_WORDS = ("tool", "function call")


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How requests are put to one server."""

    reply: ReplyForm = "json_schema"
    in_words: bool = False
    """Whether the prompt says the schema although the request carries it."""
    tools: ToolForm = "required"
    length: LengthField = "none"
    temperature: bool = False
    schemas_alone: bool = False
    """Whether the client, which is not OpenAI's, takes JSON by its schema or not at all."""


def weaker(form: Form, refusal: str, *, choosing: bool) -> Form | None:
    """Return the form without what a refusal names, or None when it names nothing we can leave.

    >>> weaker(Form(), "unknown parameter: response_format", choosing=False).reply
    'json_object'
    """
    text = refusal.lower()
    if choosing and form.tools != "text" and any(word in text for word in _TOOL_WORDS):
        keeps_tools = form.tools == "required" and "tool_choice" in text
        return replace(form, tools="auto" if keeps_tools else "text")
    if not choosing and form.reply != "text" and any(word in text for word in _REPLY_WORDS):
        looser = form.reply == "json_schema" and not form.schemas_alone
        return replace(form, reply="json_object" if looser else "text")
    if form.temperature and "temperature" in text:
        return replace(form, temperature=False)
    if form.length != "none" and form.length in text:
        other = form.length == "max_tokens" and "max_completion_tokens" in text
        return replace(form, length="max_completion_tokens" if other else "none")
    return None


class Dialect:
    """The form that works with one server; it only ever gets weaker. Safe in several threads."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self._lock = threading.Lock()

    def concede(self, used: Form, refusal: str, *, choosing: bool) -> bool:
        """Weaken the form after a refusal; tell whether asking again makes sense.

        `used` is the form that was refused: when another thread has conceded since, it is only
        the new form that is tried.
        """
        with self._lock:
            if used != self.form:
                return True
            conceded = weaker(used, refusal, choosing=choosing)
            if conceded is None:
                return False
            self.form = conceded
            return True

    def distrust(self, used: Form, *, choosing: bool) -> None:
        """Say the schema, or the tools, in the prompt from now on.

        The server let a reply break the schema, or no tool was called: it may not tell its model of
        any, as llama.cpp's where the model's template has no place for tools.
        """
        with self._lock:
            if used == self.form and choosing:
                self.form = replace(used, tools="text")
            elif used == self.form and used.reply == "json_schema" and not used.in_words:
                self.form = replace(used, in_words=True)


Turn = tuple[Literal["human", "ai"], str]

_ENDS = ("finish_reason", "stop_reason", "done_reason", "stopReason")
"""Where clients tell why a reply ended."""
_TELLING = (
    "langchain_anthropic", "langchain_aws", "langchain_google_genai", "langchain_mistralai",
    "langchain_ollama",
)  # fmt: skip
"""Clients whose servers always tell it, as OpenAI's do, unless the reply was cut on its way."""
_CUT = {"length", "max_tokens", "model_context_window_exceeded"}
_REFUSED = {
    "content_filter", "content_filtered", "guardrail_intervened", "refusal", "safety",
    "blocklist", "prohibited_content", "recitation", "spii",
}  # fmt: skip
_MALFORMED, _UNKNOWN_KEY, _TOO_LARGE, _FAILS = {400, 422}, 401, 413, 500
_OVERFLOWS = ("context length", "context size", "context window", "prompt is too long")
"""What servers that have no code for it say of a prompt that is too long."""
_MOST_TOKENS = 10**9
"""Tokens of one reply that a server can mean."""
_MOST_BYTES = 2**23
"""Bytes of a response, unpacked: several times the longest reply that a model writes."""
_KEYS = ("OLLAMA_API_KEY",)
"""Variables that a client reads without telling what it found."""
_MOST_TOLD = 1000
"""Characters of what a server says that an error repeats."""
_APART: "RunnableConfig" = {"tags": ["nostream"]}
"""Keeps replies in JSON out of what LangGraph streams as a conversation's messages."""
_PASSING = {408, 409, 425, 429}
"""Time-out, conflict, too early, too many: HTTP's way to say `not now`."""
_BROKEN = {"TransportError", "HTTPClientError", "ConnectionError", "APIConnectionError"}
_UNCONNECTED = {"ConnectError", "ConnectTimeout", "ConnectionRefusedError", "ConnectTimeoutError",
                "EndpointConnectionError"}  # fmt: skip
"""Names of the errors of httpx, httpx2 and botocore, of which not all need be installed."""
_LONGEST_PAUSE = 120.0
"""Seconds of a pause that a server asks for and gets, as from OpenAI's client."""


class BadResponse(ProviderUnavailable):
    """The server answered 200 with something that is no completion, or with half of one."""


class RequestRefused(ProviderRejected):
    """The server refuses the form of the request; a plainer one may work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a request says beside its prompt."""

    instruction: str = ""
    """What is said below the prompt."""
    body: Mapping[str, JsonValue] = field(default_factory=dict)
    """Further members of the request's JSON body, as OpenAI's interface has them."""
    tools: tuple[dict[str, JsonValue], ...] = ()
    tool_choice: str = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is sent."""

    turns: tuple[Turn, ...]
    options: Options = Options()

    @property
    def tokens(self) -> int:
        """The prompt's estimated tokens."""
        return sum(estimate_tokens(text) for _, text in self.turns)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalledTool:
    """A tool call as the model wrote it."""

    tool: str
    arguments: Mapping[str, object] | str
    """The arguments, or their text where it is no JSON object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A complete reply of the model, not yet read."""

    text: str
    calls: tuple[CalledTool, ...]
    finish: str
    """Why the reply ended, as the provider said, in lower case."""
    refusal: str
    """The model's words when it refused, else empty."""
    usage: Usage

    def raise_unless_usable(self) -> None:
        """Raise TruncatedReply or RefusedReply, whatever the reply's text looks like."""
        if self.refusal or self.finish in _REFUSED:
            why = self.refusal[:_MOST_TOLD] or "a content filter stopped it"
            raise RefusedReply(f"The model refused to answer: {why}")
        if self.finish in _CUT:
            raise TruncatedReply(
                f"The reply was cut after {self.usage.output_tokens} tokens. Ask for less at once "
                "or raise reply_tokens."
            )


def speaks_openai(model: "BaseChatModel") -> bool:
    """Tell whether the model's client takes OpenAI's request parameters."""
    from langchain_openai.chat_models.base import BaseChatOpenAI

    return isinstance(model, BaseChatOpenAI)


def openai_client(timeout: float, **settings: Any) -> "ChatOpenAI":
    """Return a client of OpenAI's interface with these settings, a response's time in seconds."""
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(timeout=timeout, http_client=connections(timeout), **settings)


@cache
def connections(seconds: float) -> "Client":
    """Return the client of all models: it follows no redirect, texts go to the named server alone.

    Of a response it takes so many bytes in its time, and the key out before anyone quotes a part.
    """
    import httpx2

    class Bounded(httpx2.Client):
        def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
            until = time.monotonic() + seconds
            return _whole(super().send(request, **options | {"stream": True}), until)

    return Bounded(timeout=seconds, limits=httpx2.Limits())


def _in_time(work: Callable[[], T], seconds: float | None) -> T:
    """Return what a thread of its own makes; it is left behind when its time is up.

    Clients limit the wait for each byte but not for all of them. Raises TimeoutError, and
    KeyboardInterrupt while the command ends.
    """
    if STOPPING.is_set():
        raise KeyboardInterrupt
    made: Future[T] = Future()

    def run() -> None:
        try:
            made.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            with suppress(InvalidStateError):
                made.set_exception(error)

    threading.Thread(target=contextvars.copy_context().run, args=(run,), daemon=True).start()
    try:
        return made.result(seconds)
    except TimeoutError:
        made.cancel()
        raise


def _whole(begun: "Response", until: float) -> "Response":
    body = bytearray()
    with closing(begun):
        for part in begun.iter_bytes():
            body += part
            if len(body) > _MOST_BYTES:
                raise BadResponse(f"The model's server sent more than {_MOST_BYTES:,} bytes.")
            if time.monotonic() > until:
                raise ProviderUnavailable("The model's server has not answered in time.")
    key = SecretStr(begun.request.headers["authorization"].removeprefix("Bearer "))
    told = redacted(body.decode("latin-1"), key).encode("latin-1")
    kept = [each for each in begun.headers.multi_items() if each[0] != "content-encoding"]
    return type(begun)(begun.status_code, headers=kept, content=told, request=begun.request)


def complete(model: "BaseChatModel", request: Request, seconds: float | None = None) -> Completion:
    """Send a request and return the reply; neither it nor an error holds the model's key.

    `seconds` bound the whole of a request.

    Raises:
        ProviderError: by its kind.
        TruncatedReply: the prompt alone is longer than the model's context.
        RefusedReply: a content filter stopped the prompt, as Azure's does.
    """
    keys = [each for each in vars(model).values() if isinstance(each, SecretStr)]
    keys += [SecretStr(os.environ.get(each, "")) for each in _KEYS]

    def told(text: object) -> str:
        known = reduce(redacted, keys, str(text))
        return known.encode("utf-8", "replace").decode()

    try:
        message = _in_time(lambda: _invoke(model, request), seconds)
        strict = type(model).__module__.startswith(_TELLING) or speaks_openai(model)
        return _read(message, request, told, strict=strict)
    except HeadcountError:
        raise
    except TimeoutError as error:
        raise ProviderUnavailable("The model's server has not answered in time.") from error
    except (LookupError, TypeError, AttributeError, ValueError, RecursionError) as error:
        # From langchain-openai: a 200 without choices, with an error object, HTML or half a body.
        reason = " ".join(told(repr(error)).split())[:_MOST_TOLD]
        raise BadResponse(f"The model's server sent no usable completion: {reason}") from error
    except Exception as error:
        if not _of_server(error):
            raise
        _raise_ours(error, " ".join(told(error).split())[:_MOST_TOLD])


def _invoke(model: "BaseChatModel", request: Request) -> "AIMessage":
    options, settings = request.options, dict[str, Any]()
    body = dict(options.body)
    # No request body can carry a lone surrogate.
    turns = [(role, text.encode("utf-8", "replace").decode()) for role, text in request.turns]
    if speaks_openai(model):
        if body:
            settings["extra_body"] = {**(getattr(model, "extra_body", None) or {}), **body}
    elif "temperature" in body:
        settings["temperature"] = body["temperature"]
    try:
        asked: Any = model
        if options.tools:
            asked = model.bind_tools(list(options.tools), tool_choice=options.tool_choice)
        elif "extra_body" not in settings and (wanted := body.get("response_format")):
            named: Any = wanted["json_schema"]  # type: ignore[call-overload,index]
            schema = {"title": named["name"], **named["schema"]}
            asked = model.with_structured_output(schema, method="json_schema").first  # type: ignore[attr-defined]
    except (ValueError, TypeError, AttributeError, NotImplementedError) as error:
        what = "tools" if options.tools else "structured output"
        raise RequestRefused(f"The model's client takes no such {what}: {error}") from error
    reply: AIMessage = asked.bind(**settings).invoke(turns, config=_APART)
    return reply


def _read(
    message: "AIMessage", request: Request, told: Callable[[object], str], *, strict: bool
) -> Completion:
    metadata = message.response_metadata
    finish = next((metadata[each] for each in _ENDS if metadata.get(each)), None)
    blocked = metadata.get("prompt_feedback") if finish is None else None
    if finish is None and blocked is None and strict:
        raise BadResponse("The model's server cut the reply: it says no finish_reason.")
    text = told(message.text)
    calls = tuple(
        CalledTool(tool=told(call["name"]), arguments=json.loads(told(json.dumps(call["args"]))))
        for call in message.tool_calls
    ) + tuple(
        CalledTool(tool=told(call["name"] or ""), arguments=told(call["args"] or ""))
        for call in message.invalid_tool_calls
    )
    written = text + "".join(str(call.arguments) for call in calls)
    counted: Mapping[str, object] = message.usage_metadata or {}
    return Completion(
        text=text,
        calls=calls,
        finish=str(finish or "stop").lower(),
        refusal=told(message.additional_kwargs.get("refusal") or blocked or ""),
        usage=Usage(
            _tokens(counted.get("input_tokens"), request.tokens),
            _tokens(counted.get("output_tokens"), estimate_tokens(written)),
        ),
    )


def _tokens(told: object, estimated: int) -> int:
    """Return a server's count of tokens, or the estimate where it tells none that can be one."""
    return told if type(told) is int and 0 < told <= _MOST_TOKENS else estimated


def _kinds(error: BaseException) -> set[str]:
    return {each.__name__ for each in type(error).__mro__}


def _unconnected(error: BaseException) -> bool:
    cause = error.__cause__
    return bool(_UNCONNECTED & _kinds(error)) or (cause is not None and _unconnected(cause))


def _status(error: BaseException) -> int | None:
    """Return the HTTP status that a client's error, or what it was made of, tells."""
    response = getattr(error, "response", None)
    if isinstance(response, dict):  # botocore's
        told = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    else:
        told = getattr(error, "status_code", getattr(response, "status_code", None))
        told = getattr(error, "code", None) if told is None else told
    if isinstance(told, int):
        return told
    return None if error.__cause__ is None else _status(error.__cause__)


def _pause(error: BaseException) -> float | None:
    """Return the seconds that the server asks to wait, unless they are too many."""
    response = getattr(error, "response", None)
    if isinstance(response, dict):
        headers = response.get("ResponseMetadata", {}).get("HTTPHeaders", {})
    else:
        headers = getattr(response, "headers", None) or {}
    told = str(headers.get("retry-after", ""))
    return float(told) if told.isdecimal() and float(told) <= _LONGEST_PAUSE else None


def _of_server(error: Exception) -> bool:
    """Tell whether an error is a client's that stands for what a server said, or did not say."""
    import openai
    from langchain_core.exceptions import ModelError as ClientError

    kinds = (ClientError, openai.APIError, ConnectionError)
    others = {"BotoCoreError", "ResponseError", "ResponseParserError"}
    named = bool((_BROKEN | others) & _kinds(error))
    return isinstance(error, kinds) or named or _status(error) is not None


def _raise_ours(error: Exception, text: str) -> NoReturn:
    """Raise the error of our tree that a client's error stands for, with its text."""
    import openai
    from langchain_core import exceptions as client

    code, status = str(getattr(error, "code", None) or ""), _status(error) or 0
    overflows = isinstance(error, client.ContextOverflowError) or status == _TOO_LARGE
    if overflows or "context" in code or any(words in text.lower() for words in _OVERFLOWS):
        told = "set context_tokens to what the server has, or let it have more"
        raise TruncatedReply(f"The prompt exceeds the model's context ({told}): {text}") from error
    if code in _REFUSED:
        raise RefusedReply(f"The model refused to answer: {text}") from error
    if code == "insufficient_quota":
        raise ProviderRejected(f"The account has no quota left: {text}") from error
    if _unconnected(error):
        raise ProviderUnreachable(f"{ProviderUnreachable.told}: {text}") from error
    retryable = getattr(error, "is_retryable", False) or bool(_BROKEN & _kinds(error))
    if retryable or status in _PASSING or status >= _FAILS:
        raise ProviderUnavailable(f"The model's server fails: {text}", _pause(error)) from error
    forbids = isinstance(error, openai.PermissionDeniedError)
    refused: tuple[tuple[bool, type[ProviderRejected], str], ...] = (
        (isinstance(error, client.ModelInvalidRequestError), RequestRefused, "refuses"),
        (status in _MALFORMED, RequestRefused, "refuses"),
        (status == _UNKNOWN_KEY, ProviderRejected, "rejects the key, or its lack, of"),
        (forbids, ProviderForbade, "forbids"),
        (status > 0 or isinstance(error, client.ModelError), ProviderRejected, "rejects"),
        ("BotoCoreError" in _kinds(error), ProviderRejected, "is not sent"),
    )
    for applies, ours, does in refused:
        if applies:
            raise ours(f"The model's server {does} the request: {text}") from error
    raise BadResponse(f"The model's server sent no usable completion: {text}") from error
