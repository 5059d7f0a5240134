"""What plans come to: SQL selects a query's rows, code groups, counts and computes.

Groups and different values are told apart without case. However joins repeat them, a record is
counted once, and a measure once for each record it is of.
"""

import json
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final, NamedTuple

from agent.errors import QueryError
from agent.records.query_plan import Aggregate, Column, Combination, Having, Query
from agent.records.record_schema import AttributeType, CellValue, Schema
from agent.value import in_digits
from tools.computation import REDUCE
from tools.records.plan_rows import Linked, Rows
from tools.records.sql_terms import Statement, Term, check_units, folded

Number = float | int
Value = Number | dict[str, Number] | None
Select = Callable[[Statement], Sequence[tuple[Any, ...]]]
LOOKED_BEYOND: Final = 100
"""Places behind the limit of a query that are looked at for ties."""
_TOO_GREAT: Final = "the result is no finite number: it is too great, so compute less of it"
_COMPARED: Final = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip
_COMBINED: Final[dict[str, Callable[[Number, Number], Number]]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "growth": lambda left, right: (left - right) / abs(right),
}  # fmt: skip
_Values = tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that a result is about: a record, a group, or one of several different values."""

    records: tuple[int, ...] = ()
    """Their ids, which no two records of a store share, of whatever kinds they are."""
    name: str = ""
    value: CellValue = None
    document: str = ""
    """Where no record is known, the document that the statement itself names."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """What a plan comes to."""

    statement: Statement
    value: Value
    """Of lists how many there are, of groups one number each."""
    unit: str | None = None
    items: tuple[Item, ...] = ()
    ties: tuple[Item, ...] = ()
    """What a limit leaves out although it is as great, or small, as the last item."""

    @property
    def empty(self) -> bool:
        """Whether nothing came of it."""
        return not self.items and self.value in (None, 0, {})


class _Row(NamedTuple):
    record: int
    groups: _Values
    distinct: _Values
    shown: _Values
    measures: tuple[CellValue, ...]
    things: tuple[_Values, ...]

    @property
    def measure(self) -> CellValue:
        return self.measures[0]


class Results:
    """Runs the queries of one schema, that of the tables (`RecordStore.tables`).

    Each raises QueryError: a name is unknown, types do not fit, kinds are not linked, the plan
    contradicts itself, or a statement takes too long; the message says what would do.
    """

    def __init__(self, schema: Schema, select: Select) -> None:
        self._schema, self.select = schema, select
        self._numbers: dict[Aggregate, tuple[CellValue, Term]] = {}

    def of(self, query: Query) -> Result:
        """Return what a query comes to."""
        column = query.measure if query.operation == "count_distinct" else None
        if isinstance(column, Column) and not query.distinct:
            query = query.model_copy(update={"distinct": (column,)})
        rows, statement, selected = self._selected(query)
        value: Value
        if query.group_by:
            items = _groups(query, selected)
            values = {each.name: number(each.value) for each in items[: query.limit]}
            value = {name: each for name, each in values.items() if each is not None}
        elif query.distinct and query.operation in ("list", "count_distinct"):
            items = _different(query, selected)
        else:
            items = list(dict.fromkeys(map(_item, selected)))
        ordered = query.order is not None
        cut = query.limit if ordered or query.operation == "list" or query.group_by else None
        kept = items[:cut]
        if query.operation == "list":
            value = len(kept)
        elif not query.group_by:
            value = number(_reduced(query.operation, selected[:cut], _measures(selected[:cut])))
        last = kept[-1].value if ordered and kept else None
        beyond = items[len(kept) : len(kept) + LOOKED_BEYOND]
        ties = (each for each in beyond if last is not None and each.value == last)
        return Result(
            statement=statement, value=value, unit=_outcome(query, rows).unit, items=tuple(kept),
            ties=tuple(ties),
        )  # fmt: skip

    def in_doubt(self, query: Query) -> dict[int, bool]:
        """Return of each record that could change the result whether it passes as it stands."""
        return dict(self.select(self._rows(query).in_doubt()))

    def links(self, query: Query) -> tuple[Linked, ...]:
        """Return the statements of the records that a query's rows are linked to."""
        return self._rows(query).links()

    def _rows(self, query: Query) -> Rows:
        return Rows(query, self._schema, self._number)

    def _number(self, aggregate: Aggregate) -> tuple[CellValue, Term]:
        """Return the number that comparisons name, computed once."""
        if aggregate not in self._numbers:
            kind, operation = aggregate.kind, aggregate.operation
            query = Query(
                kind=kind, operation=operation, measure=aggregate.of, where=aggregate.where
            )
            rows, _, selected = self._selected(query)
            value = _reduced(query.operation, selected, _measures(selected))
            self._numbers[aggregate] = value, _outcome(query, rows)
        return self._numbers[aggregate]

    def _selected(self, query: Query) -> tuple[Rows, Statement, list[_Row]]:
        if query.having and not query.group_by:
            raise QueryError("tests of groups need group_by: what are the groups?")
        rows = self._rows(query)
        _check(query, rows)
        statement = rows.selected(LOOKED_BEYOND)
        return rows, statement, [_parted(row, rows) for row in self.select(statement)]


