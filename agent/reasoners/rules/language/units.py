"""Units of measurement: which dimension each measures, and how they convert."""

import re
from collections.abc import Sequence
from typing import Final

__all__ = ("converted", "is_part_of", "is_unit", "unit_of", "without_unit")

_TABLE: Final = (
    ("time", "s sec secs second seconds", 1.0),
    ("time", "min mins minute minutes", 60.0),
    ("time", "h hr hrs hour hours", 3600.0),
    ("time", "day days", 86_400.0),
    ("time", "week weeks", 604_800.0),
    ("time", "ms millisecond milliseconds", 0.001),
    ("age", "month months", 1.0),
    ("age", "year years yr yrs", 12.0),
    ("mass", "mg milligram milligrams milligrammes", 0.001),
    ("mass", "g gram grams gramme grammes", 1.0),
    ("mass", "kg kgs kilo kilos kilogram kilograms kilogrammes", 1000.0),
    ("mass", "tonne tonnes ton tons", 1e6),
    ("mass", "oz ounce ounces", 28.349523125),
    ("mass", "lb lbs pound pounds", 453.59237),
    ("length", "mm millimetre millimetres millimeter millimeters", 0.001),
    ("length", "cm centimetre centimetres centimeter centimeters", 0.01),
    ("length", "m metre metres meter meters", 1.0),
    ("length", "km kilometre kilometres kilometer kilometers", 1000.0),
    ("length", "inch inches", 0.0254),
    ("length", "ft foot feet", 0.3048),
    ("length", "mi mile miles", 1609.344),
    ("volume", "ml millilitre millilitres milliliter milliliters", 0.001),
    ("volume", "l litre litres liter liters", 1.0),
    ("size", "byte bytes", 1.0),
    ("size", "kb kilobyte kilobytes", 1e3),
    ("size", "mb megabyte megabytes", 1e6),
    ("size", "gb gigabyte gigabytes", 1e9),
    ("size", "tb terabyte terabytes", 1e12),
    ("dollars", "usd dollar dollars $", 1.0),
    ("euros", "eur euro euros €", 1.0),
    ("sterling", "gbp £", 1.0),
    ("share", "% percent pct percentage", 1.0),
)
_UNITS: Final = {
    name: (dimension, factor) for dimension, names, factor in _TABLE for name in names.split()
}
_PLURAL: Final = re.compile(r"[a-z]{3,}s|feet")


def is_unit(word: str) -> bool:
    """Tell whether a lower-cased word is a unit's name or symbol."""
    return word in _UNITS


def converted(value: str, unit: str, wanted: str) -> str | None:
    """Return a number in another unit; None where they measure different things.

    >>> converted("3", "hours", "minutes"), converted("3", "hours", "kg")
    ('180', None)
    """
    dimension, factor = _UNITS.get(unit, ("", 1.0))
    other, per = _UNITS.get(wanted, ("-", 1.0))
    return f"{float(value) * factor / per:.12g}" if dimension == other else None


def is_part_of(unit: str, whole: str) -> bool:
    """Tell whether a unit is a smaller one of what the other measures.

    >>> is_part_of("min", "h"), is_part_of("h", "min"), is_part_of("min", "kg")
    (True, False, False)
    """
    dimension, factor = _UNITS.get(unit, ("", 0.0))
    other, per = _UNITS.get(whole, ("-", 0.0))
    return dimension == other and factor < per


def unit_of(words: Sequence[str], items: Sequence[str]) -> str:
    """Return the unit of a field: the last word of its name, else what its values are written with.

    A name of one word is a unit in the plural alone: `Minutes`, but `Year` is the one meant.

    Args:
        words: the words of the field's name, without case.
        items: some of its values as written.

    >>> unit_of(["weight", "kg"], ["3"]), unit_of(["prep", "time"], ["20 minutes", "5 minutes"])
    ('kg', 'minutes')
    """
    if words and is_unit(words[-1]) and (len(words) > 1 or _PLURAL.fullmatch(words[0])):
        return words[-1]
    written = [
        next((word for word in reversed(item.casefold().split()) if is_unit(word)), "")
        for item in items
    ]
    most = max(set(written), key=written.count, default="")
    return most if most and written.count(most) >= 0.8 * len(written) else ""


def without_unit(words: Sequence[str]) -> list[str]:
    """Return the words of a field's name without the unit behind them: `weight` of `weight kg`."""
    kept = list(words)
    while len(kept) > 1 and is_unit(kept[-1]):
        kept.pop()
    return kept
