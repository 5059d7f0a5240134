"""A measure compared between two periods of the same thing: rows joined to themselves by key."""

from dataclasses import replace

from agent.errors import QueryError
from agent.records.query_plan import Change
from tools.records.compile_rows import Rows
from tools.records.compile_statement import Binder
from tools.records.compile_terms import Term, compared, grouping

__all__ = ("changed", "in_a_period")

_FORMS = {
    "difference": "later.m - earlier.m",
    "ratio": "later.m * 1.0 / NULLIF(earlier.m, 0)",
    "growth": "(later.m - earlier.m) * 1.0 / NULLIF(ABS(earlier.m), 0)",
}


def changed(rows: Rows, change: Change, binder: Binder) -> Rows:
    """Return one row for each thing that states the measure in both periods.

    Names, groups and the record are those of the later period. Of several rows of one thing and
    period the first counts.

    Raises:
        QueryError: there is no measure or key, or a kind of many records was joined.
    """
    if rows.measure is None or rows.period is None:
        raise QueryError("a change needs a measure: give the number that changed")
    if not rows.keys:
        raise QueryError("a change needs a key: what makes two rows the same thing")
    if rows.multiplies:
        raise QueryError("a change needs columns of one record each, no lists or linked records")
    named = rows.columns()
    listed = ", ".join(f"{sql} AS {name}" for name, sql in named.items())
    inner = f"SELECT {listed} FROM {rows.source} WHERE {rows.where}"
    flat = rows.renamed(f"({inner})")
    sides = [_side(flat, period, binder, named) for period in (change.start, change.end)]
    same = " AND ".join(
        f"{grouping(replace(key, sql=f'later.k{place}'))} = "
        f"{grouping(replace(key, sql=f'earlier.k{place}'))}"
        for place, key in enumerate(rows.keys)
    )
    source = f"({sides[1]}) AS later JOIN ({sides[0]}) AS earlier ON {same}"
    unit = rows.measure.unit if change.form == "difference" else None
    name = f"{change.form} of {rows.measure.name}"
    result = rows.renamed(source, "later.")
    return replace(
        result,
        measure=Term(f"({_FORMS[change.form]})", "number", unit, name),
        earlier="earlier.r",
    )


def in_a_period(rows: Rows, change: Change, binder: Binder) -> str:
    """Return the condition that a row may be of one of the two periods."""
    assert rows.period is not None  # noqa: S101
    tests = (compared(rows.period, "=", each, binder) for each in (change.start, change.end))
    return f"({' OR '.join(f'({each})' for each in tests)}) IS NOT FALSE"


def _side(flat: Rows, period: str | float, binder: Binder, named: dict[str, str]) -> str:
    """Select the first row of each thing in a period.

    SQLite takes bare columns from the row that has the minimum (lang_select.html, 2.5).
    """
    assert flat.period is not None  # noqa: S101
    columns = ", ".join(name for name in named if name != "r")
    keys = ", ".join(grouping(key) for key in flat.keys)
    within = compared(flat.period, "=", period, binder)
    return (
        f"SELECT {columns}, MIN(r) AS r FROM {flat.source} "
        f"WHERE {within} AND m IS NOT NULL GROUP BY {keys}"
    )
