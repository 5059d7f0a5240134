"""The command line in a process of its own, forked from one that has imported everything.

A process that starts from nothing spends two seconds on imports, and these tests need many.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.integration.asking import MANY_REQUESTS, Printed

__all__ = ("Forked",)

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    ["pytest", "chromadb", "langchain_openai", "graphs.apps.ask", "tests.integration.asking"]
)


class Forked:
    """One run of `headcount` that a test may kill; it starts once its id can be asked for."""

    def __init__(
        self, arguments: Sequence[str], folder: Path, settings: Mapping[str, str] = MANY_REQUESTS
    ) -> None:
        self._streams = (folder / "stdout.txt", folder / "stderr.txt")
        # The server that forks keeps the environment of whichever test came first.
        environment = {**os.environ, **settings}
        given = (list(arguments), environment, *self._streams)
        self._process = _CONTEXT.Process(target=_main, args=given)
        self._begun = threading.Event()

    def pid(self) -> int:
        """Return the process's id; waits until the process has one."""
        self._begun.wait()
        return self._process.pid or 0

    def outcome(self) -> Printed:
        """Run to the end, whatever the end is."""
        self._process.start()
        self._begun.set()
        self._process.join()
        code = self._process.exitcode
        self._process.close()
        out, err = (stream.read_text(encoding="utf-8") for stream in self._streams)
        return Printed(-1 if code is None else code, out, err)


def _main(arguments: list[str], environment: dict[str, str], *streams: Path) -> None:
    """Become the command, interruptible also where the tests were started with interrupts off."""
    from graphs.apps.cli import main
    from tests.graphs.leaving_out import leave_out

    for number, stream in enumerate(streams, start=1):
        os.dup2(os.open(stream, os.O_WRONLY | os.O_CREAT, 0o600), number)
    os.environ.clear()
    os.environ.update(environment)
    leave_out()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = ["headcount", *arguments]
    main()
