"""The records that are linked to a result's rows and prove them: why they pass, their values."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from agent.errors import QueryError
from agent.records.query_plan import Column, Plan, queries_of
from graphs.records.at_hand import AtHand
from tools.records.compile_links import LinkedRecords, compile_links

__all__ = ("LinkedRows", "RecordId", "linked_rows")

RecordId = tuple[str, int]
"""A record's kind and id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedRows:
    """Linked records by the row that needs them."""

    of: Mapping[RecordId, tuple[RecordId, ...]] = field(default_factory=dict)
    left: Mapping[RecordId, int] = field(default_factory=dict)
    """How many more there are of a row than are named."""
    columns: tuple[Column, ...] = ()
    """The columns whose equal values link them."""
    why: str = ""
    """Why they could not be found; empty where they were."""


def linked_rows(plan: Plan, found: AtHand) -> LinkedRows:
    """Return the records that a plan's rows are linked to, so far as the plan needs them.

    A result stands without them: where they take too long to find, that is said.
    """
    of: dict[RecordId, dict[RecordId, None]] = {}
    left: dict[RecordId, int] = {}
    columns: dict[Column, None] = {}
    try:
        for query in queries_of(plan):
            for each in compile_links(query, found.tables.schema):
                columns.update(dict.fromkeys(each.columns))
                _enter(query.kind, each, found, of, left)
    except QueryError as error:
        return LinkedRows(why=str(error))
    return LinkedRows(
        of={row: tuple(linked) for row, linked in of.items()}, left=left, columns=tuple(columns)
    )


def _enter(
    kind: str,
    linked: LinkedRecords,
    found: AtHand,
    of: dict[RecordId, dict[RecordId, None]],
    left: dict[RecordId, int],
) -> None:
    named: dict[RecordId, int] = {}
    for row, other, number in found.select(linked.statement):
        if isinstance(row, int) and isinstance(other, int) and isinstance(number, int):
            of.setdefault((kind, row), {})[linked.kind, other] = None
            named[kind, row] = named.get((kind, row), number) - 1
    for each, more in named.items():
        if more > 0:
            left[each] = left.get(each, 0) + more
