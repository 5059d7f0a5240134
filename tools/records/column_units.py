"""The units in which the values of one column come, where its schema names none."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from tools.records.conversion import converted
from tools.records.units import parse_unit, split_scale

__all__ = ("ColumnUnits", "column_units", "value_unit")

_SHARE = "%"


@dataclass(frozen=True, slots=True)
class ColumnUnits:
    """What the units of a column come to."""

    counts: tuple[tuple[str, int], ...] = ()
    """How many values have each unit, the most frequent first, empty for none."""
    unit: str | None = None
    """The one unit that all values have or convert to; None where nothing is measured."""
    convertible: bool = False
    """Whether some values have another unit, which converts to the one by definition."""
    mixed: bool = False
    """Whether some units do not convert to one another."""


def value_unit(written: str | None) -> str:
    """Return the unit that a stored number is in, given the unit that was written beside it.

    Scales were multiplied out and shares made fractions when the number was read.

    >>> value_unit("million USD"), value_unit("per cent"), value_unit("lb"), value_unit(None)
    ('USD', '%', 'lb', '')
    """
    unit = split_scale(written or "")[1]
    parsed = parse_unit(unit) if unit else None
    if parsed is None or parsed.bases:
        return unit
    return _SHARE if parsed.factor < 1 else ""


def column_units(counts: Mapping[str, int], largest_bare: float = 0.0) -> ColumnUnits:
    """Return what a column's units come to.

    All are brought to the most frequent one, where each converts to it and back by definition.
    What is merely counted (`rooms`) is no unit to compute in, and stands beside no measure. A
    number without a unit is in the column's one unit, as in a column whose schema names it; beside
    shares it is a share only where it is below 1.

    Args:
        counts: how many values have each unit, as `value_unit` returns it.
        largest_bare: the greatest absolute value that has no unit.

    >>> column_units({"kg": 5, "lb": 2, "": 1}).unit, column_units({"EUR": 2, "JPY": 1}).mixed
    ('kg', True)
    """
    ordered = tuple(sorted(counts.items(), key=lambda each: (-each[1], each[0])))
    named = [unit for unit, _ in ordered if unit]
    if not named:
        return ColumnUnits()
    target = named[0]
    bare_is_none = target == _SHARE and "" in counts and largest_bare >= 1
    if bare_is_none or not all(_interchangeable(each, target) for each in named[1:]):
        return ColumnUnits(ordered, mixed=True)
    if (parsed := parse_unit(target)) is not None and parsed.counted:
        return ColumnUnits(ordered)
    return ColumnUnits(ordered, target, convertible=len(named) > 1)


def _interchangeable(one: str, other: str) -> bool:
    """Tell whether two units measure the same: a number converts there and back."""
    there, back = converted(Decimal(1), one, other), converted(Decimal(1), other, one)
    return isinstance(there, Decimal) and isinstance(back, Decimal)