def _check(query: Query, rows: Rows) -> None:
    operation, measure = query.operation, rows.measure
    if operation == "list" and query.group_by and measure:
        raise QueryError("a list of groups has no measure: name an operation, as sum or max")
    if operation == "count_distinct" and not (rows.distinct or measure):
        raise QueryError("count_distinct needs `distinct`: different values of what?")
    if operation not in ("count", "count_distinct", "list") and not measure:
        raise QueryError(f"{operation} needs a measure: the {operation} of what?")


def _parted(row: _Values, rows: Rows) -> _Row:
    values = iter(row)

    def taken(terms: Iterable[object]) -> _Values:
        return tuple(next(values) for _ in terms)

    (record,) = taken(("record",))
    groups, distinct, shown = map(taken, (rows.groups, rows.distinct, rows.shown))
    measures = tuple(next(values) if each else None for each in rows.measures)
    things = tuple(map(taken, rows.things))
    return _Row(record, groups, distinct, shown, measures, things)


def _measures(rows: Iterable[_Row], at: int = 0) -> list[CellValue]:
    """Return the measures, or what the `at`-th test of groups aggregates, each once."""
    of: dict[_Values, CellValue] = {}
    for row in rows:
        if (value := row.measures[at]) is not None:
            of.setdefault((row.things[at] if row.things else ()) or (row.record,), value)
    return list(of.values())


def _reduced(operation: str, rows: Sequence[_Row], values: Sequence[CellValue]) -> CellValue:
    """Return the result of an operation over rows of which these are the values."""
    if operation == "count":
        return len({each.record for each in rows})
    if operation == "count_distinct":
        keys = {_key(each.distinct or (each.measure,)) for each in rows}
        return sum(None not in each for each in keys)
    if len(values) < (2 if operation in ("variance", "stdev") else 1):
        return None
    try:
        result = REDUCE[operation](values)
    except (OverflowError, ValueError) as error:  # beyond what floats hold, or infinite before
        raise QueryError(_TOO_GREAT) from error
    return result if operation in ("min", "max", "sum") else float(result)


def _outcome(query: Query, rows: Rows) -> Term:
    """Return the type and unit of a result."""
    term, operation = rows.measure, query.operation
    if term is None or operation in ("count", "count_distinct"):
        return Term("", "integer", name="count")
    type_: AttributeType = "number"
    if operation in ("min", "max", "list"):
        type_ = term.type
    elif operation == "sum" and term.type != "number":
        type_ = "integer"
    unit = None if operation == "variance" else term.unit
    return Term("", type_, unit, f"{operation} of {term.name}")


def combined(plan: Combination, left: Result, right: Result) -> Result:
    """Return what two numbers come to; raises QueryError: of no numbers, and of units."""
    if any(each.group_by or each.operation == "list" for each in (plan.left, plan.right)):
        raise QueryError("a combination needs two numbers: no groups and no lists")
    if plan.operator in ("+", "-", "growth"):
        check_units(plan.operator, left.unit, right.unit)
    unit = left.unit if left.unit == right.unit and plan.operator != "growth" else None
    if plan.operator == "/":
        unit = left.unit if right.unit is None else None
    one, other, value = left.value, right.value, None
    defined = other or plan.operator not in ("/", "growth")
    if isinstance(one, int | float) and isinstance(other, int | float) and defined:
        value = number(_COMBINED[plan.operator](one, other))
    both = (Item(records=each.records) for each in (*left.items, *right.items))
    items, statement = tuple(dict.fromkeys(both)), left.statement.before(right.statement)
    return Result(statement=statement, value=value, unit=unit, items=items)


