"""The parts of a statement: names, typed expressions, parameters, units, outputs, functions.

A column whose values are in several units (`Schema.mixed`) may be counted and shown, but not
computed with, compared or sorted: that is decided on the plan alone.

The functions are what SQLite lacks, or does in time that a hostile statement could make explode:
its own LIKE tries every place for every `%`, which is exponential, and its `instr` compares each
place of one text with all of the other; both look at no clock meanwhile.
"""

import re
import sqlite3
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fnmatch import translate
from functools import lru_cache
from math import isfinite, nan
from typing import Any, Final

from agent.english import unaccented
from agent.errors import ProgramFault, QueryError
from agent.records.query_plan import Comparator
from agent.records.record_schema import DATED, AttributeType, CellValue
from agent.units import converted, is_share, parse_unit, split_scale
from tools.records.record_values import elapsed, is_iso, read_boolean

_PLACEHOLDER: Final = re.compile(r"\?(\d+)")
"""No literal of a compiled statement holds a question mark."""

_NAME: Final = re.compile(r"_?[a-z][a-z0-9_]{0,189}\Z")


def quoted(name: str) -> str:
    """Return a name as an SQL identifier; raises ProgramFault where the schema cannot have it."""
    if not _NAME.match(name):
        raise ProgramFault(f"{name!r} cannot name a table or column")
    return f'"{name}"'


def list_table(kind: str, attribute: str) -> str:
    """Return the name of the child table that holds the values of a list attribute."""
    return f"{kind}__{attribute}"


@dataclass(frozen=True, slots=True)
class Term:
    """An SQL expression with the type of its value."""

    sql: str
    type: AttributeType
    unit: str | None = None
    name: str = ""
    linked: tuple[str, ...] = ()
    """Ids of linked records that it is of, null where there is no such record."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One SELECT that code wrote."""

    sql: str
    """With numbered parameters, `?1`, which may occur several times."""
    parameters: tuple[CellValue, ...]
    types: tuple[AttributeType, ...]

    def typed(self, rows: Sequence[Sequence[CellValue]]) -> tuple[tuple[Any, ...], ...]:
        """Return rows as `types` say, truth values as such: SQLite has them as 0 and 1."""
        return tuple(
            tuple(
                bool(value) if type_ == "boolean" and value is not None else value
                for value, type_ in zip(row, self.types, strict=True)
            )
            for row in rows
        )

    def before(self, other: "Statement") -> "Statement":
        """Return two statements one behind the other, for a person to read."""
        first = len(self.parameters)
        sql = _PLACEHOLDER.sub(lambda found: f"?{int(found[1]) + first}", other.sql)
        return Statement(f"{self.sql};\n{sql}", (*self.parameters, *other.parameters), ())


@dataclass(slots=True)
class Binder:
    """Collects the parameters of one statement and names its tables."""

    values: list[CellValue] = field(default_factory=list)
    aliases: int = 0

    def bind(self, value: CellValue) -> str:
        """Return the placeholder of a value."""
        self.values.append(value)
        return f"?{len(self.values)}"

    def statement(self, sql: str, *types: AttributeType) -> Statement:
        """Return a statement with the parameters that it uses, in the order of their use."""
        used: dict[int, int] = {}

        def renumbered(found: re.Match[str]) -> str:
            return f"?{used.setdefault(int(found[1]), len(used) + 1)}"

        numbered = _PLACEHOLDER.sub(renumbered, sql)
        return Statement(numbered, tuple(self.values[place - 1] for place in used), types)

    def alias(self) -> str:
        """Return a new name for a table."""
        self.aliases += 1
        return f"t{self.aliases - 1}"


NUMERIC: Final = frozenset({"integer", "number", "boolean"})
"""Types that arithmetic, sums and averages take; a boolean counts as 0 or 1."""


def check_units(operator: str, left: str | None, right: str | None) -> None:
    """Raise QueryError where numbers of two different units would be put or held together."""
    if left is None or right is None or _same(left, right):
        return
    raise QueryError(
        f"{operator!r} of {left!r} and {right!r}: numbers of different units are neither added "
        "nor compared; take two of one unit, or ask for both"
    )


def _same(one: str, other: str) -> bool:
    if one.casefold() == other.casefold() or (is_share(one) and is_share(other)):
        return True
    (scale, left), (other_scale, right) = split_scale(one), split_scale(other)
    parsed = parse_unit(left)
    return scale == other_scale and parsed is not None and parsed == parse_unit(right)


