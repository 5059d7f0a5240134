"""A chat server of the standard library that answers at once; its own process, on loopback."""

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from agent.cost import Cost
from agent.reasoner import ALL_ABILITIES, Failure, Prompt, Reasoner, ToolCall, ToolSpec

__all__ = ("REPLY", "KeyedReasoner", "answer_in", "serve", "serving", "tokens_in", "with_answer")

_OPENS = "\n<answer-key>"
_CLOSES = "</answer-key>"
_CHARACTERS_PER_TOKEN = 4


def with_answer(text: str, answer: str) -> str:
    r"""Return the prompt's text with a JSON answer below it.

    >>> answer_in(with_answer("Which?", '{"is": "<this>"}'))
    '{"is": "\\u003cthis>"}'
    """
    return f"{text}{_OPENS}{answer.replace('<', chr(92) + 'u003c')}{_CLOSES}"


def answer_in(content: str) -> str:
    """Return the answer that a message carries, empty without one."""
    _, opened, rest = content.rpartition(_OPENS)
    return rest.partition(_CLOSES)[0] if opened else ""


def tokens_in(contents: Sequence[str], *beside: object) -> int:
    """Return the tokens of messages without their answers and of what is sent beside them.

    Four characters are one, as everywhere in the evaluation.

    >>> tokens_in([with_answer("Which?", "{}"), "Go on"])
    3
    """
    told = sum(len(each) - _key_length(each) for each in contents)
    schemas = sum(len(json.dumps(each)) for each in beside if each)
    return -(-(told + schemas) // _CHARACTERS_PER_TOKEN)


def _key_length(content: str) -> int:
    answer = answer_in(content)
    return len(answer) + len(_OPENS) + len(_CLOSES) if answer else 0


REPLY = {"name": "acme", "count": 3}
"""What a completion says, as JSON, where the prompt carries no answer."""
_DEFAULT = json.dumps(REPLY)


def _completion(request: dict[str, Any]) -> bytes:
    """Answer with the answer that the first message carries; count its tokens without that."""
    contents = [str(each.get("content") or "") for each in request.get("messages", ())]
    answer = answer_in(contents[0] if contents else "") or _DEFAULT
    sent = tokens_in(contents, request.get("tools"), request.get("response_format"))
    written = tokens_in([answer])
    said = {"role": "assistant", "content": answer}
    completion = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "instant",
        "choices": [{"index": 0, "finish_reason": "stop", "message": said}],
        "usage": {
            "prompt_tokens": sent,
            "completion_tokens": written,
            "total_tokens": sent + written,
        },
    }
    return json.dumps(completion).encode()


class _Instant(BaseHTTPRequestHandler):
    """Keeps connections open, as real servers do, and sends an answer in one piece."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        body = _completion(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing."""


def serve() -> None:
    """Serve until standard input ends, having printed the address."""
    import threading

    with ThreadingHTTPServer(("127.0.0.1", 0), _Instant) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdout.write(f"http://127.0.0.1:{server.server_port}/v1\n")
        sys.stdout.flush()
        sys.stdin.read()
        server.shutdown()


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """Run the server in a process of its own; yield its address."""
    command = [sys.executable, "-c", f"from {__name__} import serve; serve()"]
    with subprocess.Popen(  # noqa: S603 - this interpreter, this module
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield _first_line(process)
        finally:
            process.communicate()


def _first_line(process: "subprocess.Popen[str]") -> str:
    line = process.stdout.readline().strip() if process.stdout else ""
    if not line:
        raise ConnectionError("the benchmarks' own server did not start")
    return line


R = TypeVar("R", bound=BaseModel)


class KeyedReasoner:
    """Sends what a chat reasoner sends, to a server that replies with the answer in the prompt.

    The answers are an oracle's, one that costs nothing; `aside` are the seconds it took, so that
    they can be left out of what is timed.
    """

    paid: Final = True
    abilities: Final = ALL_ABILITIES

    def __init__(
        self, chat: Reasoner, oracle: Reasoner, *, see: Callable[[Prompt], object] | None = None
    ) -> None:
        """Let `chat` ask and `oracle` answer; `see` is shown every judging prompt as sent."""
        self.aside = 0.0
        self.judged = 0
        """Judging prompts sent."""
        self._chat = chat
        self._oracle = oracle
        self._see = see

    @property
    def name(self) -> str:
        """As the chat model."""
        return self._chat.name

    @property
    def reply_tokens(self) -> int:
        """As the chat model."""
        return self._chat.reply_tokens

    @property
    def context_tokens(self) -> int:
        """As the chat model."""
        return self._chat.context_tokens

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Ask with the oracle's reply."""
        with self._aside():
            keyed = self._keyed(prompt, self._oracle.ask(prompt, reply))
        return self._chat.ask(keyed, reply)

    def ask_many(self, prompts: Sequence[Prompt], reply: type[R]) -> list[R | Failure]:
        """Ask with the oracle's replies, all at once; raise what the oracle fails with."""
        with self._aside():
            keyed = [self._keyed(each, self._oracle.ask(each, reply)) for each in prompts]
        return self._chat.ask_many(keyed, reply)

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Choose as the oracle does."""
        with self._aside():
            keyed = self._keyed(prompt, self._oracle.choose(prompt, tools))
        return self._chat.choose(keyed, tools)

    def tokens(self, prompt: Prompt, reply: type[BaseModel]) -> int:
        """Estimate as the chat model does."""
        return self._chat.tokens(prompt, reply)

    def affords(self, sent: int, received: int) -> bool:
        """Tell what the chat model's budget pays for."""
        return self._chat.affords(sent, received)

    def spent(self) -> Cost:
        """Return what the chat reasoner spent."""
        return self._chat.spent()

    def charge(self, cost: Cost) -> None:
        """Count what another reasoner spent on the same bill."""
        self._chat.charge(cost)

    def _keyed(self, prompt: Prompt, answer: BaseModel) -> Prompt:
        keyed = replace(prompt, text=with_answer(prompt.text, answer.model_dump_json()))
        if prompt.name == "judge":
            self.judged += 1
            if self._see is not None:
                self._see(keyed)
        return keyed

    @contextmanager
    def _aside(self) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.aside += time.perf_counter() - began
