"""What the fake provider can answer: good completions and every fault that real servers show."""

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One HTTP response, and how it is delivered."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    media_type: str = "application/json"
    promised: int | None = None
    """A Content-Length beyond the body: the connection is closed before the rest."""
    raw: bool = False
    """Whether it goes out as it is on other wires than OpenAI's, too."""


def _json(value: object, status: int = 200, **headers: str) -> Reply:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(body=json.dumps(value).encode(), status=status, headers=named)


def _body(message: dict[str, Any], finish: str | None = "stop") -> dict[str, Any]:
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "fake",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


def completion(content: str | None, finish: str | None = "stop", **message: object) -> Reply:
    """Return a completion with a text."""
    return _json(_body({"content": content, **message}, finish))


def tool_completion(tool: str, arguments: object, content: str | None = None) -> Reply:
    """Return a completion that calls a tool; text arguments go out as they are."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    call = {"id": "t1", "type": "function", "function": {"name": tool, "arguments": text}}
    return _json(_body({"content": content, "tool_calls": [call]}, "tool_calls"))


def error(status: int, message: str, code: str, **headers: str) -> Reply:
    """Return an error as OpenAI's server words it."""
    return _json({"error": {"message": message, "code": code}}, status, **headers)


def _changed(content: str, **members: object) -> Reply:
    return _json({**_body({"content": content}), **members})


def _cut_stream() -> Reply:
    chunk = {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "fake",
        "choices": [{"index": 0, "delta": {"content": '{"na'}, "finish_reason": None}],
    }
    body = f"data: {json.dumps(chunk)}\n\n".encode()
    return Reply(body=body, media_type="text/event-stream")


GOOD = '{"name":"acme","count":3}'

FAULTS: dict[str, Reply] = {
    "malformed": completion('{"name":"acme","count":}'),
    "wrong-type": completion('{"name":"acme","count":"many"}'),
    "prose": completion("I would say that acme has three."),
    "truncated": completion('{"name":"ac', "length"),
    "truncated-whole": completion(GOOD, "length"),
    "refusal": completion(None, refusal="I cannot help with that."),
    "content-filter": completion("", "content_filter"),
    "filtered-prompt": error(400, "The prompt was filtered", "content_filter"),
    "null-content": completion(None),
    "no-finish": completion(GOOD, None),
    "no-choices": _changed(GOOD, choices=[]),
    "null-choices": _changed(GOOD, choices=None),
    "error-200": _json({"error": {"message": "upstream failed", "code": 502}}),
    "html-200": Reply(body=b"<html>502 Bad Gateway</html>", media_type="text/html"),
    "deep-json": Reply(body=b'{"id": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
    "cut-json": Reply(body=b'{"id": "c1", "choi'),
    "cut-body": Reply(body=b'{"id": "c1", "choi', promised=400),
    "cut-stream": _cut_stream(),
    "429": error(429, "slow down", "rate_limit_exceeded", retry_after_ms="1"),
    "quota": error(429, "pay first", "insufficient_quota", retry_after_ms="1"),
    "500": error(500, "oops", "server_error", retry_after_ms="1"),
    "400": error(400, "messages: must not be so", "invalid_request_error"),
    "401": error(401, "Incorrect API key provided", "invalid_api_key"),
    "403": error(403, "not for you", "permission_denied"),
    "404": error(404, "The model does not exist", "model_not_found"),
    "context": error(400, "This exceeds the context", "context_length_exceeded"),
}
"""By name: the fault that a model of this name always has, or that a script asks for."""
