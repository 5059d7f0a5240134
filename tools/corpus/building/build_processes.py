"""Processes of our own: Python computes in one thread at a time, so that more cores need these.

They are told what to do on their standard input, a line each, and are killed with this process.
"""

import gc
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

from agent.errors import CorpusError, SettingsError
from tools.corpus.build_settings import BuildSettings
from tools.corpus.building.part import write_part
from tools.corpus.fields.field_table import write_fields
from tools.corpus.generations import Generation
from tools.corpus.processes import cores
from tools.corpus.source_files import FileBelow

_SERVE = (
    "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    "from tools.corpus.building.build_processes import serve; serve()"
)
_FAILURES = {"SettingsError": SettingsError}
_SELDOM = (50_000, 20, 100)
"""How often it looks for cycles: it makes many values, and few cycles."""


class Workers(AbstractContextManager["Workers"]):
    """Processes, once they are started, until the block ends."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._free: SimpleQueue[_Worker | None] = SimpleQueue()
        self.running = 0
        """How many are."""

    def __exit__(self, *_: object) -> None:
        """End them."""
        self.end()

    def start(self, count: int = 0) -> None:
        """Start so many, or one a core, unless some are running; they are ready when asked."""
        if not self.running:
            self.running = count or cores()
            self._free = SimpleQueue()
            for _ in range(self.running):
                self._free.put(self._stack.enter_context(_worker()))

    def end(self) -> None:
        """End them; the next start makes new ones, whose memory is small again."""
        self._stack.close()
        self._free.put(None)  # or who waits for one would wait for ever
        self.running = 0

    def do(self, task: str, what: Mapping[str, Any], at: str) -> None:
        """Have a task of `serve` done by the next process that is free.

        `what` are its arguments; `at` is named if the process ends meanwhile.

        Raises:
            SettingsError: the task says so.
            CorpusError: the process ended before it was done.
            OSError: something cannot be read or written.
        """
        free = self._free
        worker = free.get()
        if worker is None:
            free.put(None)
            raise CorpusError("indexing stopped: run `headcount index` again to continue")
        try:
            worker.do(json.dumps({"task": task, **what}), at)
        finally:
            free.put(worker)


@dataclass(frozen=True, slots=True)
class _Worker:
    process: subprocess.Popen[str]
    asks: IO[str]
    replies: IO[str]

    def do(self, asked: str, at: str) -> None:
        try:
            self.asks.write(asked + "\n")
            self.asks.flush()
            replied = self.replies.readline()
        except BrokenPipeError:
            replied = ""
        if not replied:
            raise CorpusError(
                f"a process that indexes ended with code {self.process.wait()}, at or behind "
                f"{at!r}: run `headcount index` again to continue there"
            )
        reply = json.loads(replied)
        if reply["failed"]:
            raise _FAILURES.get(reply["kind"], OSError)(reply["failed"])


@contextmanager
def _worker() -> Iterator[_Worker]:
    """Start a process; it ends with this block, and when this process does."""
    own = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "POLARS_MAX_THREADS": "1"}
    command = [sys.executable, "-c", _SERVE]
    pipe, env = subprocess.PIPE, {**os.environ, **own}
    with subprocess.Popen(  # noqa: S603 - our own code
        command, stdin=pipe, stdout=pipe, encoding="utf-8", env=env
    ) as process:
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
    """Do tasks as they are asked for on standard input, a line each; end when it does.

    What a library prints goes to standard error: standard output is for the replies.
    """
    import polars  # noqa: F401, ICN001 - before the first task: who asks opens a corpus meanwhile

    logging.disable(logging.CRITICAL)  # what cannot be read is told in the part
    gc.set_threshold(*_SELDOM)
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as replies:
        os.dup2(2, 1)
        asked: SimpleQueue[str] = SimpleQueue()
        Thread(target=_listen, args=(asked,), daemon=True).start()
        while True:
            replies.write(json.dumps(_done(json.loads(asked.get()))) + "\n")
            _send(replies)


def _listen(asked: "SimpleQueue[str]") -> None:
    """Take tasks while others are done, and end the process at once when who asks is gone.

    The next build may write where the task writes.
    """
    for line in sys.stdin:
        asked.put(line)
    os._exit(0)


def _send(replies: IO[str]) -> None:
    try:
        replies.flush()
    except BrokenPipeError:
        os._exit(0)  # who asks is gone


def _done(asked: Mapping[str, Any]) -> Mapping[str, str]:
    """Do a task and return how it failed, if it did."""
    try:
        _TASKS[asked["task"]](asked)
    except (SettingsError, OSError) as error:
        return {"failed": str(error) or repr(error), "kind": type(error).__name__}
    return {"failed": ""}


def _read(asked: Mapping[str, Any]) -> None:
    files = [FileBelow.load(each) for each in asked["files"]]
    write_part(files, BuildSettings(**asked["settings"]), Path(asked["place"]))


def _join_fields(asked: Mapping[str, Any]) -> None:
    write_fields(asked["pieces"], Generation(Path(asked["generation"])))


_TASKS: Mapping[str, Callable[[Mapping[str, Any]], None]] = {"read": _read, "fields": _join_fields}
