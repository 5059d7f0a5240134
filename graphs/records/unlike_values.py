"""Values that a plan leaves out because they are in another unit than it asks for."""

from collections.abc import Iterator
from dataclasses import dataclass

from agent.records.query_plan import Column, Plan, columns_of, queries_of, stated_of
from agent.records.record_schema import Tables
from tools.records.folding import folded

__all__ = ("UnlikeValues", "unlike_values")


@dataclass(frozen=True, slots=True)
class UnlikeValues:
    """Of a column of numbers in several units, what is held in others than those asked for."""

    column: Column
    wanted: tuple[str, ...]
    """The units that the plan keeps to."""
    others: tuple[tuple[str, int], ...]
    """The other units, none of which converts, with how many values of the column are in each."""


def unlike_values(plan: Plan, tables: Tables) -> Iterator[UnlikeValues]:
    """Yield the columns that a plan compares or computes with in some of their units only."""
    named = columns_of(plan)
    words = [pair for query in queries_of(plan) for pair in stated_of(query)]
    for mixed in tables.schema.mixed:
        column = Column(kind=mixed.kind, attribute=mixed.attribute)
        wanted = tuple(
            dict.fromkeys(
                word
                for stated, word in words
                if (stated.kind, stated.attribute) == (mixed.kind, mixed.stated_by)
            )
        )
        others = _others(column, wanted, tables)
        if column in named and wanted and others:
            yield UnlikeValues(column, wanted, others)


def _others(column: Column, wanted: tuple[str, ...], tables: Tables) -> tuple[tuple[str, int], ...]:
    table = next((each for each in tables.facts if each.kind == column.kind), None)
    held = table.column(column.attribute) if table is not None else None
    kept = {"", *map(folded, wanted)}
    return tuple(
        (unit, values) for unit, values in (held.units if held else ()) if folded(unit) not in kept
    )
