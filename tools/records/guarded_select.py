"""Running one SELECT over the records: read-only, authorized, limited in time and memory."""

import sqlite3
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple

from agent.errors import QueryError
from agent.records.record_schema import CellValue, MixedUnits
from tools.records.record_store import FORM, stored_schema
from tools.records.sql_terms import (
    LONGEST_PATTERN,
    Statement,
    list_table,
    register_functions,
    several_units,
)
from tools.sqlite_file import connected, explained

_FUNCTIONS: Final = frozenset(
    (
        "abs", "avg", "ceil", "ceiling", "coalesce", "count", "cume_dist", "date", "dense_rank",
        "elapsed", "exp", "first_value", "floor", "fold", "group_concat", "ifnull", "iif", "instr",
        "julianday", "lag", "last_value", "lead", "length", "like", "ln", "log", "log10", "log2",
        "lower", "ltrim", "max", "min", "mod", "nth_value", "ntile", "nullif",
        "percent_rank", "plain", "pow", "power", "rank", "replace", "round", "row_number", "rtrim",
        "sign", "sqrt", "strftime", "substr", "substring", "sum", "total", "trim", "trunc", "upper",
    )
)  # fmt: skip
"""Functions that neither reach outside nor build long values out of nothing."""
_LIMITS: Final = {
    sqlite3.SQLITE_LIMIT_LENGTH: 1_000_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 10,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 25_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 16,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 2_000,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}


@dataclass(slots=True)
class _Guard:
    """An authorizer: names what was refused, since SQLite itself hardly says it."""

    tables: Collection[str]
    hidden: Collection[str]
    """Other tables and modules of the database; any other name is one of the statement's own."""
    mixed: Sequence[MixedUnits]
    refused: list[str] = field(default_factory=list)
    read: set[tuple[str, str]] = field(default_factory=set)

    def check_units(self) -> None:
        """Raise QueryError where the statement reads a column whose values are in several units."""
        for each in self.mixed:
            places = {(each.kind, each.attribute), (list_table(each.kind, each.attribute), "value")}
            if places & self.read:
                raise QueryError(several_units(f"{each.kind}.{each.attribute}", each.units))

    def decide(self, action: int, first: str | None, second: str | None, *_: str | None) -> int:
        """Allow an action or refuse it, made for `sqlite3.Connection.set_authorizer`."""
        first, second = first or "", second or ""
        match action:
            case sqlite3.SQLITE_SELECT:
                return sqlite3.SQLITE_OK
            case sqlite3.SQLITE_READ:
                allowed, what = self._readable(first, second), f"reading {first!r}"
            case sqlite3.SQLITE_FUNCTION:
                allowed, what = second.lower() in _FUNCTIONS, f"the function {second!r}"
            case sqlite3.SQLITE_RECURSIVE:
                allowed, what = False, "recursion"
            case _:
                allowed, what = False, "anything but reading"
        if not allowed:
            self.refused.append(what)
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY

    def _readable(self, table: str, column: str) -> bool:
        name = table.lower()
        if name in self.tables:
            self.read.add((name, column.lower()))
            return True
        own = not name.startswith(("sqlite_", "pragma_", "_")) and name not in self.hidden
        return own and column == ""


_STATUS: Final = Path("/proc/self/statm")


class _Watch:
    """Says when a statement is to be cut: its time is over, or the process has grown too much."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._end = seconds, monotonic() + seconds
        self._before, self._grown = held_bytes() or 0, False

    def late(self) -> bool:
        """Tell whether the time is over."""
        return monotonic() > self._end

    def over(self) -> bool:
        """Tell whether the statement is to be cut; made for `sqlite3`'s progress handler."""
        self._grown = (held_bytes() or 0) > self._before + _MOST_MEMORY
        return self._grown or self.late()

    def why(self) -> QueryError:
        """Return the error of a statement that was cut."""
        limit = (
            f"took more than {_MOST_MEMORY // 1_000_000} MB of memory"
            if self._grown
            else f"ran longer than {self._seconds:g} s"
        )
        return QueryError(f"the statement {limit} and was cut; make it simpler")


