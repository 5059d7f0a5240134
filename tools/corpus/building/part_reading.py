"""Reading the parts of a build, in processes of their own where there is enough to read."""

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import IO

from agent.errors import CorpusError, SettingsError
from tools.corpus.building.part import write_part
from tools.corpus.documents.listing import FileBelow
from tools.corpus.processes.threads import cores
from tools.corpus.settings import BuildSettings

__all__ = ("Job", "read_parts", "serve")

_WORTH = 32 * 1024 * 1024
"""Bytes below which starting processes takes longer than it saves."""
_SELDOM = (50_000, 20, 100)
"""How often a process that reads looks for cycles: it makes many values, and few cycles."""
_SERVE = "from tools.corpus.building.part_reading import serve; serve()"


@dataclass(frozen=True, slots=True)
class Job:
    """A part to be read."""

    files: Sequence[FileBelow]
    bytes: int
    """Of the files as they lie on disk."""
    place: Path
    """Where the part goes."""


def read_parts(jobs: Sequence[Job], settings: BuildSettings, done: Callable[[Job], None]) -> None:
    """Read the parts; `done` is called, one call at a time, with each that is finished.

    Raises:
        SettingsError: Python has no such encoding as the settings name.
        CorpusError: a reading process ended before its part was finished.
        OSError: a part cannot be written.
    """
    workers = min(cores(), len(jobs))
    if workers < 2 or sum(job.bytes for job in jobs) < _WORTH:
        for job in jobs:
            write_part(job.files, settings, job.place)
            done(job)
        return
    with ExitStack() as stack:
        free: SimpleQueue[_Worker] = SimpleQueue()
        for _ in range(workers):
            free.put(stack.enter_context(_worker(settings)))
        pool = stack.enter_context(ThreadPoolExecutor(workers))
        for job in pool.map(lambda job: _given(free, job), jobs):
            done(job)


def serve() -> None:
    """Read parts as they are asked for on standard input, a line each, until it ends.

    What a library prints goes to standard error: standard output is for the replies.
    """
    import logging

    logging.disable(logging.CRITICAL)  # what cannot be read is told in the part
    gc.set_threshold(*_SELDOM)
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    settings = BuildSettings(**json.loads(sys.stdin.readline()))
    for line in sys.stdin:
        asked = json.loads(line)
        files = [FileBelow.load(each) for each in asked["files"]]
        try:
            write_part(files, settings, Path(asked["place"]))
            reply = {"failed": ""}
        except (SettingsError, OSError) as error:
            reply = {"failed": str(error), "kind": type(error).__name__}
        _send(replies, reply)


@dataclass(frozen=True, slots=True)
class _Worker:
    process: subprocess.Popen[str]
    asks: IO[str]
    replies: IO[str]

    def read(self, job: Job) -> None:
        """Have a part read; raises as `read_parts`."""
        asked = {"files": [asdict(each) for each in job.files], "place": str(job.place)}
        try:
            _send(self.asks, asked)
            replied = self.replies.readline()
        except BrokenPipeError:
            replied = ""
        if not replied:
            raise CorpusError(
                f"a process that reads files ended with code {self.process.wait()}, at or behind "
                f"{job.files[0].file!r}: run `headcount index` again, it goes on from there"
            )
        reply = json.loads(replied)
        if reply["failed"]:
            known = {"SettingsError": SettingsError}
            raise known.get(reply["kind"], OSError)(reply["failed"])


def _given(free: "SimpleQueue[_Worker]", job: Job) -> Job:
    worker = free.get()
    try:
        worker.read(job)
    finally:
        free.put(worker)
    return job


@contextmanager
def _worker(settings: BuildSettings) -> Iterator[_Worker]:
    """Start a process that reads; it ends with this block, and when this process does."""
    own = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "POLARS_MAX_THREADS": "1"}
    command = [sys.executable, "-c", _SERVE]
    pipe, env = subprocess.PIPE, {**os.environ, **own}
    with subprocess.Popen(  # noqa: S603 - our own code
        command, stdin=pipe, stdout=pipe, encoding="utf-8", env=env
    ) as process:
        asks, replies = process.stdin, process.stdout
        if asks is None or replies is None:
            raise OSError("a process that reads files has no pipes")
        try:
            _send(asks, asdict(settings))
            yield _Worker(process, asks, replies)
        finally:
            process.kill()


def _send(stream: IO[str], message: object) -> None:
    stream.write(json.dumps(message) + "\n")
    stream.flush()
