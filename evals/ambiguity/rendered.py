"""The corpus that a question is asked over: a folder, a rendered database, or its own words."""

import hashlib
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import JsonValue

from agent.errors import SettingsError
from evals.ambiguity.cases import Case, Dump, Source, Words
from evals.questions import Record
from evals.scopes import Corpora, Scope, scope_of

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Places:
    """Where the corpora of all questions of a run are."""

    documents: Path | None
    """The folder that was given; None where none was."""
    into: Path
    """Where texts are written and indexes are kept."""
    corpora: Corpora

    def of(self, case: Case) -> "Corpus":
        """Return the corpus of a question, built when it is first asked for.

        A question with a database is asked over that, whatever folder was given; one that has
        nothing is asked over the folder, and without one over its own words.

        Raises:
            SettingsError: it needs a folder, and none was given.
            HeadcountError: its documents cannot be found or indexed.
        """
        match case.source:
            case Record():
                if self.documents is None:
                    raise SettingsError(f"question {case.id!r} needs --documents, its folder")
                return self.corpora.over(scope_of(case.source, self.documents))
            case Words() if self.documents is not None:
                return self.corpora.over(Scope(self.documents))
            case source:
                return self._made(source)

    def _made(self, source: Dump | Words) -> "Corpus":
        folder = self.into / f"{_key(source)}.texts"
        if not folder.is_dir():
            folder.mkdir(parents=True)
            for name, text in _texts(source).items():
                (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        return Corpora(self.into, _silent).over(Scope(folder))


def checked(documents: Path | None) -> Path | None:
    """Return the folder; raise SettingsError where it is none."""
    if documents is not None and not documents.is_dir():
        raise SettingsError(f"{str(documents)!r} is not a folder of documents")
    return documents


def _texts(source: Dump | Words) -> dict[str, str]:
    if isinstance(source, Words):
        return {"question": source.text + "\n"}
    with opened(source.sql) as database:
        return documents(database) or {"empty": f"{source.name} has no rows\n"}


def _key(source: Source) -> str:
    return hashlib.sha256(repr(source).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _silent(line: str) -> None:
    """Tell nobody: there are as many of these as questions."""


_READING: Final = frozenset(
    (
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_PRAGMA,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_RECURSIVE,
        sqlite3.SQLITE_SELECT,
    )
)
_BUILDING: Final = _READING - {sqlite3.SQLITE_PRAGMA, sqlite3.SQLITE_RECURSIVE} | {
    sqlite3.SQLITE_CREATE_INDEX,
    sqlite3.SQLITE_CREATE_TABLE,
    sqlite3.SQLITE_INSERT,
    sqlite3.SQLITE_REINDEX,
    sqlite3.SQLITE_TRANSACTION,
    sqlite3.SQLITE_UPDATE,
}
_LONGEST = 16_000_000
"""Characters of one statement, and bytes of one value, at most."""
_PAGES = 16_000
"""Pages of 4 KiB: 64 MB at most."""
_STEPS = 20_000_000
"""Steps of SQLite's machine that one statement may take."""
_ROWS = 10_000
_LOOKS = frozenset(("foreign_key_list", "table_info"))
"""What may be asked about a table."""
_FAILED = (sqlite3.Error, sqlite3.Warning, ValueError)


@contextmanager
def opened(sql: str) -> Iterator[sqlite3.Connection]:
    """Build the database and give it for reading; what a dump may not do is not done.

    A statement that fails is passed over, as the shell of SQLite does: the rest is there.
    """
    database = sqlite3.connect(":memory:", isolation_level=None)
    try:
        _limit(database)
        _allow(database, _BUILDING)
        for statement in _statements(sql):
            _run(database, statement)
        _allow(database, _READING)
        yield database
    finally:
        database.close()


def select(database: sqlite3.Connection, sql: str) -> list[list[JsonValue]] | None:
    """Return the rows that a query selects; None where it does not run, or selects very many."""
    try:
        rows = database.execute(sql).fetchmany(_ROWS + 1)
    except _FAILED:
        return None
    return None if len(rows) > _ROWS else [[_plain(cell) for cell in row] for row in rows]


def _statements(sql: str) -> Iterator[str]:
    """Yield the statements one by one: a semicolon within quotes ends none."""
    held: list[str] = []
    for part in sql.replace("\x00", "").split(";"):
        held.append(part)
        statement = ";".join(held) + ";"
        if sqlite3.complete_statement(statement):
            yield statement
            held = []


def _run(database: sqlite3.Connection, statement: str) -> None:
    try:
        database.execute(statement)
    except _FAILED:
        if database.in_transaction:
            database.rollback()


def _limit(database: sqlite3.Connection) -> None:
    database.execute(f"PRAGMA max_page_count = {_PAGES}")
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    database.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, _LONGEST)
    database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    database.set_progress_handler(lambda: 1, _STEPS)


def _allow(database: sqlite3.Connection, actions: frozenset[int]) -> None:
    def verdict(action: int, first: str | None, second: str | None, *_: object) -> int:
        if action not in actions:
            return sqlite3.SQLITE_DENY
        unheard = action == sqlite3.SQLITE_PRAGMA and first not in _LOOKS
        loading = action == sqlite3.SQLITE_FUNCTION and second == "load_extension"
        return sqlite3.SQLITE_DENY if unheard or loading else sqlite3.SQLITE_OK

    database.set_authorizer(verdict)


def _plain(cell: object) -> JsonValue:
    return cell if isinstance(cell, str | int | float) or cell is None else str(cell)


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
