"""Files that anyone may hand over with a corpus: opened without waiting, read up to a size."""

import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

from agent.errors import CorpusDamaged

MOST_BYTES: Final = 1 << 28


def open_plain(path: Path) -> BinaryIO:
    """Open a file for reading; raises OSError, CorpusDamaged where a pipe or device is in place."""
    unwaiting = getattr(os, "O_NONBLOCK", 0)
    file = open(path, "rb", opener=lambda name, flags: os.open(name, flags | unwaiting))  # noqa: SIM115 - Path.open has no opener
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise not_plain(path)


def read_small(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return a file's bytes; raises as `open_plain`, CorpusDamaged where there are too many."""
    with open_plain(path) as file:
        if os.fstat(file.fileno()).st_size > most:
            raise not_plain(path)
        return file.read(most)


def not_plain(path: Path | str) -> CorpusDamaged:
    """Return the error of a path that holds something else than a file that Headcount wrote."""
    return CorpusDamaged(
        f"{str(path)!r} is no plain file, or far larger than Headcount writes one: delete it, or "
        "copy it from where it is sound"
    )
