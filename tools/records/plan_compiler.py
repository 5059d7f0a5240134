"""Plans as SQL: every form of a plan becomes one SELECT with parameters.

Semantics, where SQL leaves a choice:
- What is not stated (null) passes no test but `null`, and no negated test either.
- Text is equal without case; groups and different values are told apart in the same way. A text
  that the plan itself states is equal without accents too.
- A kind that a measure, group, distinct or shown column names is joined to the rows; a test on
  another kind, of which a row may have many records, asks whether one of them passes, and tests
  joined by `all` are about the same one.
- However joins repeat them, a record is counted once, and a measure once for each record it is of;
  so are what tests of groups count and measure, each for itself.
- Nulls come last, and among equals names in order: the same plan always gives the same rows.
- A limit with an order takes the first rows that have a measure; where the rows are then
  aggregated, only these are.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from agent.errors import QueryError
from agent.records.query_plan import Column, Combination, Compare, Plan, Query
from agent.records.record_schema import Schema
from tools.records.plan_results import grouped, listed, ordered, single
from tools.records.plan_rows import Rows, rows_of
from tools.records.plan_scope import Hop
from tools.records.plan_tests import AggregateCompiler
from tools.records.sql_terms import Binder, Output, Statement, Term, check_units

_MOST: Final = 20
"""Linked records of one kind that are named for one row and test; the rest is counted."""
_OUTPUTS: Final = (
    Output("_record", "record", "integer"),
    Output("_linked", "record", "integer"),
    Output("number", "value", "integer"),
)


@dataclass(frozen=True, slots=True)
class LinkedRecords:
    """Records of one kind that a query's rows are linked to."""

    kind: str
    statement: Statement
    """Outputs: the row's id, the linked record's id, how many of them the row has in all."""
    columns: tuple[Column, ...]
    """The columns whose equal values make the link."""


def compile_plan(plan: Plan, schema: Schema) -> Statement:
    """Return the SELECT of a plan.

    A number has one row and one output of role `value`; groups have outputs `group` and `value`;
    lists `show` and, where they are ordered by one, `measure`.

    Args:
        plan: what is asked.
        schema: that of the tables (`RecordStore.tables`), with the units and links found in them.

    Raises:
        QueryError: a name is unknown, types do not fit, kinds are not linked, or the plan
            contradicts itself; the message says what would do.
    """
    binder = Binder()
    if isinstance(plan, Combination):
        return _combined(plan, schema, binder)
    rows = _rows(plan, schema, binder)
    if plan.group_by:
        sql, outputs = grouped(plan, rows, binder)
    elif plan.operation == "list":
        sql, outputs = listed(plan, rows, binder)
    else:
        sql, outputs = single(plan, rows, binder)
    return binder.statement(sql, outputs)


def _combined(plan: Combination, schema: Schema, binder: Binder) -> Statement:
    left, right = (_number(each, schema, binder) for each in (plan.left, plan.right))
    unit = left[1].unit if left[1].unit == right[1].unit else None
    if plan.operator in ("+", "-", "growth"):
        check_units(plan.operator, left[1].unit, right[1].unit)
    if plan.operator == "growth":
        sql = "(l - r) * 1.0 / NULLIF(ABS(r), 0)"
        unit = None
    elif plan.operator == "/":
        sql, unit = "l * 1.0 / NULLIF(r, 0)", left[1].unit if right[1].unit is None else None
    else:
        sql = f"l {plan.operator} r"
    both = f"SELECT ({left[0]}) AS l, ({right[0]}) AS r"
    output = Output("value", "value", "number", unit)
    return binder.statement(f"SELECT {sql} AS value FROM ({both})", (output,))


def _number(query: Query, schema: Schema, binder: Binder) -> tuple[str, Output]:
    if query.group_by or query.operation == "list":
        raise QueryError("a combination needs two numbers: no groups and no lists")
    sql, outputs = single(query, _rows(query, schema, binder), binder)
    return sql, outputs[0]


def compile_rows(query: Query, schema: Schema) -> Statement:
    """Return the SELECT of the records behind a query's result, in the order of the result.

    Outputs: the record's id, then groups, shown and distinct columns, and the measure. Rows that
    add nothing to the result since they lack the measure or a group are left out; of max the
    greatest comes first, of min the least. Limits on groups and on different values are not
    applied.
    """
    binder = Binder()
    rows = _rows(query, schema, binder)
    sql, outputs = ordered(query, rows, binder)
    return binder.statement(sql, outputs)


