"""Whether tables fit a plan: its columns are there, and enough rows state them."""

from agent.records.query_plan import Column, Plan, columns_of, deciding, measured, queries_of
from agent.records.record_schema import ColumnFacts, Tables

__all__ = ("unfit",)

_FILLED = 0.5
"""The share of a kind's rows that must state a column for its tests to decide."""


def unfit(plan: Plan, tables: Tables, *, strict: bool) -> str:
    """Say why the tables do not fit a plan; empty where they do.

    Args:
        plan: what is to be computed.
        tables: the tables it is computed from.
        strict: whether a column that few rows state may not decide which rows pass.
    """
    for column in columns_of(plan):
        if _facts(column, tables) is None:
            return f"they have no column {column.kind}.{column.attribute}"
    tests = dict.fromkeys(each for query in queries_of(plan) for each in deciding(query))
    for column in tests if strict else ():
        held, rows = _held(column, tables)
        if held < _FILLED * rows:
            return f"only {held} of {rows} rows state {column.kind}.{column.attribute}"
    for query in queries_of(plan):
        for column in measured(query):
            if not _held(column, tables)[0]:
                return f"no row states {column.kind}.{column.attribute}"
    return ""


def _facts(column: Column, tables: Tables) -> ColumnFacts | None:
    table = next((each for each in tables.facts if each.kind == column.kind), None)
    return None if table is None else table.column(column.attribute)


def _held(column: Column, tables: Tables) -> tuple[int, int]:
    """Return how many rows state a column, and how many there are; of lists that is not known."""
    facts = _facts(column, tables)
    rows = next((each.rows for each in tables.facts if each.kind == column.kind), 0)
    kind = tables.schema.kind(column.kind)
    attribute = kind.attribute(column.attribute) if kind else None
    filled = facts.filled if facts else 0
    return (rows if filled and attribute and attribute.many else filled), rows
