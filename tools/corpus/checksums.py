"""Checksums of a corpus's files: made when they are written, compared before anything is read.

Each block of 4 MiB has its XXH3: they find what disks change, not what a person forges. All are
compared when a corpus is opened, but for the largest files, whose blocks are when they are read.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from xxhash import xxh3_64_hexdigest

from agent.errors import CorpusDamaged
from agent.small_files import read_small

_BLOCK = 1 << 22
_DIGITS = 16
_SUMS = "sums.json"
Sums = Mapping[str, Sequence[Any]]
"""By a file's name its size in bytes and, behind it, the checksums of its blocks."""
_SAVED: TypeAdapter[Sums] = TypeAdapter(dict[str, list[int | str]])


def sealed(content: bytes) -> bytes:
    r"""Return content with its checksum in a line behind it.

    >>> sealed(b"{}")
    b'{}\n1349cde127705c16\n'
    """
    return b"%b\n%b\n" % (content, xxh3_64_hexdigest(content).encode())


def unsealed(written: bytes) -> bytes:
    """Return the content of what was sealed; raises ValueError where a byte of it changed."""
    content = written[: -_DIGITS - 2]
    if sealed(content) != written:
        raise ValueError("it does not hold the bytes that were written")
    return content


def save_sums(root: Path, *, sealed_files: Sequence[str] = ()) -> None:
    """Write the checksums of the files below a directory, but of those that carry their own."""
    found: dict[str, list[int | str]] = {}
    for file in sorted(root.rglob("*")):
        name = file.relative_to(root).as_posix()
        if file.is_file() and name not in (*sealed_files, _SUMS):
            size = file.stat().st_size
            found[name] = [size, *_sums(file, size)]
    (root / _SUMS).write_bytes(sealed(json.dumps(found).encode()))


def damaged(root: Path, *, later: Collection[str] = ()) -> list[str]:
    """Return the files below a directory that are gone or do not hold what was written.

    Of a file that is compared `later` the first block is, which holds an array's header.
    """
    try:
        known = saved_sums(root)
    except (FileNotFoundError, ValueError, CorpusDamaged):
        return [_SUMS]
    return [
        name
        for name, (size, *sums) in known.items()
        if not _is_whole(root / name, size, sums[:1] if name in later else sums)
    ]


def _is_whole(file: Path, size: int, sums: Sequence[str]) -> bool:
    """Return whether a file has its size, and its first blocks these checksums."""
    if not file.is_file() or file.stat().st_size < size:
        return False
    return _sums(file, min(size, len(sums) * _BLOCK)) == sums


def saved_sums(root: Path) -> Sums:
    """Return the checksums saved for a directory; raises OSError or ValueError where damaged."""
    found = _SAVED.validate_json(unsealed(read_small(root / _SUMS)), strict=True)
    for size, *sums in found.values():
        if not isinstance(size, int) or size < 0 or len(sums) != -(-size // _BLOCK):
            raise ValueError("it does not tell a size and a checksum for each block")
    return found


class Blocks:
    """The blocks of a mapped file, each compared when it is first read."""

    def __init__(self, mapping: bytes | mmap, name: str, known: Sums) -> None:
        self._name = name
        self._size, *self._sums = known[name]
        self._mapping = memoryview(mapping)
        self._left = set(range(len(self._sums)))

    def check(self, first: int = 0, stop: int | None = None) -> None:
        """Compare the blocks from one byte offset up to another, or all; raises CorpusDamaged."""
        if not self._left:
            return
        end = self._size if stop is None else stop
        for block in self._left.intersection(range(first // _BLOCK, -(-end // _BLOCK))):
            held = self._mapping[block * _BLOCK : min((block + 1) * _BLOCK, self._size)]
            if xxh3_64_hexdigest(held) != self._sums[block]:
                raise CorpusDamaged(
                    f"{self._name!r} of the corpus does not hold the bytes that were written: run "
                    "`headcount index` with the same paths again to rebuild it; its runs are kept"
                )
            self._left.discard(block)


def _sums(file: Path, stop: int) -> list[str]:
    """Return the checksums of a file's blocks up to an offset, mapped one at a time."""
    found = []
    with file.open("rb") as opened:
        for first in range(0, stop, _BLOCK):
            length = min(_BLOCK, stop - first)
            with mmap(opened.fileno(), length, access=ACCESS_READ, offset=first) as block:
                found.append(xxh3_64_hexdigest(block))
    return found
