"""The command line in a process of its own, forked from one that has imported everything.

A process that starts from nothing spends two seconds on imports, and these tests need many.
"""

import io
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.synchronize import Event
from pathlib import Path

from tests.integration.asking import MANY_REQUESTS, Printed

PATIENCE = 60.0
"""Seconds after which what a test waits for will not come."""
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    [
        *("pytest", "chromadb", "langchain_openai", "tests.integration.asking"),
        *("graphs.apps.ask", "graphs.apps.index", "graphs.apps.record_commands"),
    ]
)


class Forked:
    """One run of `headcount` that a test may kill; it starts once its id can be asked for.

    What it prints comes through pipes, so that it can be printed where no file can be written.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        folder: Path,
        settings: Mapping[str, str] = MANY_REQUESTS,
        typed: str = "",
    ) -> None:
        self._streams = (folder / "stdout.pipe", folder / "stderr.pipe")
        # The server that forks keeps the environment of whichever test came first.
        environment = {**os.environ, **settings}
        self._at_work = _CONTEXT.Event()
        given = (list(arguments), environment, typed, self._at_work, *self._streams)
        self._process = _CONTEXT.Process(target=_main, args=given)
        self._begun = threading.Event()
        self.seconds = 0.0
        """How long the command took."""

    def pid(self) -> int:
        """Return the process's id; waits until the process has one."""
        self._begun.wait()
        return self._process.pid or 0

    @contextmanager
    def at_work(self) -> Iterator[Future[Printed]]:
        """Run in the background until the block is left; yields the outcome to come."""
        with ThreadPoolExecutor(1) as pool:
            yield pool.submit(self.outcome)

    def outcome(self, blow: Callable[[int], None] | None = None, after: float = 0.0) -> Printed:
        """Run to the end, whatever the end is; a blow falls after so many seconds if it still runs.

        A process that has not ended within the patience of a test is killed, and fails it.
        """
        ends = [_reading_end(stream) for stream in self._streams]
        self._process.start()
        self._begun.set()
        assert self._at_work.wait(PATIENCE)
        began = time.monotonic()
        if blow is not None:
            self._process.join(after)
            with suppress(ProcessLookupError, FileNotFoundError):  # it ends just now
                if self._process.exitcode is None:
                    blow(self.pid())
        self._process.join(PATIENCE)
        self.seconds = time.monotonic() - began
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
            raise AssertionError(f"{sys.argv}: still running after {PATIENCE} s")
        code = self._process.exitcode
        self._process.close()
        out, err = map(_all_of, ends)
        return Printed(-1 if code is None else code, out, err)


def _reading_end(pipe: Path) -> int:
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    return os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)


def _all_of(end: int) -> str:
    """Return what came through a pipe, which holds 64 KiB, though others still hold its end."""
    parts = []
    with os.fdopen(end, "rb", buffering=0) as file:
        while part := file.read(65_536):
            parts.append(part)
    return b"".join(parts).decode()


def _main(
    arguments: list[str], environment: dict[str, str], typed: str, at_work: Event, *streams: Path
) -> None:
    """Become the command, interruptible also where the tests were started with interrupts off."""
    from graphs.apps.main import main
    from tests.graphs.leaving_out import leave_out

    for number, stream in enumerate(streams, start=1):
        os.dup2(os.open(stream, os.O_WRONLY), number)
    sys.stdout, sys.stderr = (os.fdopen(n, "w", encoding="utf-8", closefd=False) for n in (1, 2))
    if typed:
        sys.stdin = io.StringIO(typed)
    os.environ.clear()
    os.environ.update(environment)
    leave_out()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = ["headcount", *arguments]
    at_work.set()
    main()
