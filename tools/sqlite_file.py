"""One SQLite file: opened when first used, safe among threads and processes, durable, sealed.

A seal is the checksum of a database's bytes, in a file beside it while nobody writes. Whoever
closes a database last writes the seal. Whoever opens it compares the bytes before anything is read,
and takes the seal away before anything is written: after a kill there is none.
"""

import atexit
import hashlib
import os
import sqlite3
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from threading import RLock, Thread
from typing import Any, Final, Protocol
from weakref import finalize, ref

from xxhash import xxh3_64

from agent.errors import CorpusDamaged, CorpusError, CorpusLocked, HeadcountError, RunError
from agent.private_database import (
    Closing,
    changing,
    enter_write_ahead,
    foreign_schema,
    leads_elsewhere,
    make_private,
)
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


_BUSY_SECONDS: Final = 30.0
_DAMAGE: Final = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT")
_BUSY: Final = ("SQLITE_BUSY", "SQLITE_LOCKED")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileForm:
    """What a file is, apart from where it lies."""

    name: str
    """As messages call it: `run store`."""
    migrations: Sequence[Sequence[str]]
    """Statements by which each format comes from the one before."""
    remedy: str
    """What to do where it is damaged."""
    checked: bool = False
    """Whether all its pages are looked at when it is opened."""
    prepare: Callable[[sqlite3.Connection], object] | None = None
    """Gives each connection the functions that the statements need."""


class Statements(Protocol):
    """A connection, perhaps within a transaction.

    Statements are in the SQL that SQLite and PostgreSQL share, with `?` for values: conflicts are
    told by ON CONFLICT, and what JSON holds is read and changed outside.
    """

    @property
    def in_transaction(self) -> bool:
        """Whether what is executed is undone where the transaction fails."""

    def execute(self, statement: str, values: Sequence[Any] = ..., /) -> Any:
        """Execute a statement once; return a cursor, whose rows are tuples."""

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> Any:
        """Execute a statement once for each row of values."""


