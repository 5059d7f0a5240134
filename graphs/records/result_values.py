"""The values of a result: as a person reads them, as keys of groups, as numbers."""

import json
from collections.abc import Sequence
from math import isfinite

from agent.errors import QueryError
from agent.records.record_schema import CellValue
from tools.records.compile_statement import Role, Statement

__all__ = ("Key", "Number", "apart", "in_role", "key_of", "name_of", "number", "one", "written")

Number = float | int
Key = tuple[str | None, ...]
"""What tells the values of one group from those of others."""
_EXACT = 2**53
"""Whole numbers below it are written in full."""


def in_role(statement: Statement, row: Sequence[CellValue], role: Role) -> list[CellValue]:
    """Return the values of a row that play a role in its statement."""
    return [row[place] for place in statement.place(role)]


def one(statement: Statement, row: Sequence[CellValue], role: Role) -> CellValue:
    """Return the first value of a row that plays a role; None where none does."""
    values = in_role(statement, row, role)
    return values[0] if values else None


def name_of(values: Sequence[CellValue]) -> str:
    """Write what names a row; empty where nothing does, so that its document names it.

    >>> name_of(["Lee", None]), name_of([None])
    ('Lee, (none)', '')
    """
    return "" if all(each is None for each in values) else ", ".join(map(written, values))


def key_of(values: Sequence[CellValue]) -> Key:
    """Return what tells values from others, without case."""
    return tuple(None if each is None else written(each).casefold() for each in values)


def apart(values: Sequence[CellValue]) -> str:
    """Write values that stand for a group, so that no two groups read alike.

    >>> apart(["Smith, John", "Lee"]), apart(["Smith", "John, Lee"])
    ('"Smith, John", Lee', 'Smith, "John, Lee"')
    >>> apart(["Smith, John"]), apart([None]), apart(["(none)"])
    ('Smith, John', '(none)', '"(none)"')
    """
    return ", ".join(_quoted(each, several=len(values) > 1) for each in values)


def number(value: CellValue) -> Number | None:
    """Return a number, whole ones as such.

    >>> number(3.0), number(2.5), number("2020-01")
    (3, 2.5, None)

    Raises:
        QueryError: it is beyond what a number can hold.
    """
    if value is None or isinstance(value, str | bool):
        return None
    if not isfinite(value):
        raise QueryError("the result is no finite number: it is too great, so compute less of it")
    return int(value) if value == int(value) else value


def written(value: CellValue) -> str:
    """Write a value as a person reads it.

    >>> written(True), written(None), written(12.0), written("Ystad")
    ('yes', '(none)', '12', 'Ystad')
    >>> written(4006381333931.0)
    '4006381333931'
    """
    if value is None:
        return "(none)"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        whole = value.is_integer() and abs(value) < _EXACT
        return str(int(value)) if whole else f"{value:.12g}"
    return str(value)


def _quoted(value: CellValue, *, several: bool) -> str:
    told = written(value)
    unclear = told.startswith('"') or (several and "," in told)
    if isinstance(value, str) and (unclear or told == "(none)"):
        return json.dumps(told, ensure_ascii=False)
    return told
