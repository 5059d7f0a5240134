"""What a process of `workers` does: the tasks it is told, one after another."""

import gc
import json
import logging
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

from agent.errors import SettingsError
from tools.corpus.building.fields_build import write_fields
from tools.corpus.building.part import write_part
from tools.corpus.documents.listing import FileBelow
from tools.corpus.settings import BuildSettings
from tools.corpus.storage.layout import Generation

__all__ = ("serve",)

_SELDOM = (50_000, 20, 100)
"""How often it looks for cycles: it makes many values, and few cycles."""


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
