"""A SQLite database as a document: a sentence a row, with the place of every row."""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from agent.errors import CorpusDamaged

Cell = str | int | float | None
_STEPS: Final = 1_000
_MOST_STEPS: Final = 20_000
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+|\d+")


@dataclass(frozen=True)
class Table:
    """A table with all its rows."""

    name: str
    columns: tuple[str, ...]
    keys: tuple[str, ...]
    """The columns of the primary key."""
    references: Mapping[str, tuple[str, str]]
    """By a column, the table and column whose values it has; in lower case."""
    rows: Mapping[int, tuple[Cell, ...]]
    """By row id, ascending."""

    @property
    def content(self) -> tuple[tuple[str, ...], tuple[tuple[Cell, ...], ...]]:
        """What two tables share that say the same: columns and rows."""
        return tuple(map(str.lower, self.columns)), tuple(self.rows.values())

    @cached_property
    def title(self) -> str | None:
        """The column that names its rows for a person: text, no key, no relation, all distinct."""
        skipped = {each.lower() for each in self.keys} | self.references.keys()
        plain = (name for name in self.columns if name.lower() not in skipped)
        return next((name for name in plain if _are_names(self.values(name))), None)

    def values(self, column: str) -> Sequence[Cell]:
        """Return a column's values in the order of the rows; its name in any case."""
        place = [each.lower() for each in self.columns].index(column.lower())
        return [row[place] for row in self.rows.values()]


def _are_names(values: Sequence[Cell]) -> bool:
    texts = [each for each in values if isinstance(each, str) and any(map(str.isalpha, each))]
    return bool(values) and len(texts) == len(values) == len(set(values))


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
        connection.text_factory = _decoded
        steps = iter(range(_MOST_STEPS))
        connection.set_progress_handler(lambda: int(next(steps, None) is None), _STEPS)
        yield connection


def _decoded(data: bytes) -> str:
    """Decode a text; old dumps mix encodings within one file."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read_tables(path: Path) -> list[Table]:
    """Read a database's tables.

    Raises:
        CorpusDamaged: it is no database, or a table has no row ids.
    """
    try:
        with opened(path) as connection:
            names = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' "
                "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
            ).fetchall()
            return [_table(connection, each) for (each,) in names]
    except sqlite3.Error as error:
        raise CorpusDamaged(f"database {path.name!r} cannot be read: {error}") from error


def _table(connection: sqlite3.Connection, name: str) -> Table:
    quoted = _quoted(name)
    columns = connection.execute(f"PRAGMA table_info({quoted})").fetchall()
    rows = connection.execute(f"SELECT rowid, * FROM {quoted} ORDER BY rowid").fetchall()  # noqa: S608 - a quoted name
    return Table(
        name=name,
        columns=tuple(each[1] for each in columns),
        keys=tuple(each[1] for each in columns if each[5]),
        references=dict(_references(connection, quoted)),
        rows={row[0]: tuple(_hex_of_bytes(cell) for cell in row[1:]) for row in rows},
    )


def _references(
    connection: sqlite3.Connection, quoted: str
) -> Iterator[tuple[str, tuple[str, str]]]:
    found = connection.execute(f"PRAGMA foreign_key_list({quoted})").fetchall()
    numbers = [each[0] for each in found]
    for number, _, table, column, to, *_ in found:
        if numbers.count(number) > 1:
            continue  # of several columns together none refers by itself
        keys = connection.execute(f"PRAGMA table_info({_quoted(table)})").fetchall()
        key = to or next((each[1] for each in keys if each[5]), None)
        if key is not None:
            yield column.lower(), (table.lower(), key.lower())


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _hex_of_bytes(value: bytes | Cell) -> Cell:
    return value.hex() if isinstance(value, bytes) else value


@dataclass(frozen=True, slots=True)
class DatabaseDocument:
    """A database's text, with the place of every row."""

    name: str
    path: Path
    text: str
    places: Mapping[tuple[str, int], tuple[int, int]]
    """By table, in lower case, and row id the characters of the row's sentence."""


def render(name: str, path: Path, tables: Sequence[Table]) -> DatabaseDocument:
    """Write a database's tables as a document; one that repeats an earlier one is left out."""
    text = f"Records of {column_words(name)}\n"
    places: dict[tuple[str, int], tuple[int, int]] = {}
    seen: set[object] = set()
    for table in tables:
        if not table.rows or table.content in seen:
            continue
        seen.add(table.content)
        lines = [f"\n# {column_words(table.name)}\n"]
        start = len(text) + len(lines[0])
        for row_id, sentence in _sentences(table, tables):
            places[table.name.lower(), row_id] = (start, start + len(sentence))
            lines.append(f"{sentence}\n")
            start += len(sentence) + 1
        text += "".join(lines)
    return DatabaseDocument(name, path, text, places)


def _sentences(table: Table, tables: Sequence[Table]) -> Iterator[tuple[int, str]]:
    """Yield each row's id and sentence: `Ship 3: ship id is 12; battle is 2 (battle Serres).`."""
    names = {each: _names(table, each, tables) for each in table.columns}
    title = column_words(table.name).capitalize()
    for number, (row_id, row) in enumerate(table.rows.items(), start=1):
        stated = []
        for column, cell in zip(table.columns, row, strict=True):
            named = None if cell is None else names[column].get(cell)
            value = f"{_written(cell)} ({named})" if named else _written(cell)
            stated.append(f"{column_words(column)} is {value}")
        yield row_id, f"{title} {number}: {'; '.join(stated)}."


def _names(table: Table, column: str, tables: Sequence[Table]) -> dict[Cell, str]:
    """Return what each value of a column means that refers to rows with names."""
    name, key = table.references.get(column.lower(), ("", ""))
    other = next((each for each in tables if each.name.lower() == name), None)
    if other is None or other.title is None or key not in map(str.lower, other.columns):
        return {}
    pairs = zip(other.values(key), other.values(other.title), strict=True)
    return {value: f"{column_words(other.name)} {_written(title)}" for value, title in pairs}


def column_words(name: str) -> str:
    """Return an identifier as words.

    >>> column_words("Lost_in_battle"), column_words("StuID"), column_words("dept2name")
    ('lost in battle', 'stu id', 'dept 2 name')
    """
    return " ".join(_WORD.findall(name)).lower() or name


def _written(cell: Cell) -> str:
    if cell is None or cell == "":
        return "not given"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return " ".join(str(cell).split())
