"""A SQLite database read whole: tables, keys, relations, rows by their row ids."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from agent.errors import CorpusDamaged

__all__ = ("Cell", "Database", "Reference", "Table", "opened", "read_database")

Cell = str | int | float | None
_STEPS: Final = 1_000
_MOST_STEPS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Reference:
    """A relation: a column whose values are those of another table's column."""

    column: str
    table: str
    to: str


@dataclass(frozen=True)
class Table:
    """A table with all its rows."""

    name: str
    columns: tuple[str, ...]
    keys: tuple[str, ...]
    """The columns of the primary key."""
    references: tuple[Reference, ...]
    rows: Mapping[int, tuple[Cell, ...]]
    """By row id, ascending."""

    @cached_property
    def title(self) -> str | None:
        """The column that names its rows for a person: text, no key, no relation, all distinct."""
        plain = [name for name in self.columns if name not in self.keys and not self._refers(name)]
        return next((name for name in plain if self._names(name)), None)

    def values(self, column: str) -> Sequence[Cell]:
        """Return a column's values in the order of the rows."""
        place = self.columns.index(column)
        return [row[place] for row in self.rows.values()]

    def _refers(self, column: str) -> bool:
        return any(each.column == column for each in self.references)

    def _names(self, column: str) -> bool:
        values = self.values(column)
        return bool(values) and all(map(_is_name, values)) and len(set(values)) == len(values)


@dataclass(frozen=True, slots=True)
class Database:
    """A database."""

    name: str
    tables: tuple[Table, ...]

    def table(self, name: str) -> Table | None:
        """Return the table of a name in any case."""
        return next((each for each in self.tables if each.name.lower() == name.lower()), None)


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database for reading only; a statement that runs too long is interrupted.

    Raises:
        CorpusDamaged: it is no database.
    """
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as error:
        raise CorpusDamaged(f"{str(path)!r} cannot be opened: {error}") from error
    with closing(connection):
        connection.text_factory = _text
        steps = iter(range(_MOST_STEPS))
        connection.set_progress_handler(lambda: int(next(steps, None) is None), _STEPS)
        yield connection


def read_database(path: Path, name: str) -> Database:
    """Read a database.

    Raises:
        CorpusDamaged: it is no database, or a table has no row ids.
    """
    try:
        with opened(path) as connection:
            names = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' "
                "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
            ).fetchall()
            return Database(name, tuple(_table(connection, each) for (each,) in names))
    except sqlite3.Error as error:
        raise CorpusDamaged(f"database {name!r} cannot be read: {error}") from error


def _table(connection: sqlite3.Connection, name: str) -> Table:
    quoted = _quoted(name)
    columns = connection.execute(f"PRAGMA table_info({quoted})").fetchall()
    rows = connection.execute(f"SELECT rowid, * FROM {quoted} ORDER BY rowid").fetchall()  # noqa: S608 - a quoted name
    return Table(
        name=name,
        columns=tuple(each[1] for each in columns),
        keys=tuple(each[1] for each in columns if each[5]),
        references=tuple(_references(connection, name)),
        rows={row[0]: tuple(map(_cell, row[1:])) for row in rows},
    )


def _references(connection: sqlite3.Connection, name: str) -> Iterator[Reference]:
    found = connection.execute(f"PRAGMA foreign_key_list({_quoted(name)})").fetchall()
    numbers = [each[0] for each in found]
    for number, _, table, column, to, *_ in found:
        if numbers.count(number) > 1:
            continue  # of several columns together none refers by itself
        keys = connection.execute(f"PRAGMA table_info({_quoted(table)})").fetchall()
        key = to or next((each[1] for each in keys if each[5]), None)
        if key is not None:
            yield Reference(column, table, key)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(data: bytes) -> str:
    """Decode a text; old dumps mix encodings within one file."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _cell(value: object) -> Cell:
    match value:
        case bytes():
            return value.hex()
        case None | int() | float() | str():
            return value
        case _:
            raise TypeError(f"SQLite has no value like {value!r}")


def _is_name(value: Cell) -> bool:
    return isinstance(value, str) and any(map(str.isalpha, value))