def compile_unknown(query: Query, schema: Schema) -> Statement:
    """Return the SELECT of the records of which what they do not state could change the result.

    Outputs: the record's id; whether it passes the tests as they stand; whether it states the
    measure, groups and different values. A record that passes and states them is there because of
    what a linked record does not state.
    """
    binder = Binder()
    rows = _rows(query, schema, binder)
    needed = [*rows.groups, *rows.distinct, *([rows.measure] if rows.measure else ())]
    if query.operation == "list" and query.distinct:
        needed = [*rows.groups, *rows.distinct]
    stated = " AND ".join([*map(_stated, needed), *map(_decided, rows.counted)]) or "1"
    sql = (
        f"SELECT DISTINCT {rows.record} AS _record, ({rows.where}) IS TRUE AS passes, "
        f"{stated} AS stated FROM {rows.source} WHERE (({rows.doubted}) IS NULL "
        f"OR (({rows.doubted}) AND NOT ({stated}))) ORDER BY 1"
    )
    outputs = (
        Output("_record", "record", "integer"),
        Output("passes", "flag", "boolean"),
        Output("stated", "flag", "boolean"),
    )
    return binder.statement(sql, outputs)


def _stated(term: Term) -> str:
    """Return the condition that a value is stated, or that there is no record to state it."""
    absent = "".join(f" OR {record} IS NULL" for record in term.linked)
    return f"({term.sql} IS NOT NULL{absent})"


def _decided(test: str) -> str:
    return f"({test}) IS NOT NULL"


def _rows(query: Query, schema: Schema, binder: Binder) -> Rows:
    """Return a query's rows before anything is done with them; raises QueryError."""
    return rows_of(query, schema, binder, _aggregator(schema, binder))


def _aggregator(schema: Schema, binder: Binder) -> AggregateCompiler:
    """Return what compiles the aggregates that comparisons name, in the same statement.

    Each is compiled once: the rows that pass and those in doubt are compared with the same number.
    """
    known: dict[int, Term] = {}

    def compiled(test: Compare) -> Term:
        aggregate = test.aggregate
        if aggregate is None:
            raise QueryError("a comparison needs a value, a column or an aggregate")
        if id(aggregate) in known:
            return known[id(aggregate)]
        query = Query(
            kind=aggregate.kind,
            where=aggregate.where,
            operation=aggregate.operation,
            measure=aggregate.of,
        )
        sql, outputs = single(query, rows_of(query, schema, binder, compiled), binder)
        term = Term(f"({sql})", outputs[0].type, outputs[0].unit, outputs[0].name)
        known[id(aggregate)] = term
        return term

    return compiled


def compile_links(query: Query, schema: Schema, most: int = _MOST) -> tuple[LinkedRecords, ...]:
    """Return the SELECTs of the linked records that made a query's rows pass or gave them values.

    Those in between are among them. That there are none such needs no record but the row itself.

    Raises:
        QueryError: as `compile_plan`.
    """
    binder = Binder()
    rows = _rows(query, schema, binder)
    where = f"({rows.where})"
    found = []
    for kind, alias in rows.joined:
        sql = _pairs(rows, alias, rows.source, where)
        found.append(_linked(kind, sql, rows.hops, most, binder))
    for each in rows.witnesses:
        for kind, alias in each.inner.at_hand():
            sql = _pairs(
                rows, alias, rows.source + each.joined(), f"{where} AND {each.condition()}"
            )
            found.append(_linked(kind, sql, each.hops(), most, binder))
    return tuple(found)


def _pairs(rows: Rows, alias: str, source: str, where: str) -> str:
    return f"SELECT DISTINCT {rows.record} AS r, {alias}._record AS x FROM {source} WHERE {where}"


def _linked(kind: str, pairs: str, hops: Iterable[Hop], most: int, binder: Binder) -> LinkedRecords:
    numbered = (
        "SELECT r, x, ROW_NUMBER() OVER (PARTITION BY r ORDER BY x) AS p, "
        f"COUNT(*) OVER (PARTITION BY r) AS n FROM ({pairs}) WHERE x IS NOT NULL"
    )
    sql = (
        f"SELECT r AS _record, x AS _linked, n AS number FROM ({numbered}) "
        f"WHERE p <= {binder.bind(most)} ORDER BY r, x"
    )
    return LinkedRecords(kind, binder.statement(sql, _OUTPUTS), _keys(hops))


def _keys(hops: Iterable[Hop]) -> tuple[Column, ...]:
    ends = (
        column
        for hop in hops
        for column in (
            Column(kind=hop.kind, attribute=hop.attribute),
            Column(kind=hop.to_kind, attribute=hop.to_attribute),
        )
    )
    return tuple(dict.fromkeys(ends))
