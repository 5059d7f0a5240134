"""Measures in several parts: `5 ft 10 in`, `2 h 30 min`, `5'10"`, `1h30`."""

import re
from decimal import Decimal
from typing import Final

from tools.records.units import Unit, parse_unit

__all__ = ("read_compound",)

_PART: Final = r"(\d+(?:\.\d+)?)\s*([^\W\d_]+|['\"′″])"
_PARTS: Final = re.compile(rf"{_PART}(?:(?:\s*,)?(?:\s+and)?\s*{_PART})+", re.IGNORECASE)
_HOURS: Final = re.compile(r"(\d+)\s*h\s*([0-5]\d)", re.IGNORECASE)
_EACH: Final = re.compile(_PART)


def read_compound(text: str) -> tuple[Decimal, str] | None:
    """Return a measure whose parts add up, in the unit of its first part; None for anything else.

    >>> read_compound("2 h 30 min"), read_compound("5 ft and 6 in"), read_compound("2 kg 3 min")
    ((Decimal('2.5'), 'h'), (Decimal('5.5'), 'ft'), None)
    """
    if clock := _HOURS.fullmatch(text):
        return Decimal(clock[1]) + Decimal(clock[2]) / 60, "h"
    if not _PARTS.fullmatch(text):
        return None
    parts = [(Decimal(number), unit) for number, unit in _EACH.findall(text)]
    units = [parse_unit(unit) for _, unit in parts]
    known = [unit for unit in units if unit is not None and unit.measures]
    if len(known) != len(parts) or not _descending(known):
        return None
    total = sum(
        (number * unit.factor for (number, _), unit in zip(parts, known, strict=True)), Decimal(0)
    )
    return total / known[0].factor, parts[0][1]


def _descending(units: list[Unit]) -> bool:
    same = len({unit.bases for unit in units}) == 1
    factors = [unit.factor for unit in units]
    return same and factors == sorted(set(factors), reverse=True)
