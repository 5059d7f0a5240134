"""The wires of providers that do not speak OpenAI's: each request is turned into one of OpenAI's.

So what a test says of the fake provider, its replies and faults, holds on each of them.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.fake_provider.replies import Reply

Body = dict[str, Any]
Answering = Callable[[Body], Reply]
Wire = Callable[[Body, Answering], Reply]


def _asked(model: str, text: str, schema: object, tools: list[Body], raw: Body) -> Body:
    """Return the request as OpenAI's server would get it, with the members that are its own."""
    named = {"type": "json_schema", "json_schema": {"schema": schema}}
    return {
        **raw,
        "model": model,
        "messages": [{"role": "user", "content": text}],
        **({"response_format": named} if schema else {}),
        "tools": [{"function": {"name": each["name"]}} for each in tools],
    }


def _told(reply: Reply) -> tuple[Body, str, list[Body], str | None]:
    """Return a good reply's parts: the whole, its text, what it calls, and why it ended."""
    whole = json.loads(reply.body)
    choice = whole["choices"][0]
    message = choice["message"]
    called = [each["function"] for each in message.get("tool_calls") or ()]
    calls = [{"name": each["name"], "args": json.loads(each["arguments"])} for each in called]
    return whole.get("usage") or {}, message.get("content") or "", calls, choice["finish_reason"]


def _error(reply: Reply) -> str:
    return str(json.loads(reply.body)["error"]["message"])


def _as_json(reply: Reply, body: object, status: int = 0) -> Reply:
    return replace(reply, body=json.dumps(body).encode(), status=status or reply.status)


def anthropic(raw: Body, answer: Answering) -> Reply:
    """Answer a request to `/v1/messages`."""
    content = raw["messages"][-1]["content"]
    text = content if isinstance(content, str) else content[0]["text"]
    schema = raw.get("output_config", {}).get("format", {}).get("schema")
    reply = answer(_asked(raw["model"], text, schema, raw.get("tools", []), raw))
    if reply.status != 200:
        kind = {401: "authentication_error", 429: "rate_limit_error"}.get(reply.status, "error")
        told = {"type": kind, "message": _error(reply)}
        return _as_json(reply, {"type": "error", "error": told})
    usage, text, calls, finish = _told(reply)
    used = [{"type": "tool_use", "id": "t1", "name": c["name"], "input": c["args"]} for c in calls]
    stop = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use"}.get(finish or "")
    stop = "refusal" if finish == "content_filter" else stop
    told_usage = {"input_tokens": usage["prompt_tokens"], "output_tokens": 7}
    body = {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": raw["model"],
        "content": [*([{"type": "text", "text": text}] if text else []), *used],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": told_usage,
    }
    return _as_json(reply, body)


def google(raw: Body, answer: Answering) -> Reply:
    """Answer a request to `:generateContent`."""
    text = raw["contents"][-1]["parts"][-1]["text"]
    schema = raw.get("generationConfig", {}).get("responseJsonSchema")
    tools = [each for tool in raw.get("tools", []) for each in tool["functionDeclarations"]]
    reply = answer(_asked(raw["model"], text, schema, tools, raw))
    if reply.status != 200:
        told = {"code": reply.status, "message": _error(reply), "status": "INVALID_ARGUMENT"}
        return _as_json(reply, {"error": told})
    usage, text, calls, finish = _told(reply)
    if finish == "content_filter":
        return _as_json(reply, {"promptFeedback": {"blockReason": "SAFETY"}})
    stop = {"stop": "STOP", "length": "MAX_TOKENS", "tool_calls": "STOP"}.get(finish or "")
    parts = [*([{"text": text}] if text else []), *({"functionCall": each} for each in calls)]
    candidate = {"content": {"role": "model", "parts": parts}, "index": 0}
    body = {
        "candidates": [candidate | ({"finishReason": stop} if stop else {})],
        "usageMetadata": {
            "promptTokenCount": usage["prompt_tokens"],
            "candidatesTokenCount": 7,
            "totalTokenCount": 18,
        },
        "modelVersion": raw["model"],
    }
    return _as_json(reply, body)


def ollama(raw: Body, answer: Answering) -> Reply:
    """Answer a request to `/api/chat`, with its stream of lines."""
    schema, tools = raw.get("format"), [each["function"] for each in raw.get("tools", [])]
    reply = answer(_asked(raw["model"], raw["messages"][-1]["content"], schema, tools, raw))
    if reply.status != 200:
        return _as_json(reply, {"error": _error(reply)})
    usage, text, calls, finish = _told(reply)
    used = [{"function": {"name": each["name"], "arguments": each["args"]}} for each in calls]
    message = {"role": "assistant", "content": text, **({"tool_calls": used} if used else {})}
    lines: list[Body] = [{"model": raw["model"], "message": message, "done": False}]
    if finish is not None:
        why = {"length": "length"}.get(finish, "stop")
        counts = {"prompt_eval_count": usage["prompt_tokens"], "eval_count": 7}
        empty = {"role": "assistant", "content": ""}
        lines.append({"message": empty, "done": True, "done_reason": why, **counts})
    sent = "".join(json.dumps(each) + "\n" for each in lines).encode()
    return replace(reply, body=sent, media_type="application/x-ndjson")


_AMAZON = {
    400: "ValidationException",
    401: "UnrecognizedClientException",
    404: "ResourceNotFoundException",
    429: "ThrottlingException",
    500: "InternalServerException",
}


def bedrock(raw: Body, answer: Answering) -> Reply:
    """Answer a request to `/model/NAME/converse`."""
    structure = raw.get("outputConfig", {}).get("textFormat", {}).get("structure", {})
    schema = json.loads(structure.get("jsonSchema", {}).get("schema", "null"))
    tools = [each["toolSpec"] for each in raw.get("toolConfig", {}).get("tools", [])]
    text = raw["messages"][-1]["content"][0]["text"]
    reply = answer(_asked(raw["model"], text, schema, tools, raw))
    if reply.status != 200:
        kind = _AMAZON.get(reply.status, "ModelErrorException")
        told = _as_json(reply, {"message": _error(reply)})
        return replace(told, headers={**reply.headers, "x-amzn-errortype": kind})
    usage, text, calls, finish = _told(reply)
    used = [
        {"toolUse": {"toolUseId": "t1", "name": each["name"], "input": each["args"]}}
        for each in calls
    ]
    stop = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use"}.get(finish or "")
    stop = "content_filtered" if finish == "content_filter" else stop
    counts = {"inputTokens": usage["prompt_tokens"], "outputTokens": 7, "totalTokens": 18}
    content = [*([{"text": text}] if text else []), *used]
    body = {
        "output": {"message": {"role": "assistant", "content": content}},
        **({"stopReason": stop} if stop else {}),
        "usage": counts,
        "metrics": {"latencyMs": 1},
    }
    return _as_json(reply, body)


class _AsItIsError(Exception):
    """Carries a reply past the wire."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply


def through(wire: Wire, raw: Body, answer: Answering) -> Reply:
    """Answer a request over a wire, unless its reply goes out as it is."""

    def answered(asked: Body) -> Reply:
        reply = answer(asked)
        if reply.raw:
            raise _AsItIsError(reply)
        return reply

    try:
        return wire(raw, answered)
    except _AsItIsError as past:
        return past.reply


WIRES: dict[str, Wire] = {
    "/v1/messages": anthropic,
    "/{version}/models/{model}:generateContent": google,
    "/api/chat": ollama,
    "/model/{model}/converse": bedrock,
}