def _grouped(rows: Iterable[_Row], of: Callable[[_Row], _Values]) -> list[list[_Row]]:
    """Put rows that bear the same values together, in the order of the first of each."""
    groups: dict[_Values, list[_Row]] = {}
    for row in rows:
        groups.setdefault(_key(of(row)), []).append(row)
    return list(groups.values())


def _groups(query: Query, rows: Sequence[_Row]) -> list[Item]:
    """Return the groups that pass their tests, in order."""
    found = []
    for own in _grouped(rows, lambda row: row.groups):
        if all(_passes(each, _measures(own, at), own) for at, each in enumerate(query.having, 1)):
            listed = query.operation == "list"
            value = None if listed else _reduced(query.operation, own, _measures(own))
            behind = own
            if query.operation not in ("list", "count"):
                behind = [each for each in own if None not in (each.distinct or (each.measure,))]
            names = _names(each.groups for each in own)
            found.append((names, value, _records(behind)))
    found.sort(key=lambda each: each[0])
    down = query.order == "descending"
    if query.order and query.operation == "list":
        found.sort(key=lambda each: _key(each[0]), reverse=down)
    elif query.order:
        found.sort(key=lambda each: ((each[1] is None) != down, each[1] or 0), reverse=down)
    return [
        Item(records=records, name=_apart(names), value=value) for names, value, records in found
    ]


def _passes(having: Having, values: Sequence[CellValue], rows: Sequence[_Row]) -> bool:
    """Tell whether a group passes a test, by what that aggregates."""
    if having.operation == "count_distinct":
        result: CellValue = len({_key((each,)) for each in values})
    elif having.operation == "count" and (having.of or having.where):
        result = len(values)
    else:
        result = _reduced(having.operation, rows, values)
    return result is not None and bool(_COMPARED[having.comparator](result, having.number))


def _different(query: Query, rows: Sequence[_Row]) -> list[Item]:
    """Return different values, each with the records that bear it."""
    listed = query.operation == "list"
    found = []
    for own in _grouped(rows, lambda row: row.distinct + row.shown * listed):
        names = _names(each.distinct + each.shown * listed for each in own)
        values = [each.measure for each in own if each.measure is not None]
        best = (max if query.order == "descending" else min)(values, default=None)
        value = best if listed else None
        found.append(Item(records=_records(own), name=_apart(names), value=value))
    return found


def _item(row: _Row) -> Item:
    name = name_of(row.distinct + row.shown)
    return Item(records=(row.record,), name=name, value=row.measure)


def _names(rows: Iterable[_Values]) -> _Values:
    """Return, column by column, of values that differ in case the first in order."""
    columns = zip(*rows, strict=True)
    return tuple(min((each for each in own if each is not None), default=None) for own in columns)


def _records(rows: Iterable[_Row]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(each.record for each in rows))


def _key(values: _Values) -> _Values:
    return tuple(folded(each) if isinstance(each, str) else each for each in values)


def name_of(values: Sequence[CellValue]) -> str:
    """Write what names a row; empty where nothing does, so that its document names it."""
    return "" if all(each is None for each in values) else ", ".join(map(written, values))


def _apart(values: Sequence[CellValue]) -> str:
    """Write values that stand for a group, so that no two groups read alike."""
    return ", ".join(_quoted(each, several=len(values) > 1) for each in values)


def _quoted(value: CellValue, *, several: bool) -> str:
    told = written(value)
    unclear = told.startswith('"') or (several and "," in told)
    if isinstance(value, str) and (unclear or told == "(none)"):
        return json.dumps(told, ensure_ascii=False)
    return told


def number(value: CellValue) -> Number | None:
    """Return a number, whole ones as such; None for what is no number.

    Raises QueryError: it is beyond what a number can hold.
    """
    if value is None or isinstance(value, str | bool):
        return None
    if not isfinite(value):
        raise QueryError(_TOO_GREAT)
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
    return in_digits(value) if isinstance(value, float) else str(value)
