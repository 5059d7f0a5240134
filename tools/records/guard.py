"""What a SELECT over the records may do: read the kinds' tables, call safe functions, no more."""

import re
import sqlite3
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from agent.errors import QueryError

__all__ = ("Guard", "check_text", "limit_connection")

_FUNCTIONS: Final = frozenset(
    (
        "abs", "avg", "ceil", "ceiling", "coalesce", "count", "cume_dist", "date", "dense_rank",
        "exp", "first_value", "floor", "fold", "group_concat", "ifnull", "iif", "instr",
        "julianday", "lag", "last_value", "lead", "length", "like", "ln", "log", "log10", "log2",
        "lower", "ltrim", "max", "median", "min", "mod", "nth_value", "ntile", "nullif",
        "percent_rank", "plain", "pow", "power", "rank", "replace", "round", "row_number",
        "rtrim", "sign", "sqrt", "stdev", "strftime", "substr", "substring", "sum", "total", "trim",
        "trunc", "upper", "variance",
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
_LEADING: Final = re.compile(r"(?:\s|--[^\n]*(?:\n|\Z)|/\*.*?(?:\*/|\Z))*", re.DOTALL)
_FIRST: Final = re.compile(r"(?:select|with)\b", re.IGNORECASE)


def check_text(sql: str) -> None:
    """Check that a text begins as one SELECT does; the authorizer decides on the rest.

    Raises:
        QueryError: it is empty, holds a null character, or begins otherwise.
    """
    if "\0" in sql:
        raise QueryError("the statement holds a null character; remove it")
    start = _LEADING.match(sql)
    rest = sql[start.end() :] if start else sql
    if not _FIRST.match(rest):
        raise QueryError("only one SELECT can be run; begin with SELECT or WITH")


def limit_connection(connection: sqlite3.Connection) -> None:
    """Give a connection the least sizes that a reader's SELECT needs."""
    for category, limit in _LIMITS.items():
        connection.setlimit(category, limit)


@dataclass(slots=True)
class Guard:
    """An authorizer: names what was refused, since SQLite itself hardly says it."""

    tables: Collection[str]
    """The tables that may be read."""
    hidden: Collection[str]
    """Other tables and modules of the database; any other name is one of the statement's own."""
    units: Mapping[tuple[str, str], str | None] = field(default_factory=dict)
    """By table and column of numbers in several units, the column that states each one's unit."""
    refused: list[str] = field(default_factory=list)
    read: set[tuple[str, str]] = field(default_factory=set)
    """The tables' columns that the statement reads."""

    def authorizer(self) -> Callable[..., int]:
        """Return what `sqlite3.Connection.set_authorizer` takes."""
        return self._decide

    def several_units(self) -> tuple[str, ...]:
        """Return the columns of numbers in several units that the statement reads."""
        return tuple(
            f"{table}.{column}" for table, column in self.units if (table, column) in self.read
        )

    def check_units(self) -> None:
        """Check what the statement reads of columns whose values are in several units.

        Raises:
            QueryError: it reads such a column and not the one that states the units.
        """
        for (table, column), unit in self.units.items():
            if (table, column) in self.read and (unit is None or (table, unit) not in self.read):
                way = f"test or group by {unit!r} too" if unit else "it cannot be computed with"
                raise QueryError(
                    f"{table}.{column} holds numbers in several units that do not convert; {way}"
                )

    def _decide(self, action: int, first: str | None, second: str | None, *_: str | None) -> int:
        reason = self._refusal(action, first or "", second or "")
        if reason is None:
            return sqlite3.SQLITE_OK
        self.refused.append(reason)
        return sqlite3.SQLITE_DENY

    def _refusal(self, action: int, first: str, second: str) -> str | None:
        match action:
            case sqlite3.SQLITE_SELECT:
                return None
            case sqlite3.SQLITE_READ:
                return None if self._readable(first, second) else f"reading {first!r}"
            case sqlite3.SQLITE_FUNCTION:
                return None if second.lower() in _FUNCTIONS else f"the function {second!r}"
            case sqlite3.SQLITE_RECURSIVE:
                return "recursion"
            case _:
                return "anything but reading"

    def _readable(self, table: str, column: str) -> bool:
        name = table.lower()
        if name in self.tables:
            self.read.add((name, column.lower()))
            return True
        own = not name.startswith(("sqlite_", "pragma_", "_")) and name not in self.hidden
        return own and column == ""
