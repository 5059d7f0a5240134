"""What a result is about: records, groups of them, or values that several of them bear."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.records.query_plan import Column, Query
from agent.records.record_schema import CellValue
from graphs.records.at_hand import AtHand
from graphs.records.result_values import Key, apart, in_role, key_of, name_of, one
from tools.records.compile import compile_rows
from tools.records.compile_statement import Role, Statement

__all__ = ("Item", "Rows", "items_of")

Rows = Sequence[tuple[CellValue, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that a result is about: a record, a group, or one of several different values."""

    kind: str
    records: tuple[int, ...]
    """The records behind it."""
    name: str = ""
    """Empty where the record's own name serves."""
    value: CellValue = None
    about: str = ""
    """The kind that the item is of, where it is not that of the records: a group's, a value's."""
    named_by: tuple[Column, ...] = ()
    """Where it is a group or one of several different values: of which columns."""
    document: str = ""
    """Where no record is known, the document that the statement itself names."""


def items_of(query: Query, statement: Statement, rows: Rows, found: AtHand) -> list[Item]:
    """Return what a query's result is about, in the result's order.

    Args:
        query: what was asked.
        statement: the statement that the query was compiled to.
        rows: what the statement came to.
        found: the records that it was asked of.
    """
    if query.operation == "count_distinct":
        query = _of_values(query)
    behind = compile_rows(query, found.tables.schema)
    records = found.select(behind)
    if query.group_by:
        return _named(_by(behind, records, "group", query), statement, rows, "group", "value")
    if query.distinct:
        keyed = _by(behind, records, "show", query)
        if query.operation == "list":
            return _named(keyed, statement, rows, "show", "measure")
        return list(keyed.values())
    return [
        Item(
            kind=query.kind,
            records=_ids(behind, row),
            name=name_of(in_role(behind, row, "show")),
            value=one(behind, row, "measure"),
        )
        for row in records
    ]


def _of_values(query: Query) -> Query:
    """Return a count of different values without what else it would show: each value once."""
    distinct = query.distinct
    if not distinct and isinstance(query.measure, Column):
        distinct = (query.measure,)
    return query.model_copy(update={"distinct": distinct, "show": ()})


def _by(behind: Statement, rows: Rows, role: Role, query: Query) -> dict[Key, Item]:
    """Put records that bear the same values together."""
    columns = query.group_by or query.distinct
    kinds = {each.kind for each in columns}
    about = columns[0].kind if len(kinds) == 1 else query.kind
    records: dict[Key, list[int]] = {}
    names: dict[Key, str] = {}
    for row in rows:
        values = in_role(behind, row, role)
        names.setdefault(key_of(values), apart(values))
        records.setdefault(key_of(values), []).extend(_ids(behind, row))
    return {
        key: Item(
            kind=query.kind,
            records=tuple(dict.fromkeys(records[key])),
            name=name,
            about=about,
            named_by=columns,
        )
        for key, name in names.items()
    }


def _named(
    keyed: dict[Key, Item], statement: Statement, rows: Rows, role: Role, valued: Role
) -> list[Item]:
    """Return the items of a result's own rows, each with the records behind it."""
    items = []
    for row in rows:
        values = in_role(statement, row, role)
        known = keyed.get(key_of(values), Item(kind="", records=()))
        items.append(replace(known, name=apart(values), value=one(statement, row, valued)))
    return items


def _ids(statement: Statement, row: Sequence[CellValue]) -> tuple[int, ...]:
    values = in_role(statement, row, "record")
    return tuple(value for value in values if isinstance(value, int))
