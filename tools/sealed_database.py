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

from agent.private_database import changing
from agent.small_files import read_small

_OPEN: Final = set["ref[SealedConnection]"]()
_LOG: Final = b"\x37\x7f\x06"
"""What SQLite's write-ahead logs begin with: it takes no notice of any other file in its place."""
_READING: Final = RLock()
"""Held while bytes are read. Closing a file drops all locks that SQLite holds on it in this process
(https://sqlite.org/howtocorrupt.html, section 2.2): none of its connections may be open."""


class SealedConnection(sqlite3.Connection):
    """A connection to a database that bears a seal while nobody writes it."""

    path: Path
    file: tuple[int, ...]
    """Inode and device: another file may come to lie at the path."""
    held_seal: bool
    """Whether the database bore a seal and held its bytes when this process opened it."""
    is_sound = False
    """Whether its pages are, and it can be written: then it may be sealed at the end."""

    def unseal(self) -> None:
        """Take the seal away before anything is written; it comes back when all is closed."""
        with suppress(FileNotFoundError):
            seal_of(self.path).unlink()
            number = self.execute("PRAGMA application_id").fetchone()[0]
            self.execute(f"PRAGMA application_id = {number + 1}")

    def close(self) -> None:
        """Close the connection; the last one of all processes seals the database."""
        with _READING:
            super().close()
            _OPEN.discard(ref(self))
        if self.is_sound:
            with suppress(OSError):  # without room for a seal, what was written is kept without one
                _seal(self.path, self.file)


def seal_of(path: Path) -> Path:
    """Return the place of a database's seal."""
    return Path(f"{os.path.realpath(path)}.sum")


def connect(path: Path, mode: str, seconds: float) -> SealedConnection:
    """Connect, `ro` or `rw`, after comparing the bytes with the seal; raises sqlite3.Error."""
    path = Path(os.path.realpath(path))
    with _READING:
        try:
            others = _users(file := path.stat()[1:3])
            held_seal = others[0].held_seal if others else _holds_seal(path)
        except OSError as error:
            raise sqlite3.OperationalError(str(error)) from error
        uri = f"{path.as_uri()}?mode={mode}"
        made = sqlite3.connect(
            uri, seconds, check_same_thread=False, factory=SealedConnection, uri=True
        )
        made.path, made.file, made.held_seal = path, file, held_seal
        _OPEN.add(ref(made, _OPEN.discard))
    return made


def open_connections() -> list[SealedConnection]:
    """Return the connections of this process that are open."""
    return [each for one in tuple(_OPEN) if (each := one())]


def _users(file: tuple[int, ...]) -> list[SealedConnection]:
    return [each for each in open_connections() if each.file == file]


def _holds_seal(path: Path) -> bool:
    """Return whether a database bears a seal and holds its bytes; raises as `connect`.

    No seal is one cut short by a kill, or taken away meanwhile, and one that a copy made in use has
    from before: beside a log, or of a lower number.
    """
    with suppress(FileNotFoundError), Path(f"{path}-wal").open("rb") as log:
        if log.read(len(_LOG)) == _LOG:
            return False
    with suppress(FileNotFoundError):
        written, held = read_small(seal_of(path)), _sum(path)
        is_none = held.split()[:1] > written.split()[:1] or not written.endswith(b"\n")
        if held == written or is_none or read_small(seal_of(path)) != written:
            return held == written
        error = sqlite3.DatabaseError(
            f"it or its checksum {seal_of(path).name!r} does not hold the bytes that were written; "
            "delete the checksum only where you restored or changed the database yourself"
        )
        error.sqlite_errorname = "SQLITE_CORRUPT"
        raise error
    return False


def _seal(path: Path, file: tuple[int, ...]) -> None:
    """Seal a database that nobody has open; raises OSError: it is gone, and its folder perhaps."""
    path.stat()
    with _READING, changing(path):
        is_used = Path(f"{path}-wal").exists() or _users(file) or path.stat()[1:3] != file
        if not (is_used or seal_of(path).exists()):
            content = _sum(path)
            with seal_of(path).open("xb") as seal:
                seal.write(content)


def _sum(path: Path) -> bytes:
    """Return how often a seal was taken away, the `application_id`, and the XXH3 of all bytes."""
    with path.open("rb") as file:
        number = int.from_bytes(file.read(72)[68:])
        file.seek(0)
        return b"%010d %b\n" % (number, hashlib.file_digest(file, xxh3_64).hexdigest().encode())