def several_units(column: str, units: Iterable[str]) -> str:
    """Say that a column's values are not computed with, and in which units they are."""
    named = ", ".join(each or "none" for each in units)
    return (
        f"{column} has values in several units ({named}): they are counted and "
        "shown, but not computed with or compared; give the attribute one unit in the schema"
    )


def first_of(terms: Sequence[Term]) -> Term:
    """Return the first that a row states, in one unit; raises QueryError of types and units."""
    types = {each.type for each in terms}
    if len(types) != 1 and not (types and types <= NUMERIC):
        told = ", ".join(f"{each.name!r} is {each.type}" for each in terms)
        raise QueryError(f"first_stated needs values of one type: {told or 'it names none'}")
    unit = next((each.unit for each in terms if each.unit), None)
    linked = tuple(record for each in terms for record in each.linked)
    sql = ", ".join(_rescaled(each, unit) for each in terms)
    type_ = types.pop() if len(types) == 1 else "number"
    return Term(f"COALESCE({sql}, NULL)", type_, unit, terms[0].name, linked)


def _rescaled(term: Term, unit: str | None) -> str:
    """Return a number's SQL in another unit; raises QueryError where none converts by a factor."""
    if not unit or not term.unit or _same(term.unit, unit):
        return term.sql
    none, one = (converted(Decimal(each), term.unit, unit) for each in (0, 1))
    if isinstance(one, str) or none != 0:
        check_units("first_stated", term.unit, unit)
    return f"({term.sql} * {float(one)!r})"


def elapsed_in(unit: str, start: Term, end: Term) -> Term:
    """Return the length from one date or time to another; raises QueryError for other types."""
    for each in (start, end):
        if each.type not in DATED:
            raise QueryError(f"elapsed needs dates or times, and {each.name!r} is {each.type}")
    seconds = f"elapsed({start.sql}, {end.sql})"
    size = converted(Decimal(1), unit, "seconds")
    name, linked = f"{start.name} to {end.name}", start.linked + end.linked
    return Term(f"({seconds} / {float(size)!r})", "number", unit, name, linked)


def grouping(term: Term) -> str:
    """Return the expression whose equal values are one group, as `=` has it."""
    return f"fold({term.sql})" if term.type == "text" else term.sql


def compared(term: Term, comparator: Comparator, value: CellValue, binder: Binder) -> str:
    """Return the test of an expression against a value.

    Raises QueryError: the value is not of the expression's type, or the comparison has none.
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
    if term.type in DATED:
        return _dates(term.sql, comparator, binder.bind(_date(term, value)))
    placeholder = binder.bind(
        _truth(term, value) if term.type == "boolean" else _number(term, value)
    )
    return f"{term.sql} {comparator} {placeholder}"


def _within(term: Term, comparator: Comparator, value: str, binder: Binder) -> str:
    if term.type != "text" and term.type not in DATED:
        raise QueryError(f"{comparator} compares text, and {term.name!r} is {term.type}")
    found = f"instr(plain({term.sql}), {binder.bind(plainly(value))})"
    return f"{found} = 1" if comparator == "starts_with" else f"{found} > 0"


def _text(term: Term, comparator: Comparator, value: CellValue, binder: Binder) -> str:
    if isinstance(value, bool) or (not isinstance(value, str) and comparator not in ("=", "!=")):
        raise QueryError(
            f"{term.name!r} holds text; {comparator} {value!r} needs a column of numbers"
        )
    if comparator in ("=", "!="):
        return f"plain({term.sql}) {comparator} {binder.bind(plainly(_as_written(value)))}"
    return f"fold({term.sql}) {comparator} {binder.bind(folded(_as_written(value)))}"


def _dates(left: str, comparator: Comparator, right: str) -> str:
    """Compare ISO dates by the precision that both have, where that decides.

    2021-03-05 is within 2021, equal to it, not after it. Whether a mere 2021 is 2021-03-05, or is
    after it, nobody knows: null, as for a missing date.
    """
    short = f"substr({left}, 1, length({right}))"
    common = f"substr({right}, 1, length({left}))"
    undecided = f"length({left}) < length({right}) AND {left} = {common}"
    return f"CASE WHEN {undecided} THEN NULL ELSE {short} {comparator} {right} END"


def _date(term: Term, value: CellValue) -> str:
    text = _as_written(value).strip().replace("T", " ")
    if isinstance(value, bool) or not is_iso(text, term.type):
        forms = "YYYY, YYYY-MM or YYYY-MM-DD"
        forms = f"HH:MM, YYYY-MM-DD HH:MM, {forms}" if term.type == "time" else forms
        raise QueryError(f"{term.name!r} holds {term.type}s; write {value!r} as {forms}")
    return text


def _truth(term: Term, value: CellValue) -> int:
    truth = read_boolean(_as_written(value))
    if truth is None:
        raise QueryError(f"{term.name!r} is true or false; {value!r} is neither")
    return int(truth)


def _number(term: Term, value: str | float) -> float | int:
    try:
        number = float(value)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise QueryError(
            f"{term.name!r} holds numbers; {value!r} is none: give a number in its unit"
            f"{f' ({term.unit})' if term.unit else ''}, or use another column"
        )
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def compared_terms(left: Term, comparator: Comparator, right: Term) -> str:
    """Return the test of one expression against another; raises QueryError of types and units."""
    if comparator not in ("=", "!=", "<", "<=", ">", ">="):
        raise QueryError(f"{comparator!r} compares a column with a value, not with a column")
    if left.type in NUMERIC and right.type in NUMERIC:
        check_units(comparator, left.unit, right.unit)
        return f"{left.sql} {comparator} {right.sql}"
    if left.type != right.type and not {left.type, right.type} <= DATED:
        raise QueryError(
            f"{left.name!r} is {left.type} and {right.name!r} is {right.type}: "
            "these cannot be compared"
        )
    if left.type in DATED:
        return _dates(left.sql, comparator, right.sql)
    return f"fold({left.sql}) {comparator} fold({right.sql})"


def _as_written(value: CellValue) -> str:
    """Return a value as text: a whole number without its fraction."""
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


SQLValue = str | bytes | int | float | None
_LONG: Final = 10_000
"""Characters of a text from which on a function looks at the clock before it works."""
LONGEST_PATTERN: Final = 250
"""Characters of a pattern; SQLite's own limit does not hold for a function that replaces its."""


