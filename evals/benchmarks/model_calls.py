"""What a model call costs besides the model, against the bare client."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pydantic import BaseModel, ConfigDict

from agent.reasoner import Prompt, PromptValues
from agent.reasoners import chat_reasoner
from evals.benchmarks.figures import Aim, Row, Unequal, compared

_CALLS = 30
"""Calls in one round."""
_MODEL = "instant"
_PROMPT = Prompt(
    name="firm", digest="firm", text="Which firm, and how many?", values=PromptValues()
)


class _Firm(BaseModel):
    """A firm."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    count: int


def calls(rounds: int) -> Row:
    """Ask a server that answers at once, one call after another, both for the same reply."""
    with serving() as url:
        reasoner, peer = chat_reasoner(_MODEL, base_url=url, max_retries=0), _client(url)
        if reasoner.ask(_PROMPT, _Firm) != peer():
            raise Unequal("the reasoner and the client read different replies")
        row = compared(
            "a model call at 0 ms latency",
            ("ChatReasoner.ask", lambda: [reasoner.ask(_PROMPT, _Firm) for _ in range(_CALLS)]),
            ("openai client", lambda: [peer() for _ in range(_CALLS)]),
            rounds,
            parts=_CALLS,
            aim=Aim("at most", 4),
            note="one after another; schema, validation, ledger, budget and retries included",
        )
        sent, asked = reasoner.spent().model_calls, 1 + (rounds + 1) * _CALLS
        if sent != asked:
            raise Unequal(f"the reasoner sent {sent} requests for {asked} questions")
    return row


def _client(url: str) -> Callable[[], _Firm]:
    from openai import OpenAI

    client = OpenAI(base_url=url, api_key="none", max_retries=0)

    def ask() -> _Firm:
        done = client.chat.completions.create(
            model=_MODEL, messages=[{"role": "user", "content": _PROMPT.text}]
        )
        return _Firm(**json.loads(done.choices[0].message.content or ""))

    return ask


@contextmanager
def serving() -> Iterator[str]:
    """Run the server in a process of its own, on loopback; yield its address."""
    command = [sys.executable, "-c", f"from {__name__} import serve; serve()"]
    with subprocess.Popen(  # noqa: S603 - this interpreter, this module
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            line = process.stdout.readline().strip() if process.stdout else ""
            if not line:
                raise ConnectionError("the benchmarks' own server did not start")
            yield line
        finally:
            process.communicate()


def serve() -> None:
    """Serve until standard input ends, having printed the address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Instant) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdout.write(f"http://127.0.0.1:{server.server_port}/v1\n")
        sys.stdout.flush()
        sys.stdin.read()
        server.shutdown()


REPLY = {"name": "acme", "count": 3}
"""What every completion says, as JSON."""
_SAID = {"role": "assistant", "content": json.dumps(REPLY)}
_COMPLETION = {
    "id": "c1",
    "object": "chat.completion",
    "created": 1,
    "model": _MODEL,
    "choices": [{"index": 0, "finish_reason": "stop", "message": _SAID}],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}


class _Instant(BaseHTTPRequestHandler):
    """Keeps connections open, as real servers do, and sends the answer in one piece."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps(_COMPLETION).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing."""
