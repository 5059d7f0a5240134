"""Units in compiled plans: what may be computed, compared and sorted together.

A column whose values are in several units that do not convert (`Schema.mixed`) may be counted and
shown. It is compared, aggregated and sorted only where the same conditions keep to one unit by the
column that states it, and aggregated too for groups of one unit each. Decided on the plan alone: no
number is computed that would have to be taken back, and the unit of the result is known.
"""

from collections.abc import Iterable

from agent.errors import QueryError
from agent.records.query_plan import AllTests, Column, Compare, Query, Test
from agent.records.record_schema import MixedUnits, Schema
from tools.records.conversion import is_share
from tools.records.folding import folded
from tools.records.units import parse_unit, split_scale

__all__ = ("FixedUnits", "check_units", "fixed_units", "one_unit", "units_of_groups")

FixedUnits = dict[tuple[str, str], str | None]
"""By kind and attribute, the one unit that conditions keep to; None for one in each group."""


def check_units(operator: str, left: str | None, right: str | None) -> None:
    """Raise QueryError where numbers of two different units would be put or held together."""
    if left is None or right is None or _same(left, right):
        return
    raise QueryError(
        f"{operator!r} of {left!r} and {right!r}: numbers of different units are neither added "
        "nor compared; take two of one unit, or ask for both"
    )


def _same(one: str, other: str) -> bool:
    """Tell whether two units are one, however written: `kg` and `kilograms`."""
    if one.casefold() == other.casefold() or (is_share(one) and is_share(other)):
        return True
    (scale, left), (other_scale, right) = split_scale(one), split_scale(other)
    parsed = parse_unit(left)
    return scale == other_scale and parsed is not None and parsed == parse_unit(right)


def fixed_units(tests: Iterable[Test | None], schema: Schema) -> FixedUnits:
    """Return the units that conditions keep to, all of which hold."""
    fixed: FixedUnits = {}
    for test in tests:
        if isinstance(test, AllTests):
            fixed |= fixed_units(test.parts, schema)
        elif isinstance(test, Compare) and test.comparator == "=" and isinstance(test.value, str):
            fixed |= {
                (each.kind, each.attribute): _named(test.value, each)
                for each in schema.mixed
                if test.left == _stated_by(each)
            }
    return fixed


def units_of_groups(query: Query, schema: Schema) -> FixedUnits:
    """Return which columns have one unit in each group; sorted groups would be held together."""
    if query.order is not None:
        return {}
    return {
        (each.kind, each.attribute): None
        for each in schema.mixed
        if _stated_by(each) in query.group_by
    }


def one_unit(column: Column, schema: Schema, fixed: FixedUnits) -> str | None:
    """Return the unit that conditions fix of a column; None for a column that has no several.

    Raises:
        QueryError: its values are in several units and nothing keeps to one.
    """
    mixed = schema.units_of(column.kind, column.attribute)
    if mixed is None:
        return None
    key = (column.kind, column.attribute)
    if key in fixed:
        return fixed[key]
    units = ", ".join(each or "none" for each in mixed.units)
    way = (
        f"require one unit by {mixed.stated_by!r}, or group by it without an order"
        if mixed.stated_by
        else "give the attribute one unit in the schema"
    )
    raise QueryError(
        f"{column.kind}.{column.attribute} has values in several units that do not convert "
        f"({units}): they are counted and shown, but not computed with or compared; {way}"
    )


def _stated_by(mixed: MixedUnits) -> Column | None:
    name = mixed.stated_by
    return None if name is None else Column(kind=mixed.kind, attribute=name)


def _named(value: str, mixed: MixedUnits) -> str:
    return next((each for each in mixed.units if folded(each) == folded(value)), value)
