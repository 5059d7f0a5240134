"""A server on loopback that speaks OpenAI's interface and others', for the real clients."""

import asyncio
import contextlib
import hashlib
import json
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import Response

from tests.fake_provider import wires
from tests.fake_provider.replies import FAULTS, GOOD, Reply, completion, error, tool_completion

Answer = str | dict[str, Any] | Reply
"""A text, the members of a JSON object, or a response as it is."""


@dataclass
class FakeProvider:
    """The server as a test sees it: what it answers, and what it was asked.

    A request is answered, in this order of precedence, by `refuses`, by the next of `script`, by
    the fault of the model's name, by `answer`, and else with a small good reply.
    """

    url: str = ""
    script: list[Answer] = field(default_factory=list)
    """Replies, or names of faults, for the next requests."""
    answer: Callable[[str, dict[str, Any]], Answer] | None = None
    """Makes the reply from the last human message and the whole request."""
    refuses: tuple[str, ...] = ()
    """Request members that get a 400 naming them, e.g. `response_format`."""
    gate: threading.Semaphore | None = None
    """When set, each request waits for a permit."""
    requests: list[dict[str, Any]] = field(default_factory=list)
    """The bodies of the requests to the chat, in order of arrival."""
    embedded: list[dict[str, Any]] = field(default_factory=list)
    live: int = 0
    """How many requests are in flight."""
    peak: int = 0
    """The most that were in flight at once."""

    @property
    def calls(self) -> int:
        """How many chat requests arrived."""
        return len(self.requests)

    def reset(self) -> None:
        """Forget everything but the address."""
        fresh = FakeProvider(url=self.url)
        vars(self).update(vars(fresh))

    def reply_to(self, body: dict[str, Any]) -> Reply:
        """Return what a request is answered with."""
        for member in self.refuses:
            if (refused := _refusal(body, member)) is not None:
                return refused
        model = str(body["model"])
        if self.script:
            return _reply(self.script.pop(0))
        if model in FAULTS:
            return FAULTS[model]
        if self.answer is not None:
            return _reply(self.answer(str(body["messages"][-1]["content"]), body))
        if body.get("tools"):
            return tool_completion(body["tools"][0]["function"]["name"], GOOD)
        return completion(GOOD)


def _refusal(body: dict[str, Any], member: str) -> Reply | None:
    """Return the 400 for a request that has the member, or `member=type` of it."""
    name, _, kind = member.partition("=")
    value = body.get(name)
    if value is None or (
        kind and kind != (value.get("type") if isinstance(value, dict) else value)
    ):
        return None
    message = f"Unsupported parameter: {name!r} is not supported by this server."
    return error(400, message, "unsupported_parameter")


def _reply(answer: Answer) -> Reply:
    if isinstance(answer, Reply):
        return answer
    if isinstance(answer, dict):
        return completion(json.dumps(answer))
    return FAULTS.get(answer) or completion(answer)


def _embedding(text: str) -> list[float]:
    digest = hashlib.sha256(text.encode()).digest()
    return [byte / 255 for byte in digest[:8]]


async def _answered(
    provider: FakeProvider, raw: dict[str, Any], reply_to: Callable[[], Reply]
) -> Response:
    provider.requests.append(raw)
    provider.live += 1
    provider.peak = max(provider.peak, provider.live)
    try:
        if (gate := provider.gate) is not None:
            await asyncio.to_thread(gate.acquire)
        return await _respond(reply_to())
    finally:
        provider.live -= 1


def _add_wire(app: FastAPI, provider: FakeProvider, path: str, wire: wires.Wire) -> None:
    @app.post(path)
    async def ask(request: Request) -> Response:
        raw = await request.json() | request.path_params
        return await _answered(provider, raw, lambda: wires.through(wire, raw, provider.reply_to))


def _application(provider: FakeProvider) -> FastAPI:
    app = FastAPI()
    for path, wire in wires.WIRES.items():
        _add_wire(app, provider, path, wire)

    @app.post("/openai/deployments/mine/chat/completions")  # Azure's address of a deployment
    @app.post("/v1/chat/completions")  # Mistral's, too
    async def chat(request: Request) -> Response:
        body = await request.json()
        return await _answered(provider, body, lambda: provider.reply_to(body))

    @app.post("/v1/embeddings")
    async def embeddings(request: Request) -> dict[str, Any]:
        body = await request.json()
        provider.embedded.append(body)
        texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
        return {
            "object": "list",
            "model": body["model"],
            "data": [
                {"object": "embedding", "index": index, "embedding": _embedding(str(text))}
                for index, text in enumerate(texts)
            ],
            "usage": {"prompt_tokens": len(texts), "total_tokens": len(texts)},
        }

    return app


async def _respond(reply: Reply) -> Response:
    response = Response(
        reply.body, status_code=reply.status, headers=reply.headers, media_type=reply.media_type
    )
    if reply.promised is not None:
        response.headers["content-length"] = str(reply.promised)
    return response


@contextlib.contextmanager
def running_provider() -> Iterator[FakeProvider]:
    """Run the server in a thread on a free port of loopback."""
    provider = FakeProvider()
    with served(_application(provider)) as address:
        provider.url = f"{address}/v1"
        yield provider


@contextlib.contextmanager
def served(application: Any, lifespan: Literal["on", "off"] = "off") -> Iterator[str]:
    """Serve an application in a thread on a free port of loopback; yield its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(application, log_level="critical", lifespan=lifespan))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
