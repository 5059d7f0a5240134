"""A chat server of the standard library that answers at once; its own process, on loopback."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from evals.benchmarks.answer_key import answer_in, tokens_in

__all__ = ("REPLY", "serve", "serving")

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