def folded(text: str) -> str:
    """Return a text in the form in which equal texts are equal: no case, single spaces, NFC."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
        return " ".join(text.split())
    return " ".join(text.lower().split())


def plainly(text: str) -> str:
    """Return a folded text without accents: the form in which a text is what a question says."""
    return unaccented(folded(text))


def like(pattern: str, text: str, escape: str | None = None) -> bool:
    """Tell whether a text is like a pattern of `%` (any characters) and `_` (any one), in any case.

    Raises QueryError: the pattern is longer than 250 characters.
    """
    if len(pattern) > LONGEST_PATTERN:
        raise QueryError("the pattern is too long")
    return _pattern(folded(pattern), escape)(folded(text)) is not None


@lru_cache(maxsize=256)
def _pattern(pattern: str, escape: str | None) -> Callable[[str], re.Match[str] | None]:
    """Return what matches whole texts; each piece between `%` is found as early as can be."""
    shell = ""
    symbols = iter(pattern)
    for symbol in symbols:
        if escape is not None and symbol == escape:
            shell += _literal(next(symbols, symbol))
        else:
            shell += {"%": "*", "_": "?"}.get(symbol) or _literal(symbol)
    return re.compile(translate(shell)).match


def _literal(symbol: str) -> str:
    return f"[{symbol}]" if symbol in "*?[" else symbol


def register_functions(connection: sqlite3.Connection, late: Callable[[], bool]) -> None:
    """Give a connection the functions of statements; SQLite's LIKE and instr are replaced.

    `late` tells whether the time is over; it is asked before work on long texts.
    """

    def timed(text: str) -> str:
        if len(text) > _LONG and late():
            raise QueryError("the time is over")
        return text

    def fold(value: SQLValue) -> SQLValue:
        return folded(timed(value)) if isinstance(value, str) else value

    def plain(value: SQLValue) -> SQLValue:
        return plainly(timed(value)) if isinstance(value, str) else value

    def like_in_time(pattern: object, text: object, escape: str | None = None) -> bool | None:
        return None if None in (pattern, text) else like(str(pattern), timed(str(text)), escape)

    def instr(text: SQLValue, sought: SQLValue) -> int | None:
        return None if None in (text, sought) else timed(str(text)).find(str(sought)) + 1

    functions: list[tuple[str, int, Callable[..., Any]]] = [
        ("fold", 1, fold),
        ("plain", 1, plain),
        ("like", 2, like_in_time),
        ("like", 3, like_in_time),
        ("instr", 2, instr),
        ("elapsed", 2, elapsed),
    ]
    for name, arguments, function in functions:
        connection.create_function(name, arguments, function, deterministic=True)
