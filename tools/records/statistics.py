"""Column statistics (S-RAG, appendix D), computed by the database.

Numbers: how many, and unless they are in several units mean, least and most. Text and booleans: the
different values. All: how many are not null, and how many of them are not zero, empty or false.
"""

import sqlite3
from collections.abc import Mapping
from typing import Final

from agent.records.record_schema import Attribute, ColumnFacts, Kind, TableFacts
from tools.records.column_units import ColumnUnits
from tools.records.identifiers import list_table, quoted

__all__ = ("table_facts",)

_MOST_VALUES: Final = 50


def table_facts(
    connection: sqlite3.Connection, kind: Kind, units: Mapping[str, ColumnUnits]
) -> TableFacts:
    """Return the statistics of a kind's table; those of a list attribute are over its values.

    Args:
        connection: to the tables.
        kind: which one.
        units: those of its columns of numbers for which the schema names none.
    """
    rows, documents = connection.execute(
        f"SELECT COUNT(*), COUNT(DISTINCT _document) FROM {quoted(kind.name)}"
    ).fetchone()
    return TableFacts(
        kind=kind.name,
        rows=rows,
        documents=documents,
        columns=tuple(
            _column(connection, kind, each, units.get(each.name, ColumnUnits()))
            for each in kind.attributes
        ),
    )


def _column(
    connection: sqlite3.Connection, kind: Kind, attribute: Attribute, units: ColumnUnits
) -> ColumnFacts:
    table, column = quoted(kind.name), quoted(attribute.name)
    if attribute.many:
        table, column = quoted(list_table(kind.name, attribute.name)), "value"
    measured = attribute.type in ("integer", "number") and not units.mixed
    mean = f"AVG({column})" if measured else "NULL"
    ends = f"MIN({column}), MAX({column})"
    if attribute.type in ("text", "boolean") or units.mixed:
        ends = "NULL, NULL"
    something = f"COUNT(CASE WHEN {column} NOT IN (0, '') THEN 1 END)"
    filled, nonzero, distinct, mean_value, least, most = connection.execute(
        f"SELECT COUNT({column}), {something}, COUNT(DISTINCT {column}), {mean}, {ends} "
        f"FROM {table}"
    ).fetchone()
    values: list[tuple[object, int]] = []
    if attribute.type in ("text", "boolean"):
        values = connection.execute(
            f"SELECT {column}, COUNT(*) FROM {table} WHERE {column} IS NOT NULL "
            f"GROUP BY {column} ORDER BY 2 DESC, 1 LIMIT {_MOST_VALUES}"
        ).fetchall()
    if attribute.type == "boolean":
        values = [(bool(value), rows) for value, rows in values]
    return ColumnFacts.model_validate(
        {
            "attribute": attribute.name,
            "filled": filled,
            "nonzero": nonzero,
            "distinct": distinct,
            "mean": mean_value,
            "least": least,
            "most": most,
            "values": tuple(values),
            "units": units.counts,
        }
    )
