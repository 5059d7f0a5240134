"""A database's seal: the checksum of its bytes, in a file beside it while nobody writes.

Whoever closes a database last writes the seal. Whoever opens it compares the bytes before anything
is read, and takes the seal away before anything is written: after a kill there is none.
"""

import hashlib
import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Final
from weakref import ref

from xxhash import xxh3_64

from agent.private_database import changing, make_private
from agent.small_files import read_small
from tools.corpus.checksums import sealed, unsealed
from tools.corpus.generations import flush_one, replace_with

_NUMBER: Final = slice(68, 72)
"""Where a database has its `application_id`: how often a seal was taken away from it."""
_READING: Final = RLock()
"""Held while bytes are read. Closing a file drops all locks that SQLite holds on it in this process
(https://sqlite.org/howtocorrupt.html, section 2.2): none of its connections may be open."""


class SealedConnection(sqlite3.Connection):
    """A connection to a database that bears a seal while nobody writes it."""

    path: Path
    file: tuple[int, int]
    """Its device and inode: another file may come to lie at its path."""
    held_seal = False
    """Whether the database bore a seal and held its bytes when this process opened it."""
    is_sound = False
    """Whether it may be sealed when this connection, which can write, is closed."""

    def unseal(self) -> None:
        """Take the seal away, which is to be done before anything is written.

        It does not come back while this connection is open: its log lies beside the database.
        """
        try:
            seal_of(self.path).unlink()
        except FileNotFoundError:
            return
        flush_one(self.path.parent)
        number = self.execute("PRAGMA application_id").fetchone()[0]
        self.execute(f"PRAGMA application_id = {number + 1}")

    def close(self) -> None:
        """Close the connection; the last one of all processes seals the database.

        Without room for a seal there is none, as after a kill: what was written is kept.
        """
        with _READING:
            super().close()
            _OPEN.discard(ref(self))
        if self.is_sound:
            with suppress(OSError):
                _seal(self.path, self.file)


_OPEN: Final = set[ref[SealedConnection]]()


def _users(file: tuple[int, int]) -> list[SealedConnection]:
    """Return the connections of this process to a file; one may be closed at any allocation."""
    known = [each() for each in tuple(_OPEN)]
    return [each for each in known if each is not None and each.file == file]


def seal_of(path: Path) -> Path:
    """Return the place of a database's seal."""
    return Path(f"{os.path.realpath(path)}.sum")


def connect(path: Path, mode: str, seconds: float) -> SealedConnection:
    """Connect to a database, `ro` or `rw`, after comparing its bytes; wait so long for others.

    Raises ValueError: they are not those of its seal; OSError: they cannot be read.
    """
    place = Path(os.path.realpath(path))
    with _READING:
        file = _identity(place)
        others = _users(file)
        held_seal = others[0].held_seal if others else _holds_seal(place)
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=seconds,
            check_same_thread=False,
            factory=SealedConnection,
        )
        connection.path, connection.file, connection.held_seal = place, file, held_seal
        _OPEN.add(ref(connection, _OPEN.discard))
    return connection


def _holds_seal(path: Path) -> bool:
    """Return whether a database bears a seal and holds its bytes; raises as `connect`.

    No seal is one that is taken away meanwhile, or that a copy made in use took over: beside a log,
    or from before what was written last.
    """
    seal, log = seal_of(path), Path(f"{path}-wal")
    try:
        written = read_small(seal)
    except FileNotFoundError:
        return False
    if log.exists() and log.stat().st_size:
        return False
    held = _sum(path)
    if sealed(held) == written:
        return True
    if not seal.exists() or read_small(seal) != written:
        return False
    with suppress(ValueError):
        if int(held.split()[0]) > int(unsealed(written).split()[0]):
            return False
    raise ValueError(
        f"it or its checksum {seal.name!r} does not hold the bytes that were written; delete the "
        "checksum only where you restored or changed the database yourself"
    )


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino


def _seal(path: Path, file: tuple[int, int]) -> None:
    """Seal a database that nobody has open: the last one that closed it took its log away."""
    seal, log = seal_of(path), Path(f"{path}-wal")
    with _READING, changing(path):
        is_used = log.exists() or _users(file)
        if not (is_used or seal.exists() or _identity(path) != file):
            replace_with(seal, lambda fresh: _write(fresh, sealed(_sum(path))))


def _write(fresh: Path, content: bytes) -> None:
    fresh.unlink(missing_ok=True)  # what a kill left, or a stranger's link
    make_private(fresh)
    fresh.write_bytes(content)


def _sum(path: Path) -> bytes:
    """Return a database's number and the XXH3 of its bytes."""
    with path.open("rb") as file:
        number = int.from_bytes(file.read(_NUMBER.stop)[_NUMBER], signed=True)
        file.seek(0)
        return f"{number} {hashlib.file_digest(file, xxh3_64).hexdigest()}".encode()
