"""Processes of our own, since strangers wrote what they read, and more cores need more of them.

They are told what to do on their standard input, a line each, and are killed with this process.
"""

import gc
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import IO, Any

from agent.errors import CorpusError, DocumentUnreadable, SettingsError
from tools.corpus.build_settings import BuildSettings, FileLimits
from tools.corpus.building.part import Tell, write_part
from tools.corpus.metadata_files import table_rows
from tools.corpus.processes import limited
from tools.corpus.source_files import FileBelow

_SERVE = (
    "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    "from tools.corpus.building.build_processes import serve; serve()"
)
_FAILURES = {each.__name__: each for each in (SettingsError, DocumentUnreadable, OSError)}
_SELDOM = (50_000, 20, 100)
"""How often it looks for cycles: it makes many values, and few cycles."""


class TaskFailed(Exception):
    """A task ended its process, or raised what no task should."""

    def __init__(self, reason: str, at: int) -> None:
        super().__init__(reason)
        self.at = at
        """The file that it was told to be at; -1 for none."""


class Workers(AbstractContextManager["Workers"]):
    """Processes, once they are started, until the block ends."""

    def __init__(self, limits: FileLimits | None = None) -> None:
        self.limits = limits or FileLimits()
        self._stack = ExitStack()
        self._ending = Lock()
        self._free: SimpleQueue[_Worker | None] = SimpleQueue()
        self.running = 0

    def __exit__(self, *_: object) -> None:
        self.end()

    def start(self, count: int) -> None:
        """Start so many, less those that are running; they are ready when asked."""
        if not self.running:
            self._free = SimpleQueue()
        while self.running < count:
            self.running += 1
            self._free.put(self._stack.enter_context(_worker()))

    def end(self) -> None:
        """End them; the next start makes new ones, whose memory is small again."""
        with self._ending:
            self.running = 0
        self._stack.close()
        self._free.put(None)  # or who waits for one would wait for ever

    def do(self, task: str, what: Mapping[str, Any]) -> Any:
        """Have a task of `serve` done by the next process that is free; return what it returns.

        Raises SettingsError, DocumentUnreadable or OSError where the task does, CorpusError where
        the processes were ended, TaskFailed where its process ended, and was replaced, or erred.
        """
        free = self._free
        worker = free.get()
        if worker is None:
            free.put(None)
            raise CorpusError("indexing stopped: run `headcount index` again to continue")
        try:
            return worker.do(json.dumps({"task": task, **what}))
        except TaskFailed:
            with self._ending:
                if self.running and worker.process.poll() is not None:
                    worker = self._stack.enter_context(_worker())
            raise
        finally:
            free.put(worker)


@dataclass(frozen=True, slots=True)
class _Worker:
    process: subprocess.Popen[str]
    asks: IO[str]
    replies: IO[str]

    def do(self, asked: str) -> Any:
        at = -1
        with suppress(BrokenPipeError):
            self.asks.write(asked + "\n")
            self.asks.flush()
            for reply in map(json.loads, self.replies):
                if "at" in reply:
                    at = reply["at"]
                    continue
                if not reply["failed"]:
                    return reply["made"]
                if reply["kind"] in _FAILURES:
                    raise _FAILURES[reply["kind"]](reply["failed"])
                raise TaskFailed(f"{reply['failed']} ({reply['kind']})", at)
        raise TaskFailed(_ended(self.process.wait()), at)


def _ended(code: int) -> str:
    """Return what a process's exit code says of a file that ended it."""
    if hasattr(signal, "SIGALRM") and code == -signal.SIGALRM:
        return "takes longer than a file may; raise HEADCOUNT_FILE_SECONDS to read it"
    name = signal.strsignal(-code) if code < 0 else None
    return f"reading it ended the process ({name or f'exit code {code}'})"


@contextmanager
def _worker() -> Iterator[_Worker]:
    """Start a process; it ends with this block, and when this process does."""
    own = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "POLARS_MAX_THREADS": "1"}
    own["OMP_THREAD_LIMIT"] = "1"  # a process a core: Tesseract takes four
    command = [sys.executable, "-P", "-c", _SERVE]  # -P: or the working folder came first
    pipe, env = subprocess.PIPE, {**os.environ, **own}
    with subprocess.Popen(  # noqa: S603 - our own code
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, encoding="utf-8", env=env
    ) as process:  # what a library says as it ends the process is no line of ours
        asks, replies = process.stdin, process.stdout
        if asks is None or replies is None:
            raise OSError("a process that indexes has no pipes")
        try:
            yield _Worker(process, asks, replies)
        finally:
            process.kill()
            with suppress(BrokenPipeError):  # it ended before it read what it was asked
                asks.close()


def serve() -> None:
    """Do tasks as they are asked for on standard input, a line each; end when it does."""
    logging.disable(logging.CRITICAL)  # what cannot be read is told in the part
    gc.set_threshold(*_SELDOM)
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as replies:
        os.dup2(2, 1)
        asked: SimpleQueue[str] = SimpleQueue()
        Thread(target=_listen, args=(asked,), daemon=True).start()

        def send(reply: Mapping[str, Any]) -> None:
            try:
                replies.write(json.dumps(reply) + "\n")
                replies.flush()
            except BrokenPipeError:
                os._exit(0)  # who asks is gone

        while True:
            send(_done(json.loads(asked.get()), lambda number: send({"at": number})))


def _listen(asked: "SimpleQueue[str]") -> None:
    """End the process at once when who asks is gone: the next build may write where it writes."""
    for line in sys.stdin:
        asked.put(line)
    os._exit(0)


def _done(asked: Mapping[str, Any], tell: Tell) -> Mapping[str, Any]:
    try:
        made = _TASKS[asked["task"]](asked, tell)
    except Exception as error:  # noqa: BLE001 - who asks raises it
        kind = "OSError" if isinstance(error, OSError) else type(error).__name__
        return {"failed": str(error) or repr(error), "kind": kind}
    return {"failed": "", "made": made}


def _read(asked: Mapping[str, Any], tell: Tell) -> None:
    write_part(
        [FileBelow.load(each) for each in asked["files"]],
        BuildSettings(**asked["settings"]),
        Path(asked["place"]),
        FileLimits(**asked["limits"]),
        refused={int(number): why for number, why in asked["refused"].items()},
        tell=tell,
        apart=asked["apart"],
    )


def _rows(asked: Mapping[str, Any], _tell: Tell) -> object:
    limits = FileLimits(**asked["limits"])
    with limited(limits.seconds, limits.memory_mb << 20):
        return table_rows(FileBelow.load(asked["file"]), asked["encoding"])


def _draw(asked: Mapping[str, Any], _tell: Tell) -> object:
    from tools.corpus.building.pdf_page import draw_page

    return draw_page(asked)


_Task = Callable[[Mapping[str, Any], Tell], object]
_TASKS: Mapping[str, _Task] = {"read": _read, "draw": _draw, "rows": _rows}
