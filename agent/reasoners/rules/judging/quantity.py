"""Numbers with their units, as sentences write them: `sixty (60) days`, `$1.2 million`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from agent.reasoners.rules.language.units import converted, is_part_of
from agent.reasoners.rules.language.words import FUNCTION_WORDS, stem

__all__ = ("Quantity", "normal_unit", "quantities")

_CURRENCIES: Final = {"$": "USD", "us$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
_SCALES: Final = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "mn": 1e6,
    "m": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "trillion": 1e12,
}
_UP_TO_NINETEEN: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_BY_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES: Final = {
    word: number
    for number, word in enumerate(
        _UP_TO_NINETEEN.split(),
    )
}
_TENS: Final = {word: 10 * number for number, word in enumerate(_BY_TENS.split(), start=2)}
_WRITTEN: Final = "|".join([*_TENS, *sorted(_ONES, key=len, reverse=True)])
_QUANTITY: Final = re.compile(
    r"(?P<currency>US\$|[$€£¥]|\b(?:USD|EUR|GBP|JPY|CHF)\b)?\s?"
    r"(?P<number>(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
    rf"|\b(?:(?:{'|'.join(_TENS)})[\s-](?:{'|'.join(_ONES)})|{_WRITTEN})\b"
    r"(?!\s*\(\s*\d))\)?"
    r"(?:[\s-]*(?P<scale>hundred|thousand|million|billion|trillion|bn|mn|[kKmM])\b)?"
    r"(?:\s?(?P<percent>%)|[\s-]+(?:US\s)?(?P<unit>[^\W\d_]+))?",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(r"[,\s]*(?:and)?\s*")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number found in a text."""

    value: float
    """With its scale: 1.2 million is 1200000."""
    unit: str | None
    """The currency's code, `%`, or the noun that follows."""
    start: int
    end: int


def quantities(text: str, start: int = 0, end: int | None = None) -> Iterator[Quantity]:
    """Yield the numbers between two offsets of a text, with scale and unit, left to right.

    >>> text = "sixty (60) days, or thirty-day terms at $1.2 million"
    >>> [(each.value, each.unit) for each in quantities(text)]
    [(60.0, 'days'), (30.0, 'day'), (1200000.0, 'USD')]
    >>> [(each.value, each.unit) for each in quantities("1 h 15 min, then 2 hours and 5 minutes")]
    [(75.0, 'min'), (125.0, 'minutes')]
    """
    last: Quantity | None = None
    for found in _QUANTITY.finditer(text, start, len(text) if end is None else end):
        scale = (found["scale"] or "").lower()
        value = _number(found["number"].lower()) * _SCALES.get(scale, 1.0)
        each = Quantity(value, _unit(found), *found.span())
        whole = _together(text, last, each) if last is not None else None
        if last is not None and whole is None:
            yield last
        last = whole or each
    if last is not None:
        yield last


def _together(text: str, one: Quantity, other: Quantity) -> Quantity | None:
    """Return a measure in two parts as one in the smaller unit, `1 h 15 min` as 75 min; else None.

    A larger unit behind a smaller one begins another measure, as does the same unit again.
    """
    unit, part = (one.unit or "").lower(), (other.unit or "").lower()
    if not is_part_of(part, unit) or _BETWEEN.fullmatch(text[one.end : other.start]) is None:
        return None
    above = converted(f"{one.value:.12g}", unit, part)
    if above is None:
        return None
    return Quantity(float(above) + other.value, other.unit, one.start, other.end)


def normal_unit(unit: str | None) -> str | None:
    """Return a unit as it is compared: a currency's code, `%`, else the noun's stem."""
    if unit is None:
        return None
    low = unit.lower()
    if low in {"%", "percent", "percentage"}:
        return "%"
    if low in {"dollar", "dollars", "usd", "$"}:
        return "USD"
    if low in {"euro", "euros", "eur"}:
        return "EUR"
    return _CURRENCIES.get(low, stem(low))


def _unit(found: re.Match[str]) -> str | None:
    currency = found["currency"]
    if currency:
        return _CURRENCIES.get(currency.lower(), currency.upper())
    if found["percent"]:
        return "%"
    unit = found["unit"]
    return None if unit is None or unit.lower() in FUNCTION_WORDS else unit


def _number(written: str) -> float:
    if written in _ONES:
        return float(_ONES[written])
    parts = re.split(r"[\s-]", written)
    if parts[0] in _TENS:
        return float(_TENS[parts[0]] + sum(_ONES[part] for part in parts[1:]))
    return float(written.replace(",", ""))