class Tables(Closing):
    """What keeps tables, in a file or on a server; every access is a transaction."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Statements]:
        """Hold the connection; raises as `transaction` does."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[Statements]:
        """Hold the write lock; commit at the end, undo all on an error. Inner ones are part of it.

        Raises CorpusLocked where another process has been writing for half a minute, RunError where
        a row belongs to another that does not exist, CorpusDamaged, CorpusUnreachable, CorpusError.
        """

    def read(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return all rows of a query; raises as `transaction` does."""
        with self.reading() as statements:
            return list(statements.execute(query, values))

    def write(self, statement: str, *rows: Sequence[object]) -> int:
        """Execute a statement once for each row of values; return how many rows it changed."""
        with self.transaction() as statements:
            return int(statements.executemany(statement, rows).rowcount)


_FORGOTTEN: Final = deque[SealedConnection]()
"""What nobody can use any more, as the collector of garbage tells."""
_TOLD: Final = SimpleQueue[None]()
_CLOSING: Final = RLock()


def close_forgotten() -> None:
    """Close what was forgotten so far; waits for whoever is at it."""
    with _CLOSING:
        while _FORGOTTEN:
            _FORGOTTEN.popleft().close()


def _forget(connection: SealedConnection) -> None:
    """Have another thread close a connection: a collector may wait for no lock or event loop."""
    _FORGOTTEN.append(connection)
    _TOLD.put(None)


class _Closer(Thread):
    """Closes what was forgotten, soon after; one in each process."""

    _only: "_Closer | None" = None

    def run(self) -> None:
        while True:
            _TOLD.get()
            close_forgotten()

    @classmethod
    def there_is(cls) -> None:
        """Start it where this process has none, as after a fork."""
        with _CLOSING:
            if cls._only is None or not cls._only.is_alive():
                cls._only = cls(name="closes forgotten databases", daemon=True)
                cls._only.start()


@atexit.register
def _close_all() -> None:
    """Close and seal what is still open where the program ends."""
    close_forgotten()
    for each in open_connections():
        each.close()


class SQLiteFile(Tables):
    """The connection to one file; every access is a transaction that survives a kill.

    One connection serves all threads behind a lock, since SQLite has one writer at a time anyway.
    The file is created with mode 0600: it holds questions and quotes.
    """

    def __init__(self, path: Path, form: FileForm) -> None:
        self.path = path
        self._form = form
        self._lock = RLock()
        self._connection: SealedConnection | None = None
        self._forgotten: finalize[[SealedConnection], SQLiteFile] | None = None

    @contextmanager
    def reading(self) -> Iterator[SealedConnection]:
        """Hold the connection."""
        with self._lock, explained(self.path, self._form):
            yield self._opened()

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Hold one state of the file while reading; raises as `transaction` does."""
        with self._within("BEGIN") as connection:
            yield connection

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold the write lock."""
        with self._within("BEGIN IMMEDIATE") as connection:
            yield connection

    def close(self) -> None:
        """Close the file; the next access opens it again."""
        with self._lock:
            if self._connection is not None and self._forgotten is not None:
                self._forgotten.detach()
                self._connection.close()
            self._connection = self._forgotten = None

    @contextmanager
    def _within(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self.reading() as connection:
            if connection.in_transaction:
                yield connection
                return
            if begin == "BEGIN IMMEDIATE":
                connection.unseal()
            with connection:
                connection.execute(begin)
                yield connection

    def _opened(self) -> SealedConnection:
        if self._connection is None:
            close_forgotten()
            _Closer.there_is()
            connection = private_connection(self.path, self._form)
            connection.isolation_level = None
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            connection.is_sound = True
            self._connection = connection
            self._forgotten = finalize(self, _forget, connection)
            self._forgotten.atexit = False
        return self._connection

    def _prepare(self, connection: SealedConnection) -> None:
        enter_write_ahead(connection, self.path)
        for pragma in ("synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")
        if self._form.prepare is not None:
            self._form.prepare(connection)
        if self._form.checked and not connection.held_seal:
            check_pages(connection, self.path, self._form)
        version = _version(connection, self.path, self._form)
        if connection.held_seal and version == len(self._form.migrations):
            return
        connection.unseal()
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            version = _version(connection, self.path, self._form)
            for statement in chain.from_iterable(self._form.migrations[version:]):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {len(self._form.migrations)}")


def private_connection(path: Path, form: FileForm) -> SealedConnection:
    """Connect to a file of its owner alone; raises CorpusError where it cannot be made."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():  # moved away, as the remedy may be
            seal_of(path).unlink(missing_ok=True)
        make_private(path)
    except OSError as error:
        raise CorpusError(
            f"cannot write the {form.name} {str(path)!r} ({error.strerror}); "
            "make the folder writable"
        ) from error
    return connected(path, form, "rw")


def connected(path: Path, form: FileForm, mode: str) -> SealedConnection:
    """Connect to a database that anyone may have made, `ro` or `rw`; raises CorpusDamaged."""
    with explained(path, form):
        _refuse(path, form, leads_elsewhere(path))
        connection = connect(path, mode, _BUSY_SECONDS)
        try:
            _refuse(path, form, foreign_schema(connection))
        except BaseException:
            connection.close()
            raise
    return connection


def _version(connection: sqlite3.Connection, path: Path, form: FileForm) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    newest = len(form.migrations)
    _refuse(path, form, f"its format is {version}, none of Headcount" if version < 0 else "")
    if version > newest:
        raise CorpusDamaged(
            f"{form.name} {str(path)!r}: its format is {version}, this Headcount "
            f"knows up to {newest}; use the newer Headcount that wrote the file"
        )
    _refuse(path, form, _foreign_tables(connection, form, version))
    return version


def _foreign_tables(connection: sqlite3.Connection, form: FileForm, version: int) -> str:
    """Say which of our tables or indexes is not as migrations make it; empty where all are."""
    made, newest = _made_by(form, version), _made_by(form, len(form.migrations))
    ours = {table for _, table in made.keys() | newest.keys()}
    held = {key: sql for key, sql in _schema(connection).items() if key[1] in ours}
    wrong = sorted(name for (name, _), _ in held.items() ^ made.items())
    return f"{wrong[0]!r} is not as Headcount makes it" if wrong else ""


@cache
def _made_by(form: FileForm, version: int) -> Mapping[tuple[str, str], str]:
    with closing(sqlite3.connect(":memory:")) as fresh:
        for statement in chain.from_iterable(form.migrations[:version]):
            fresh.execute(statement)
        return _schema(fresh)


def _schema(connection: sqlite3.Connection) -> Mapping[tuple[str, str], str]:
    """Return the statement that made each table and index, by its name and its table's."""
    rows = connection.execute("SELECT name, tbl_name, sql FROM sqlite_schema")
    return {(name, table): " ".join((sql or "").split()) for name, table, sql in rows}


def check_pages(connection: sqlite3.Connection, path: Path, form: FileForm) -> None:
    """Look at all pages of a database; raises CorpusDamaged: one is broken."""
    verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise _damaged(path, form, " ".join(verdict.split()))


def problem_of(path: Path, form: FileForm) -> str | None:
    """Say what is wrong with a database's pages, format and references; it is only read."""
    try:
        with explained(path, form), closing(connected(path, form, "ro")) as connection:
            check_pages(connection, path, form)
            _version(connection, path, form)
            lost = connection.execute("PRAGMA foreign_key_check").fetchone()
            if lost is not None:
                raise _damaged(path, form, f"a row of {lost[0]} is of no row of {lost[2]}")
    except HeadcountError as error:
        return str(error)
    return None


@contextmanager
def explained(path: Path, form: FileForm) -> Iterator[None]:
    """Raise SQLite's errors as those of the corpus, saying what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise _meaning(path, form, error) from error


def _meaning(path: Path, form: FileForm, error: sqlite3.Error) -> HeadcountError:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(_DAMAGE):
        return _damaged(path, form, str(error))
    if name.startswith(_BUSY):
        return CorpusLocked(f"another process is writing the {form.name} {str(path)!r}; try again")
    if name == "SQLITE_CONSTRAINT_FOREIGNKEY":
        return RunError(f"what the row belongs to is not in the {form.name}; create it first")
    return CorpusError(
        f"the {form.name} {str(path)!r} cannot be used ({error}); "
        "check the disk's free space and the folder's permissions"
    )


def _refuse(path: Path, form: FileForm, reason: str) -> None:
    if reason:
        raise _damaged(path, form, reason)


def _damaged(path: Path, form: FileForm, reason: str) -> CorpusDamaged:
    return CorpusDamaged(f"{form.name} {str(path)!r}: damaged ({reason}); {form.remedy}")
