"""Files that anyone may hand over with a corpus: opened without waiting, read up to a size."""

import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

from agent.errors import CorpusDamaged

_MOST: Final = 1 << 28


def open_plain(path: Path) -> BinaryIO:
    """Open a file for reading; raises OSError, CorpusDamaged where a pipe or device is in place."""
    unwaiting = getattr(os, "O_NONBLOCK", 0)
    file = open(path, "rb", opener=lambda name, flags: os.open(name, flags | unwaiting))  # noqa: SIM115 - Path.open has no opener
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise _strange(path)


def read_small(path: Path, most: int = _MOST) -> bytes:
    """Return a file's bytes; raises as `open_plain`, CorpusDamaged where there are too many."""
    with open_plain(path) as file:
        if os.fstat(file.fileno()).st_size > most:
            raise _strange(path)
        return file.read(most)


def _strange(path: Path) -> CorpusDamaged:
    return CorpusDamaged(
        f"{str(path)!r} is no plain file, or far larger than Headcount writes it: take the corpus "
        "from where it is sound, or delete what is there"
    )
