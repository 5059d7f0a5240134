"""Plans as SQL: the rows of a query are one SELECT with parameters.

What is done with the rows is `tools.records.plan_results`. Semantics, where SQL leaves a choice:
- What is not stated (null) passes no test but `null`, and no negated test either.
- Text is equal without case. A text that the plan itself states is equal without accents too.
- A kind that a measure, group, distinct or shown column names is joined to the rows; a test on
  another kind, of which a row may have many records, asks whether one of them passes, and tests
  joined by `all` are about the same one.
- Nulls come last, and among equals names in order: the same plan always gives the same rows.
- A limit with an order takes the first rows that have a measure; where the rows are then
  aggregated, only these are.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.errors import QueryError
from agent.records.query_plan import Column, Query
from tools.records.plan_rows import Rows
from tools.records.sql_terms import Binder, Statement, Term, grouping

_MOST: Final = 20
"""Linked records of one kind that are named for one row and test; the rest is counted."""
_RECORD: Final = Term("", "integer", name="_record")
_OUTPUTS: Final = (_RECORD, Term("", "integer", name="_linked"), Term("", "integer", name="number"))


Linked = tuple[str, Statement, tuple[Column, ...]]
"""A kind of linked records, the columns whose equal values make the link, and a statement between
them: of the row's id, the linked record's id, and how many of them the row has in all."""


def row_statement(query: Query, rows: Rows, binder: Binder, beyond: int) -> Statement:
    """Return the SELECT of the rows that a query's result is made of, in the result's order.

    Outputs: the record's id, then groups, different and shown values, the measure, what tests of
    groups aggregate, and ids of what is measured. Of max the greatest comes first, of min the
    least. A limit takes `beyond` more. Limits of groups and of different values are not applied.

    Raises QueryError: a limit below 1, or an order without a measure where it cuts.
    """
    if query.limit is not None and query.limit < 1:
        raise QueryError(f"the limit is {query.limit}: give 1 or more, or none")
    names, measures = (*rows.distinct, *rows.shown), (rows.measure,) if rows.measure else ()
    listed, cut = query.operation == "list", query.limit is not None and query.order is not None
    if cut and not (measures or listed or query.group_by):
        raise QueryError("an order needs a measure: what are the rows ordered by?")
    needed = [*rows.groups]
    if not query.group_by:
        needed += rows.distinct if query.operation in ("count_distinct", "list") else ()
        needed += measures if cut or query.operation not in ("count", "list") else ()
    ids = (Term(each, "integer", name="_of") for own in rows.things for each in own)
    columns, outputs = _selected(
        Term(rows.record, "integer", name="_record"), *rows.groups, *names, *measures,
        *(each for each in rows.havings if each is not None), *ids,
    )  # fmt: skip
    limited = not query.group_by and (cut if not listed else not query.distinct)
    limit = f" LIMIT {binder.bind(query.limit + beyond)}" if limited and query.limit else ""
    stated = "".join(f" AND {each.sql} IS NOT NULL" for each in needed)
    return binder.statement(
        f"SELECT {'DISTINCT ' if rows.things else ''}{columns} FROM {rows.source} "
        f"WHERE ({rows.where}){stated} "
        f"ORDER BY {', '.join([*_order(query, names, measures), rows.record])}{limit}",
        outputs,
    )


def _order(query: Query, names: Sequence[Term], measures: Sequence[Term]) -> list[str]:
    order = query.order
    if order is None and query.operation in ("min", "max"):
        order = "ascending" if query.operation == "min" else "descending"
    by_name = [grouping(each) for each in names]
    if order is None:
        return by_name if query.distinct and query.operation == "list" else []
    towards = f"{'DESC' if order == 'descending' else 'ASC'} NULLS LAST"
    if measures:
        return [*(f"{grouping(each)} {towards}" for each in measures), *by_name]
    return [f"{each} {towards}" for each in by_name]


def unknown_statement(query: Query, rows: Rows, binder: Binder) -> Statement:
    """Return the SELECT of the records of which what they do not state could change the result.

    Outputs: the record's id; whether it passes the tests as they stand.
    """
    needed = [*rows.groups, *rows.distinct]
    if rows.measure and not (query.operation == "list" and query.distinct):
        needed.append(rows.measure)
    tests = zip(query.having, rows.havings, strict=True)
    needed += [of for having, of in tests if of is not None and having.of is not None]
    decided = (f"({test}) IS NOT NULL" for test in rows.counted)
    stated = " AND ".join([*map(_is_stated, needed), *decided]) or "1"
    sql = (
        f"SELECT DISTINCT {rows.record} AS _record, ({rows.where}) IS TRUE AS passes "
        f"FROM {rows.source} WHERE (({rows.doubted}) IS NULL "
        f"OR (({rows.doubted}) AND NOT ({stated}))) ORDER BY 1"
    )
    return binder.statement(sql, (_RECORD, Term("", "boolean", name="passes")))


def _is_stated(term: Term) -> str:
    """Return the condition that a value is stated, or that there is no record to state it."""
    absent = "".join(f" OR {record} IS NULL" for record in term.linked)
    return f"({term.sql} IS NOT NULL{absent})"


def link_statements(rows: Rows, binder: Binder) -> tuple[Linked, ...]:
    """Return the SELECTs of the linked records that made a query's rows pass or gave them values.

    Those in between are among them. That there are none such needs no record but the row itself.
    """
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
        found.append((kind, binder.statement(sql, _OUTPUTS), columns))
    return tuple(found)


def _selected(*terms: Term) -> tuple[str, tuple[Term, ...]]:
    """Return what stands behind SELECT, and the outputs, each under a name of its own."""
    made: dict[str, Term] = {}
    for term in terms:
        base = re.sub(r"\W+", "_", term.name).rstrip("_") or "value"
        name, number = base, 2
        while name in made:
            name, number = f"{base}_{number}", number + 1
        made[name] = replace(term, name=name)
    return ", ".join(f'{each.sql} AS "{name}"' for name, each in made.items()), tuple(made.values())
