"""Running one guarded SELECT over the records, read-only and within limits."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import quote

from agent.errors import QueryError
from agent.records.record_schema import CellValue
from tools.records.aggregates import register_functions
from tools.records.bounded_text import BoundedText
from tools.records.compile_statement import Statement
from tools.records.guard import Guard, check_text, limit_connection
from tools.records.store_file import FORM
from tools.records.watch import Watch, held_bytes
from tools.sqlite_file import explained

__all__ = ("Rows", "Selector")

_STEPS: Final = 1_000
"""Of SQLite's machine between two looks at the clock."""
_MOST_BYTES: Final = 64_000_000
"""Of all texts of a result together, and as much of its other values."""
_MOST_MEMORY: Final = 256_000_000
"""That sorting and grouping may take: they use no files, which nothing would bound."""
_PRAGMAS: Final = (
    "query_only = ON",
    "trusted_schema = OFF",
    "cell_size_check = ON",
    *(() if held_bytes() is None else ("temp_store = MEMORY",)),
)
_CELL_BYTES: Final = 16
"""At least, of a value in a row."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The result of a SELECT."""

    columns: tuple[str, ...]
    rows: tuple[tuple[CellValue, ...], ...]
    truncated: bool
    """Whether there are more rows than were asked for."""
    several_units: tuple[str, ...] = ()
    """The columns read whose values are in several units: what is summed may be unlike."""


class Selector:
    """Runs SELECTs on the file of a `RecordStore`; each on a connection of its own.

    A statement can read the tables of kinds and of list attributes, nothing else: the file is
    opened read-only, an authorizer refuses other tables, actions and functions, sizes are limited,
    and what takes too long or too much memory is cut. What is sorted is held in memory, not in
    files, where the system tells how much memory that is.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = Path(path)
        self._clock = clock

    def run(
        self,
        sql: str,
        parameters: Sequence[CellValue] = (),
        *,
        deadline: float = 5.0,
        max_rows: int = 10_000,
    ) -> Rows:
        """Return the rows of one SELECT that anyone wrote, at most `max_rows` of them.

        Args:
            sql: the statement.
            parameters: for its placeholders.
            deadline: seconds.
            max_rows: how many rows at most.

        Raises:
            QueryError: the statement is refused, wrong, too large, cut at the deadline, or reads
                numbers of several units without the column that states them.
            CorpusError: the file cannot be read.
        """
        return self._run(sql, parameters, deadline, max_rows, compiled=False)

    def select(
        self, statement: Statement, *, deadline: float = 5.0, max_rows: int = 10_000
    ) -> Rows:
        """Return the rows of a compiled statement, truth values as such; raises as `run`."""
        found = self._run(statement.sql, statement.parameters, deadline, max_rows, compiled=True)
        names = tuple(each.name for each in statement.outputs)
        return Rows(names, tuple(statement.typed(found.rows)), found.truncated)

    def _run(
        self,
        sql: str,
        parameters: Sequence[CellValue],
        deadline: float,
        max_rows: int,
        *,
        compiled: bool,
    ) -> Rows:
        check_text(sql)
        with explained(self._path, FORM), self._connected() as connection:
            guard = _guarded(connection)
            watch = Watch(self._clock, deadline, _MOST_MEMORY)
            connection.set_progress_handler(watch.over, _STEPS)
            texts, bounded = register_functions(connection, watch.late), BoundedText(watch.late)
            bounded.register(connection)
            connection.text_factory = _Reader()
            try:
                cursor = connection.execute(sql, tuple(parameters))
                if not compiled:
                    guard.check_units()
                rows = list(_fetched(cursor, max_rows + 1))
            except (sqlite3.Error, sqlite3.Warning, OverflowError, ValueError) as error:
                if (failure := texts.failure or bounded.failure) is not None:
                    raise failure from error
                raise _meaning(error, guard, watch) from error
            columns = tuple(each[0] for each in cursor.description)
        return Rows(columns, tuple(rows[:max_rows]), len(rows) > max_rows, guard.several_units())

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(
            f"file:{quote(str(self._path))}?mode=ro", uri=True, isolation_level=None
        )
        try:
            for pragma in _PRAGMAS:
                connection.execute(f"PRAGMA {pragma}")
            yield connection
        finally:
            connection.close()


def _meaning(error: Exception, guard: Guard, watch: Watch) -> QueryError:
    function = "user-defined function" in str(error)
    if getattr(error, "sqlite_errorname", "") == "SQLITE_INTERRUPT" or (function and watch.late()):
        return watch.why()
    if guard.refused:
        return QueryError(
            f"{guard.refused[0]} is not allowed; read these tables: "
            f"{', '.join(sorted(guard.tables))}"
        )
    if "parser stack overflow" in str(error) or "Expression tree is too large" in str(error):
        return QueryError(
            "tests stand too deep within tests to be run; ask for fewer steps between kinds, "
            "or put tests of one kind side by side"
        )
    return QueryError(f"SQLite says: {error}")


class _Reader:
    """Decodes a result's texts, up to so many bytes of them."""

    def __init__(self) -> None:
        self._left = _MOST_BYTES

    def __call__(self, text: bytes) -> str:
        """Return a text; raises QueryError beyond the limit."""
        self._left -= len(text)
        if self._left < 0:
            raise _too_large()
        return text.decode()


def _fetched(cursor: sqlite3.Cursor, most: int) -> Iterator[tuple[CellValue, ...]]:
    """Yield a result's rows one by one, so that none is held beyond what a result may hold."""
    size = _CELL_BYTES * len(cursor.description)
    for number, row in enumerate(islice(cursor, most), 1):
        if number * size > _MOST_BYTES:
            raise _too_large()
        if any(isinstance(value, bytes) for value in row):
            raise QueryError("the statement gives bytes; select texts and numbers only")
        yield row


def _too_large() -> QueryError:
    return QueryError(
        f"the result is larger than {_MOST_BYTES // 1_000_000} MB; select fewer columns or rows"
    )


def _guarded(connection: sqlite3.Connection) -> Guard:
    names = {
        name.lower()
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    modules = {name.lower() for (name,) in connection.execute("PRAGMA module_list")}
    tables = {name for name in names if not name.startswith(("_", "sqlite_"))}
    found = connection.execute("SELECT value FROM _state WHERE name = 'mixed'").fetchone()
    units = {
        (table, column): unit for table, column, unit in json.loads(found[0] if found else "[]")
    }
    guard = Guard(tables, (names | modules) - tables, units)
    limit_connection(connection)
    connection.set_authorizer(guard.authorizer())
    return guard
