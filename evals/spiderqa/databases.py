"""A SQLite database read whole: tables, keys, relations, rows by their row ids."""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from agent.errors import CorpusDamaged

__all__ = (
    "Cell",
    "Database",
    "Reference",
    "Rendered",
    "Table",
    "Template",
    "fill",
    "opened",
    "plain_template",
    "read_database",
    "render",
    "spoken",
    "table_key",
    "wrong_with",
)

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


_SLOT: Final = re.compile(r"\{([^{}]*)\}")
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+|\d+")
_NOTHING: Final = "not given"
Template = str
"""A sentence with each column in braces once, and the row's number as `{#}`."""


def plain_template(table: Table) -> Template:
    """Return a template by code.

    >>> plain_template(Table("tblShips", ("Ship_ID", "name"), (), (), {}))
    'Tbl ships {#}: ship id is {Ship_ID}; name is {name}.'
    """
    told = "; ".join(f"{spoken(name)} is {{{name}}}" for name in table.columns)
    title = spoken(table.name)
    return f"{title[:1].upper()}{title[1:]} {{#}}: {told}."


def wrong_with(template: Template, table: Table) -> str | None:
    """Return why a template does not state a table's rows, or None where it does."""
    slots = _SLOT.findall(template)
    wanted = {"#", *table.columns}
    if sorted(slots) != sorted(wanted):
        lacking, extra = sorted(wanted - set(slots)), sorted(set(slots) - wanted)
        return f"each column must stand once: missing {lacking}, unknown {extra}, of {slots}"
    return "it must be one line" if "\n" in template.strip() else None


def fill(template: Template, database: Database, table: Table) -> Mapping[int, str]:
    """Return the sentence of each row, by row id; relations are spelled out.

    A value that refers to another table's row stands with that row's name behind it.
    """
    names = _names(database, table)
    sentences = {}
    for number, (row_id, row) in enumerate(table.rows.items(), start=1):
        cells = dict(zip(table.columns, row, strict=True))
        told = {name: _told(cell, names.get(name, {})) for name, cell in cells.items()}
        told["#"] = str(number)
        parts = _SLOT.split(template.strip())
        sentences[row_id] = "".join(told[part] if at % 2 else part for at, part in enumerate(parts))
    return sentences


def _names(database: Database, table: Table) -> dict[str, dict[Cell, str]]:
    """Return by a column that refers to rows with names what each of its values means."""
    found: dict[str, dict[Cell, str]] = {}
    own = {name.lower(): name for name in table.columns}
    for each in table.references:
        other = database.table(each.table)
        column = own.get(each.column.lower())
        if other is None or other.title is None or column is None:
            continue
        to = next((name for name in other.columns if name.lower() == each.to.lower()), None)
        if to is not None:
            named = zip(other.values(to), other.values(other.title), strict=True)
            found[column] = {key: f"{spoken(other.name)} {_written(name)}" for key, name in named}
    return found


def spoken(name: str) -> str:
    """Return an identifier as words.

    >>> spoken("Lost_in_battle"), spoken("StuID"), spoken("dept2name")
    ('lost in battle', 'stu id', 'dept 2 name')
    """
    return " ".join(_WORD.findall(name)).lower() or name


def _told(cell: Cell, names: Mapping[Cell, str]) -> str:
    named = None if cell is None else names.get(cell)
    return f"{_written(cell)} ({named})" if named else _written(cell)


def _written(cell: Cell) -> str:
    if cell is None or cell == "":
        return _NOTHING
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return " ".join(str(cell).split())


Place = tuple[str, int]
"""A table's name in lower case, and a row id."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A document with the place of every row."""

    name: str
    text: str
    places: Mapping[Place, tuple[int, int]]
    """Character span of each row's sentence."""


def render(database: Database, templates: Mapping[str, Template]) -> Rendered:
    """Write a database; a table that repeats an earlier one is left out.

    Args:
        database: what is written.
        templates: by a table's name.
    """
    text = f"Records of {spoken(database.name)}\n"
    places: dict[Place, tuple[int, int]] = {}
    seen: set[object] = set()
    for table in database.tables:
        key = table_key(table)
        if not table.rows or key in seen:
            continue
        seen.add(key)
        text += f"\n# {spoken(table.name)}\n"
        lines = []
        start = len(text)
        for row_id, sentence in fill(templates[table.name], database, table).items():
            places[table.name.lower(), row_id] = (start, start + len(sentence))
            lines.append(f"{sentence}\n")
            start += len(sentence) + 1
        text += "".join(lines)
    return Rendered(database.name, text, places)


def table_key(table: Table) -> tuple[tuple[str, ...], tuple[tuple[Cell, ...], ...]]:
    """Return what two tables share that say the same: columns and rows."""
    return tuple(map(str.lower, table.columns)), tuple(table.rows.values())
