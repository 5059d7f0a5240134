"""Checksums of a corpus's files: made when they are written, compared before anything is read.

Each block of 4 MiB has its XXH3, 64 bits: they find what disks, memory and cables change, not what
a person forges. A file that is replaced on its own carries its checksum behind its content.
"""

import json
from collections.abc import Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

from xxhash import xxh3_64_hexdigest

_BLOCK = 1 << 22
_DIGITS = 16
_SUMS = "sums.json"


def sealed(content: bytes) -> bytes:
    r"""Return content with its checksum in a line behind it.

    >>> sealed(b"{}")
    b'{}\n8b6fe48bf4a88d47\n'
    """
    return b"%b\n%b\n" % (content, xxh3_64_hexdigest(content).encode())


def unsealed(written: bytes) -> bytes:
    """Return the content of what was sealed; raises ValueError where a byte of it changed."""
    content = written[: -_DIGITS - 2]
    if sealed(content) != written:
        raise ValueError("it does not hold the bytes that were written")
    return content


def save_sums(root: Path, *, sealed_files: Sequence[str] = (), before: Path | None = None) -> None:
    """Write the checksums of the files below a directory, but of those that carry their own.

    Those of whole blocks of a file that is shared with a directory `before` are taken over: what
    was damaged there meanwhile is never declared sound.
    """
    known = {} if before is None else _saved(before)
    found: dict[str, list[int | str]] = {}
    for file in sorted(root.rglob("*")):
        name = file.relative_to(root).as_posix()
        if not file.is_file() or name in (*sealed_files, _SUMS):
            continue
        kept: Sequence[str] = ()
        if before is not None and name in known and file.samefile(before / name):
            size, *sums = known[name]
            kept = sums[: size // _BLOCK]
        size = file.stat().st_size
        found[name] = [size, *kept, *_sums(file, len(kept) * _BLOCK, size)]
    (root / _SUMS).write_bytes(sealed(json.dumps(found).encode()))


def damaged(root: Path) -> list[str]:
    """Return the files below a directory that are gone or do not hold what was written.

    What stands behind the bytes that were written is another generation's. Raises OSError: a file
    cannot be read.
    """
    try:
        known = _saved(root)
    except (FileNotFoundError, ValueError):
        return [_SUMS]
    return [name for name, (size, *sums) in known.items() if not _is_whole(root / name, size, sums)]


def _saved(root: Path) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = json.loads(unsealed((root / _SUMS).read_bytes()))
    return found


def _is_whole(file: Path, size: int, sums: Sequence[str]) -> bool:
    if not file.is_file() or file.stat().st_size < size:
        return False
    return _sums(file, 0, size) == sums


def _sums(file: Path, start: int, stop: int) -> list[str]:
    """Return the checksums of a file's blocks between two offsets.

    A block is mapped at a time: reading it would copy it, and the whole file would count as this
    process's memory.
    """
    found = []
    with file.open("rb") as opened:
        for first in range(start, stop, _BLOCK):
            length = min(_BLOCK, stop - first)
            with mmap(opened.fileno(), length, access=ACCESS_READ, offset=first) as block:
                found.append(xxh3_64_hexdigest(block))
    return found
