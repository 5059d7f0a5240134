"""What stands behind a row beside itself: the linked records that its tests and values need."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from agent.records.query_plan import Column, Query
from agent.records.record_schema import Schema
from tools.records.compile import query_rows
from tools.records.compile_rows import Rows
from tools.records.compile_statement import Binder, Output, Statement
from tools.records.joins import Hop

__all__ = ("LinkedRecords", "compile_links")

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


def compile_links(query: Query, schema: Schema, most: int = _MOST) -> tuple[LinkedRecords, ...]:
    """Return the SELECTs of the linked records that made a query's rows pass or gave them values.

    Those in between are among them. That there are none such needs no record but the row itself.

    Raises:
        QueryError: as `compile_plan`.
    """
    binder = Binder()
    rows = query_rows(query, schema, binder)
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
