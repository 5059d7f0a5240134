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

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, cast

from agent.errors import QueryError
from agent.records.query_plan import Aggregate, Column, Combination, Plan, Query, QueryOperation
from agent.records.record_schema import AttributeType, Schema
from tools.records.plan_rows import AggregateCompiler, Rows, rows_of
from tools.records.sql_terms import Binder, Role, Statement, Term, check_units, grouping

_MOST: Final = 20
"""Linked records of one kind that are named for one row and test; the rest is counted."""
_RECORD: Final = Term("", "integer", name="_record", role="record")
_OUTPUTS: Final = (
    _RECORD,
    Term("", "integer", name="_linked", role="record"),
    Term("", "integer", name="number"),
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
    lists `show` and, where they are ordered by one, `measure`. The schema is that of the
    tables (`RecordStore.tables`), with the units and links found in them.

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
        sql, unit = "(l - r) * 1.0 / NULLIF(ABS(r), 0)", None
    elif plan.operator == "/":
        sql, unit = "l * 1.0 / NULLIF(r, 0)", left[1].unit if right[1].unit is None else None
    else:
        sql = f"l {plan.operator} r"
    both = f"SELECT ({left[0]}) AS l, ({right[0]}) AS r"
    output = Term(sql, "number", unit, "value")
    return binder.statement(f"SELECT {sql} AS value FROM ({both})", (output,))


def _number(query: Query, schema: Schema, binder: Binder) -> tuple[str, Term]:
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
    names = (*rows.distinct, *rows.shown)
    columns, outputs = _selected(
        record=[Term(rows.record, "integer", name="_record")],
        group=rows.groups,
        show=names,
        measure=_measures(rows),
    )
    limited = not (query.group_by or query.distinct) and (
        query.operation == "list" or query.order is not None
    )
    if query.order is None and query.operation in ("min", "max"):
        towards = "ascending" if query.operation == "min" else "descending"
        query = query.model_copy(update={"order": towards})
    order = [*_order(query, names, _measures(rows)), rows.record]
    sql = (
        f"SELECT {'DISTINCT ' if rows.multiplies else ''}{columns} FROM {rows.source} "
        f"WHERE {_stated(query, rows)} ORDER BY {', '.join(order)}"
        f"{_limit(query, binder) if limited else ''}"
    )
    return binder.statement(sql, outputs)


def compile_unknown(query: Query, schema: Schema) -> Statement:
    """Return the SELECT of the records of which what they do not state could change the result.

    Outputs: the record's id; whether it passes the tests as they stand.
    """
    binder = Binder()
    rows = _rows(query, schema, binder)
    needed = [*rows.groups, *rows.distinct]
    if rows.measure and not (query.operation == "list" and query.distinct):
        needed.append(rows.measure)
    decided = (f"({test}) IS NOT NULL" for test in rows.counted)
    stated = " AND ".join([*map(_is_stated, needed), *decided]) or "1"
    sql = (
        f"SELECT DISTINCT {rows.record} AS _record, ({rows.where}) IS TRUE AS passes "
        f"FROM {rows.source} WHERE (({rows.doubted}) IS NULL "
        f"OR (({rows.doubted}) AND NOT ({stated}))) ORDER BY 1"
    )
    return binder.statement(sql, (_RECORD, Term("", "boolean", name="passes", role="flag")))


def _is_stated(term: Term) -> str:
    """Return the condition that a value is stated, or that there is no record to state it."""
    absent = "".join(f" OR {record} IS NULL" for record in term.linked)
    return f"({term.sql} IS NOT NULL{absent})"


def _rows(query: Query, schema: Schema, binder: Binder) -> Rows:
    """Return a query's rows before anything is done with them; raises QueryError."""
    return rows_of(query, schema, binder, _aggregator(schema, binder))


def _aggregator(schema: Schema, binder: Binder) -> AggregateCompiler:
    """Return what compiles the aggregates that comparisons name, in the same statement.

    Each is compiled once: the rows that pass and those in doubt are compared with the same number.
    """
    known: dict[int, Term] = {}

    def compiled(aggregate: Aggregate) -> Term:
        if id(aggregate) not in known:
            query = Query(
                kind=aggregate.kind,
                where=aggregate.where,
                operation=aggregate.operation,
                measure=aggregate.of,
            )
            sql, (number,) = single(query, rows_of(query, schema, binder, compiled), binder)
            known[id(aggregate)] = replace(number, sql=f"({sql})", linked=())
        return known[id(aggregate)]

    return compiled


def compile_links(query: Query, schema: Schema) -> tuple[LinkedRecords, ...]:
    """Return the SELECTs of the linked records that made a query's rows pass or gave them values.

    Those in between are among them. That there are none such needs no record but the row itself.

    Raises QueryError: as `compile_plan`.
    """
    binder = Binder()
    rows = _rows(query, schema, binder)
    where = f"({rows.where})"
    reached = [(place, rows.source, where, rows.hops) for place in rows.joined]
    for each in rows.witnesses:
        tables, passed = rows.source + each.joined(), f"{where} AND {each.condition()}"
        reached += [(place, tables, passed, each.hops()) for place in each.inner.at_hand.items()]
    found = []
    for (kind, alias), tables, passed, hops in reached:
        pairs = f"SELECT DISTINCT {rows.record} AS r, {alias}._record AS x FROM {tables}"
        numbered = (
            "SELECT r, x, ROW_NUMBER() OVER (PARTITION BY r ORDER BY x) AS p, "
            f"COUNT(*) OVER (PARTITION BY r) AS n FROM ({pairs} WHERE {passed}) WHERE x IS NOT NULL"
        )
        sql = (
            f"SELECT r AS _record, x AS _linked, n AS number FROM ({numbered}) "
            f"WHERE p <= {binder.bind(_MOST)} ORDER BY r, x"
        )
        columns = tuple(dict.fromkeys(end for hop in hops for end in hop.ends))
        found.append(LinkedRecords(kind, binder.statement(sql, _OUTPUTS), columns))
    return tuple(found)


_BETWEEN: Final = "\x1f"
"""Stands between the values of several columns: the unit separator."""
Compiled = tuple[str, tuple[Term, ...]]
"""A SELECT and its outputs."""


def single(query: Query, rows: Rows, binder: Binder) -> Compiled:
    """Return the SELECT of one number."""
    if query.having:
        raise QueryError("tests of groups need group_by: what are the groups?")
    rows = _limited(query, rows, binder)
    term = _result(query.operation, rows, _operand(query, rows, binder))
    columns, outputs = _selected(value=[term])
    return f"SELECT {columns} FROM {rows.source} WHERE {rows.where}", outputs


def _limited(query: Query, rows: Rows, binder: Binder) -> Rows:
    """Keep the first rows by the measure, where both an order and a limit are given."""
    if query.limit is None or query.order is None:
        return _flat(query, rows)
    if rows.measure is None:
        raise QueryError("an order needs a measure: what are the rows ordered by?")
    order = [_direction(rows.measure, query), rows.record]
    tail = f" ORDER BY {', '.join(order)}{_limit(query, binder)}"
    return _nested(rows, _stated(query, rows), tail)


def _flat(query: Query, rows: Rows) -> Rows:
    """Read every measured thing once, where joins repeat it."""
    if not rows.multiplies:
        return rows
    by_record = query.operation in ("count", "list")
    return _nested(rows, rows.where, by_record=by_record or not rows.measure)


def _nested(rows: Rows, where: str, tail: str = "", *, by_record: bool = True) -> Rows:
    columns = rows.columns()
    if not by_record:
        del columns["r"]
    chosen = ", ".join(f"{sql} AS {name}" for name, sql in columns.items())
    distinct = "DISTINCT " if rows.multiplies else ""
    return rows.renamed(f"(SELECT {distinct}{chosen} FROM {rows.source} WHERE {where}{tail})")


def _direction(term: Term, query: Query) -> str:
    return f"{grouping(term)} {'DESC' if query.order == 'descending' else 'ASC'} NULLS LAST"


def _limit(query: Query, binder: Binder) -> str:
    if query.limit is None:
        return ""
    if query.limit < 1:
        raise QueryError(f"the limit is {query.limit}: give 1 or more, or none")
    return f" LIMIT {binder.bind(query.limit)}"


def _stated(query: Query, rows: Rows) -> str:
    """Return the condition of rows that add to the result."""
    needed = [*rows.groups, *rows.distinct]
    if rows.measure and (query.operation != "list" or (query.limit and query.order)):
        needed.append(rows.measure)
    return f"({rows.where})" + "".join(f" AND {each.sql} IS NOT NULL" for each in needed)


def _result(operation: QueryOperation | str, rows: Rows, term: Term | None) -> Term:
    if term is None:
        sql = f"COUNT(DISTINCT {rows.record})" if rows.multiplies else "COUNT(*)"
        return Term(sql, "integer", name="count")
    name = f"{operation} of {term.name}"
    match operation:
        case "count":
            return Term(f"COUNT({term.sql})", "integer", name=name)
        case "count_distinct":
            return Term(f"COUNT(DISTINCT {term.sql})", "integer", name=name)
        case "min" | "max":
            return Term(f"{operation.upper()}({term.sql})", term.type, term.unit, name)
        case "sum":
            type_: AttributeType = "number" if term.type == "number" else "integer"
            return Term(f"SUM({term.sql})", type_, term.unit, name)
        case _:
            unit = None if operation == "variance" else term.unit
            return Term(f"{operation.upper()}({term.sql})", "number", unit, name)


def _operand(query: Query, rows: Rows, binder: Binder) -> Term | None:
    if query.operation == "count":
        return None
    if query.operation == "count_distinct":
        return _different(rows, binder)
    if rows.measure is None:
        raise QueryError(f"{query.operation} needs a measure: the {query.operation} of what?")
    return rows.measure


def _different(rows: Rows, binder: Binder) -> Term:
    """Return what different values are counted of: several columns as one text."""
    terms = rows.distinct or ((rows.measure,) if rows.measure else ())
    if not terms:
        raise QueryError("count_distinct needs `distinct`: different values of what?")
    keys = [grouping(each) for each in terms]
    between = f" || {binder.bind(_BETWEEN)} || "
    return replace(terms[0], sql=keys[0] if len(keys) == 1 else between.join(keys))


def _selected(**roles: Iterable[Term]) -> Compiled:
    """Return what stands behind SELECT, and the outputs, each under a name of its own."""
    made: list[Term] = []
    columns: list[str] = []
    for role, term in ((role, term) for role, terms in roles.items() for term in terms):
        base = re.sub(r"\W+", "_", term.name).strip("_") or "value"
        if term.name.startswith("_"):
            base = term.name
        name, number = base, 2
        while name in {each.name for each in made}:
            name, number = f"{base}_{number}", number + 1
        made.append(replace(term, name=name, role=cast("Role", role)))
        columns.append(f'{term.sql} AS "{name}"')
    return ", ".join(columns), tuple(made)


def _measures(rows: Rows) -> tuple[Term, ...]:
    return (rows.measure,) if rows.measure else ()


def grouped(query: Query, rows: Rows, binder: Binder) -> Compiled:
    """Return the SELECT of one row for each group: its values, then the operation's result."""
    if query.operation == "list" and query.measure is not None:
        raise QueryError("a list of groups has no measure: name an operation, as sum or max")
    rows = _once(rows) if rows.multiplies else rows
    names = tuple(replace(each, sql=f"MIN({each.sql})") for each in rows.groups)
    values: tuple[Term, ...] = ()
    if query.operation != "list":
        values = (_result(query.operation, rows, _operand(query, rows, binder)),)
    columns, outputs = _selected(group=names, value=values)
    stated = "".join(f" AND {each.sql} IS NOT NULL" for each in rows.groups)
    keys = ", ".join(grouping(each) for each in rows.groups)
    order = [each.sql for each in names]
    if query.order and values:
        order.insert(0, _direction(values[0], query))
    elif query.order:
        order = [_direction(each, query) for each in names]
    return (
        f"SELECT {columns} FROM {rows.source} "
        f"WHERE ({rows.where}){stated} GROUP BY {keys}{_having(query, rows, binder)} "
        f"ORDER BY {', '.join(order)}{_limit(query, binder)}"
    ), outputs


def _once(rows: Rows) -> Rows:
    """Leave each measured thing its number in one row of its group, and every row its record.

    A test of groups may count records, or measure other things than the result does.
    """
    columns = rows.columns()
    within = [grouping(each) for each in rows.groups]
    things = {f"h{place}": each for place, each in enumerate(rows.having_identities)}
    for name, identity in {"m": rows.identity, **things}.items():
        if name in columns:
            same = ", ".join([*within, *(identity or (rows.record,))])
            first = f"ROW_NUMBER() OVER (PARTITION BY {same} ORDER BY {rows.record}) = 1"
            columns[name] = f"CASE WHEN {first} THEN {columns[name]} END"
    chosen = ", ".join(f"{sql} AS {name}" for name, sql in columns.items())
    return rows.renamed(f"(SELECT {chosen} FROM {rows.source} WHERE {rows.where})")


def _having(query: Query, rows: Rows, binder: Binder) -> str:
    tests = [
        f"{_result(test.operation, rows, rows.terms.get(f'h{at}')).sql} {test.comparator} "
        f"{binder.bind(test.number)}"
        for at, test in enumerate(query.having)
    ]
    return f" HAVING {' AND '.join(tests)}" if tests else ""


def listed(query: Query, rows: Rows, binder: Binder) -> Compiled:
    """Return the SELECT of a list: what names each row, then its measure."""
    if query.having:
        raise QueryError("tests of groups need group_by: what are the groups?")
    rows = _flat(query, rows)
    names = (*rows.distinct, *rows.shown)
    measures = _measures(rows)
    where, group = _stated(query, rows), ""
    if query.distinct:
        group = f" GROUP BY {', '.join(grouping(each) for each in names)}"
        names = tuple(replace(each, sql=f"MIN({each.sql})") for each in names)
        best = "MAX" if query.order == "descending" else "MIN"
        measures = tuple(replace(each, sql=f"{best}({each.sql})") for each in measures)
    columns, outputs = _selected(show=names, measure=measures)
    order = _order(query, names, measures)
    order += [grouping(each) for each in names] if query.distinct else [rows.record]
    return (
        f"SELECT {columns} FROM {rows.source} WHERE {where}{group} "
        f"ORDER BY {', '.join(order)}{_limit(query, binder)}"
    ), outputs


def _order(query: Query, names: Iterable[Term], measures: Iterable[Term]) -> list[str]:
    if query.order is None:
        return []
    by_measure = [_direction(each, query) for each in measures]
    if by_measure:
        return by_measure + [grouping(each) for each in names]
    return [_direction(each, query) for each in names]
