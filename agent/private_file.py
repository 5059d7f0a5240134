"""Files that only their owner may read: databases that hold questions, quotes and replies."""

import contextlib
import os
from pathlib import Path
from threading import Lock

__all__ = ("make_private",)

_MAKING = Lock()


def make_private(path: Path) -> None:
    """Make an empty file with mode 0600 where there is none.

    A file that is there is not opened: closing it would drop all locks that SQLite holds on it in
    this process, and another process could then delete the write-ahead log in use
    (https://sqlite.org/howtocorrupt.html, section 2.2). Raises OSError where it cannot be made.
    """
    with _MAKING, contextlib.suppress(FileExistsError):
        if not path.exists():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