_STEPS: Final = 10_000
"""Of SQLite's machine between two looks at the clock and the memory."""
_MOST_BYTES: Final = 64_000_000
"""Of all texts of a result together, and as much of its other values."""
_MOST_MEMORY: Final = 256_000_000
"""That sorting and grouping may take: they use no files, which nothing would bound."""
_CELL_BYTES: Final = 16


_MOST_ROWS: Final = 200_000


class Selected(NamedTuple):
    """The result of a SELECT."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[CellValue, ...]]


class Selector:
    """Runs SELECTs on the file of a `RecordStore`; each on a connection of its own.

    A statement reads the tables of kinds and of list attributes, nothing else: the file is opened
    read-only, an authorizer refuses other tables, actions and functions, sizes are limited, and
    what takes too many seconds or too much memory is cut.
    """

    def __init__(self, path: Path, seconds: float = 5.0) -> None:
        self._path, self._seconds = path, seconds

    def run(
        self, sql: str, parameters: Sequence[CellValue] = (), *, compiled: bool = False
    ) -> Selected:
        """Return the rows of a SELECT that anyone wrote, unless it was compiled from a plan.

        Raises QueryError: the statement is refused, wrong, too large, cut, has more than 200,000
        rows, or reads numbers of several units; CorpusError: the file cannot be read.
        """
        with explained(self._path, FORM), closing(connected(self._path, FORM, "ro")) as connection:
            guard, watch = _guarded(connection), _Watch(self._seconds)
            connection.set_progress_handler(watch.over, _STEPS)
            register_functions(connection, watch.late)
            connection.text_factory = _Reader()
            try:
                cursor = connection.execute(sql, tuple(parameters))
                if not cursor.description:
                    raise QueryError("there is no statement: write one SELECT")
                if not compiled:
                    guard.check_units()
                rows = tuple(_fetched(cursor))
            except (sqlite3.Error, sqlite3.Warning, OverflowError, ValueError) as error:
                raise _meaning(error, guard, watch) from error
            return Selected(tuple(each[0] for each in cursor.description), rows)

    def select(self, statement: Statement) -> Sequence[tuple[Any, ...]]:
        """Return the rows of a compiled statement, truth values as such; raises as `run`."""
        return statement.typed(self.run(statement.sql, statement.parameters, compiled=True).rows)


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


def held_bytes() -> int | None:
    """Return the memory that the process holds or has held at most; None where nothing tells."""
    if sys.platform == "win32":
        return None
    import resource

    if _STATUS.exists():
        return int(_STATUS.read_text(encoding="ascii").split()[1]) * resource.getpagesize()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _guarded(connection: sqlite3.Connection) -> _Guard:
    connection.isolation_level = None
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    names = {
        name.lower()
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    modules = {name.lower() for (name,) in connection.execute("PRAGMA module_list")}
    tables = {name for name in names if not name.startswith(("_", "sqlite_"))}
    mixed = stored_schema(connection).mixed
    guard = _Guard(tables, (names | modules) - tables, mixed)
    for category, limit in _LIMITS.items():
        connection.setlimit(category, limit)
    connection.set_authorizer(guard.decide)
    return guard


def _fetched(cursor: sqlite3.Cursor) -> Iterator[tuple[CellValue, ...]]:
    """Yield a result's rows one by one, so that none is held beyond what a result may hold."""
    size = _CELL_BYTES * len(cursor.description)
    for number, row in enumerate(cursor, 1):
        if number > _MOST_ROWS:
            raise QueryError(
                f"more than {_MOST_ROWS} rows come of it: ask for a narrower selection"
            )
        if number * size > _MOST_BYTES:
            raise _too_large()
        if any(isinstance(value, bytes) for value in row):
            raise QueryError("the statement gives bytes; select texts and numbers only")
        yield row


def _too_large() -> QueryError:
    return QueryError(
        f"the result is larger than {_MOST_BYTES // 1_000_000} MB; select fewer columns or rows"
    )


def _meaning(error: Exception, guard: _Guard, watch: _Watch) -> QueryError:
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
    what = f"; a pattern of LIKE has at most {LONGEST_PATTERN} characters" if function else ""
    return QueryError(f"SQLite says: {error}{what}")


_PRAGMAS: Final = (
    "query_only = ON",
    "trusted_schema = OFF",
    "cell_size_check = ON",
    *(() if held_bytes() is None else ("temp_store = MEMORY",)),
)
