"""Typed SQL expressions, and how two of them, or one and a value, are compared."""

import re
from dataclasses import dataclass
from typing import Final

from agent.errors import QueryError
from agent.records.query_plan import Comparator
from agent.records.record_schema import AttributeType, CellValue
from tools.records.compile_statement import Binder
from tools.records.compile_units import check_units
from tools.records.folding import folded, plainly

__all__ = ("NUMERIC", "Term", "as_written", "compared", "compared_terms", "grouping")

NUMERIC: Final = frozenset({"integer", "number", "boolean"})
"""Types that arithmetic, sums and averages take; a boolean counts as 0 or 1."""

_DATE: Final = re.compile(r"-?\d{4}(?:-\d{2}){0,2}\Z")
_TRUTH: Final = {
    "true": True,
    "yes": True,
    "t": True,
    "y": True,
    "1": True,
    "false": False,
    "no": False,
    "f": False,
    "n": False,
    "0": False,
}


@dataclass(frozen=True, slots=True)
class Term:
    """An SQL expression with the type of its value."""

    sql: str
    type: AttributeType
    unit: str | None = None
    name: str = ""
    """The column's name, for messages."""
    linked: tuple[str, ...] = ()
    """Ids of linked records that it is of, null where there is no such record."""


def grouping(term: Term) -> str:
    """Return the expression whose equal values are one group, as `=` has it."""
    return f"fold({term.sql})" if term.type == "text" else term.sql


def compared(term: Term, comparator: Comparator, value: CellValue, binder: Binder) -> str:
    """Return the test of an expression against a value.

    Raises:
        QueryError: the value is not of the expression's type, or the comparison has none.
    """
    if comparator in ("null", "not_null"):
        return f"{term.sql} IS {'NOT ' if comparator == 'not_null' else ''}NULL"
    if value is None:
        raise QueryError(
            f"{term.name!r} is compared with nothing: give a value, a column or an aggregate, "
            "or use the comparator null or not_null"
        )
    if comparator in ("contains", "starts_with"):
        return _within(term, comparator, str(value), binder)
    if term.type == "text":
        return _text(term, comparator, value, binder)
    if term.type == "date":
        return _dates(term.sql, comparator, binder.bind(_date(term, value)))
    placeholder = binder.bind(
        _truth(term, value) if term.type == "boolean" else _number(term, value)
    )
    return f"{term.sql} {comparator} {placeholder}"


def compared_terms(left: Term, comparator: Comparator, right: Term) -> str:
    """Return the test of one expression against another.

    Raises:
        QueryError: types or units differ.
    """
    if comparator not in ("=", "!=", "<", "<=", ">", ">="):
        raise QueryError(f"{comparator!r} compares a column with a value, not with a column")
    if left.type in NUMERIC and right.type in NUMERIC:
        check_units(comparator, left.unit, right.unit)
        return f"{left.sql} {comparator} {right.sql}"
    if left.type != right.type:
        raise QueryError(
            f"{left.name!r} is {left.type} and {right.name!r} is {right.type}: "
            "these cannot be compared"
        )
    if left.type == "date":
        return _dates(left.sql, comparator, right.sql)
    return f"fold({left.sql}) {comparator} fold({right.sql})"


def as_written(value: CellValue) -> str:
    """Return a value as text: a whole number without its fraction.

    >>> as_written(225.0), as_written(2.5), as_written("x")
    ('225', '2.5', 'x')
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _text(term: Term, comparator: Comparator, value: CellValue, binder: Binder) -> str:
    if isinstance(value, bool) or (not isinstance(value, str) and comparator not in ("=", "!=")):
        raise QueryError(
            f"{term.name!r} holds text; {comparator} {value!r} needs a column of numbers"
        )
    if comparator in ("=", "!="):
        return f"plain({term.sql}) {comparator} {binder.bind(plainly(as_written(value)))}"
    return f"fold({term.sql}) {comparator} {binder.bind(folded(as_written(value)))}"


def _within(term: Term, comparator: Comparator, value: str, binder: Binder) -> str:
    if term.type not in ("text", "date"):
        raise QueryError(f"{comparator} compares text, and {term.name!r} is {term.type}")
    found = f"instr(plain({term.sql}), {binder.bind(plainly(value))})"
    return f"{found} = 1" if comparator == "starts_with" else f"{found} > 0"


def _dates(left: str, comparator: Comparator, right: str) -> str:
    """Compare ISO dates by the precision that both have, where that decides.

    2021-03-05 is within 2021, equal to it, not after it. Whether a mere 2021 is 2021-03-05, or is
    after it, nobody knows: null, as for a missing date.
    """
    short = f"substr({left}, 1, length({right}))"
    common = f"substr({right}, 1, length({left}))"
    undecided = f"length({left}) < length({right}) AND {left} = {common}"
    return f"CASE WHEN {undecided} THEN NULL ELSE {short} {comparator} {right} END"


def _number(term: Term, value: CellValue) -> float | int:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            raise QueryError(
                f"{term.name!r} holds numbers; {value!r} is none: give a number in its unit"
                f"{f' ({term.unit})' if term.unit else ''}, or use another column"
            ) from None
    if value is None:
        raise QueryError(f"{term.name!r} is compared with nothing")
    number = float(value)
    if not abs(number) < float("inf"):
        raise QueryError(f"{value!r} is no number that {term.name!r} can be compared with")
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def _truth(term: Term, value: CellValue) -> int:
    truth = _TRUTH.get(folded(as_written(value)))
    if truth is None:
        raise QueryError(f"{term.name!r} is true or false; {value!r} is neither")
    return int(truth)


def _date(term: Term, value: CellValue) -> str:
    text = as_written(value).strip()
    if isinstance(value, bool) or not _DATE.match(text):
        raise QueryError(
            f"{term.name!r} holds dates; write {value!r} as YYYY, YYYY-MM or YYYY-MM-DD"
        )
    return text
