"""A database as the documents that somebody would have instead: one about each thing.

A row becomes a text with a header, as a record sheet: `Name: Grand Ballroom`. Where it refers to
another row, the other's name stands in place of its number. A table that does nothing but link two
others is no thing; each side lists the names of the other.
"""

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

__all__ = ("documents",)

_SEAM = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class _Reference:
    """A column that holds another table's key."""

    column: str
    table: str
    key: str | None
    """The column it refers to; None is that table's primary key."""


@dataclass(frozen=True)
class _Table:
    """A table with its rows."""

    name: str
    columns: tuple[str, ...]
    keys: tuple[str, ...]
    """The columns of its primary key."""
    references: Mapping[str, _Reference]
    rows: tuple[Mapping[str, Any], ...]

    @cached_property
    def links(self) -> bool:
        """Whether it only links other tables."""
        told = [each for each in self.columns if each not in self.references]
        return len(self.references) >= 2 and all(_is_key(each, self) for each in told)

    def label(self, row: Mapping[str, Any]) -> str:
        """Return what a row is called: its first words, else its first value."""
        told = {each: row[each] for each in self.columns if not _is_key(each, self)}
        own = {each: told[each] for each in told if each not in self.references}
        words = [
            (_spelt(each).casefold(), value.strip())
            for each, value in own.items()
            if isinstance(value, str) and value.strip()
        ]
        if [name for name, _ in words[:2]] == ["first name", "last name"]:
            return f"{words[0][1]} {words[1][1]}"
        first = (value for _, value in words)
        return next(first, "") or next((str(v) for v in own.values() if v is not None), "")


@dataclass(frozen=True)
class _Database:
    tables: Mapping[str, _Table]
    linked: dict[tuple[str, int], dict[str, list[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    """For a row, by table and place: the names it is linked to, by what they are."""

    def target(self, reference: _Reference, value: object) -> tuple[_Table, int] | None:
        """Return the row that a value refers to; None where there is none."""
        table = self.tables.get(reference.table.casefold())
        if table is None or value is None:
            return None
        key = reference.key or (table.keys[0] if table.keys else "")
        places = (at for at, row in enumerate(table.rows) if row.get(key, _NOTHING) == value)
        place = next(places, None)
        return None if place is None else (table, place)


_NOTHING = object()


def documents(database: sqlite3.Connection) -> dict[str, str]:
    """Return a text for each thing of the database, by the name of its file."""
    tables = {table.name.casefold(): table for table in _tables(database)}
    found = _Database(tables)
    for table in tables.values():
        if table.links:
            _link(table, found)
    texts: dict[str, str] = {}
    for table in tables.values():
        if not table.links:
            for place, row in enumerate(table.rows):
                name = _file_name(table, row, place)
                texts[name] = "\n".join(_lines(table, row, place, found)) + "\n"
    return texts


def _tables(database: sqlite3.Connection) -> Iterator[_Table]:
    found = database.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    )
    for (name,) in found.fetchall():
        quoted = '"' + name.replace('"', '""') + '"'
        columns = database.execute(f"PRAGMA table_info({quoted})").fetchall()
        keys = database.execute(f"PRAGMA foreign_key_list({quoted})").fetchall()
        rows = database.execute(f"SELECT * FROM {quoted}").fetchall()  # noqa: S608 - quoted
        names = tuple(column[1] for column in columns)
        yield _Table(
            name=name,
            columns=names,
            keys=tuple(column[1] for column in columns if column[5]),
            references={key[3]: _Reference(key[3], key[2], key[4]) for key in keys},
            rows=tuple(dict(zip(names, row, strict=True)) for row in rows),
        )


def _link(table: _Table, found: _Database) -> None:
    """Note for each row that a linking table names which others it names with it."""
    for row in table.rows:
        ends = [
            (reference, found.target(reference, row[column]))
            for column, reference in table.references.items()
        ]
        for reference, end in ends:
            if end is not None:
                own = found.linked[end[0].name, end[1]]
                for other, far in ends:
                    if far is not None and other is not reference:
                        own[_spelt(far[0].name)].append(far[0].label(far[0].rows[far[1]]))


def _lines(table: _Table, row: Mapping[str, Any], place: int, found: _Database) -> Iterator[str]:
    yield f"Record: {_spelt(table.name)}"
    for column in table.columns:
        value = row[column]
        reference = table.references.get(column)
        if value is None or (reference is None and _is_key(column, table)):
            continue
        end = found.target(reference, value) if reference else None
        if end is not None:
            yield f"{_without_id(column)}: {_one_line(end[0].label(end[0].rows[end[1]]))}"
        else:
            yield f"{_spelt(column)}: {_one_line(str(value))}"
    for name, labels in found.linked.get((table.name, place), {}).items():
        yield f"{name}: {', '.join(_one_line(each) for each in labels)}"


def _is_key(column: str, table: _Table) -> bool:
    """Say whether a column only numbers the rows."""
    return column in table.keys and column not in table.references and _is_number(column, table)


def _is_number(column: str, table: _Table) -> bool:
    return all(isinstance(row[column], int) for row in table.rows)


def _without_id(column: str) -> str:
    words = _spelt(column).split()
    return " ".join(words[:-1] if len(words) > 1 and words[-1].casefold() == "id" else words)


def _spelt(name: str) -> str:
    """Return the words of a name of a table or column.

    >>> _spelt("EventSpaces"), _spelt("best_before"), _spelt("DVDs")
    ('Event Spaces', 'Best Before', 'DVDs')
    """
    words = _SEAM.sub(" ", name).split()
    return " ".join(word[:1].upper() + word[1:] for word in words)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _file_name(table: _Table, row: Mapping[str, Any], place: int) -> str:
    """Return a name that is unique, and that no file system minds."""
    told = re.sub(r"[^\w]+", "-", f"{table.name}-{place + 1:03}-{table.label(row)}").strip("-")
    return told[:_LONGEST_NAME].strip("-").casefold()
