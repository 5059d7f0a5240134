"""What values as written look like: their common type and unit."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from agent.reasoners.rules.judging.quantity import quantities
from agent.reasoners.rules.language.units import converted, is_unit
from agent.reasoners.rules.language.written_dates import MONTHS
from agent.records.record_schema import AttributeType, are_versions

__all__ = ("Shape", "common_shape", "is_absent", "shape_of", "unit_named")

Shape = tuple[AttributeType, str | None]
"""A type, and a unit where one is written."""

_UNSTATED: Final = "n/a na nil none null nan unknown unspecified tbd tba - – — ?"
_ABSENT: Final = frozenset(
    {*_UNSTATED.split(), "not available", "not applicable", "not known", "not stated"}
)
"""How a value is written that is not there, without case."""
_SHARE: Final = 0.8
"""The share of the values that must be of one type; the others then are none, and that is said."""
_SURE: Final = 0.95
"""The share where others are codes: `12b` says of house numbers that they are no numbers."""
_FEW: Final = 4
"""Values of which one alone may not be of another type."""
_CODE: Final = re.compile(r"(?=\S*\d)[\w./#+<>=~^-]+|[\d.]+(?:\s?[,;/]\s?[\d.]+)+")
_MOSTLY: Final = 0.8
_CODES: Final = (
    "USD EUR GBP JPY CHF CNY INR CAD AUD NZD SEK NOK DKK PLN CZK HUF BRL MXN ZAR KRW TRY"
)
_CURRENCIES: Final = frozenset(_CODES.split())
_CURRENCY: Final = rf"US\$|[$€£¥₹]|(?:{'|'.join(_CODES.split())})(?=\s?[\d(-])"
_SYMBOLS: Final = {"$": "USD", "us$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}
_NUMBER: Final = re.compile(
    rf"(?P<sign>[-−+(]?)\s?(?P<currency>{_CURRENCY})?\s?[-−]?"
    r"(?P<digits>\d{1,3}(?:[,’' ]\d{3})+|\d+)(?P<fraction>[.,]\d+)?\)?"
    r"(?:\s?(?P<scale>[kKM]|(?(currency)m|(?!))|bn|mn|thousand|million|billion|trillion)"
    r"(?![\w²³/]))?"
    r"(?:\s?(?P<percent>%|percent|per cent)|\s?(?P<of>(?:/|out of)\s?\d+)"
    r"|[\s-]?(?P<unit>[€$£]|[^\W\d_][^\d,;:()]{0,23}|[°µμΩ′″‰][^\W\d_]{0,3}))?"
)
_DATE: Final = re.compile(
    r"\d{4}-\d{1,2}(?:-\d{1,2})?(?:[T ]\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?"
    r"|\d{4}/\d{1,2}/\d{1,2}|\d{1,2}(?P<mark>[./])\d{1,2}(?P=mark)(?:\d{4}|\d{2})"
    rf"|(?:[A-Z][a-z]{{2,8}},\s|the\s)?(?:\d{{1,2}}(?:st|nd|rd|th)?[\s-](?:of\s)?)?(?:{MONTHS})\.?"
    r"(?:[\s-]\d{1,2}(?:st|nd|rd|th)?\b)?,?[\s-]\d{4}(?:,?\s\d{1,2}:\d{2}(?::\d{2})?)?",
    re.IGNORECASE,
)
_LIKE: Final[Mapping[AttributeType, frozenset[AttributeType]]] = {
    "date": frozenset({"date", "integer"}),
    "number": frozenset({"integer", "number"}),
}
_TRUTHS: Final = (frozenset({"yes", "no"}), frozenset({"true", "false"}), frozenset({"t", "f"}),
                  frozenset({"y", "n"}))  # fmt: skip
_MONEY: Final = {
    **dict.fromkeys(("dollar", "dollars", "us dollar", "us dollars", "u.s. dollars"), "USD"),
    **dict.fromkeys(("euro", "euros"), "EUR"),
} | {code.casefold(): code for code in _CODES.split()}
_NOT_THERE: Final = re.compile(r"not (?:yet )?\w+(?:ed|en|able|wn)")
_DIGIT: Final = re.compile(r"\d")
_LONGEST_SPELLED: Final = 40
_MOST_DIGITS: Final = 15
_OVERLONG: Final = re.compile(rf"[-−+]?[1-9]\d{{{_MOST_DIGITS},}}")


@lru_cache(maxsize=65536)
def shape_of(value: str) -> Shape:
    """Return the type that one value looks like, and its unit.

    Digits behind a leading zero, or more than 15 of them, are a code and no number.

    >>> shape_of("$1,200"), shape_of("12 kg"), shape_of("08996"), shape_of("3 March 2021")
    (('integer', 'USD'), ('integer', 'kg'), ('text', None), ('date', None))
    """
    bare = value.strip()
    if _DATE.fullmatch(bare):
        return "date", None
    if any(bare.casefold() in truth for truth in _TRUTHS):
        return "boolean", None
    if _is_spelled(bare):
        return "integer", None
    found = _NUMBER.fullmatch(bare)
    if found is None or _is_code(found):
        return "text", None
    return ("number" if _has_fraction(found) else "integer"), _unit(found)


def is_absent(value: str) -> bool:
    """Tell whether a value says that there is none: `n/a`, `-`, `not disclosed`."""
    bare = value.strip().casefold()
    return bare in _ABSENT or _NOT_THERE.fullmatch(bare) is not None


def unit_named(unit: str) -> str:
    """Return a unit as a schema writes it: a currency by its code.

    >>> unit_named("US dollars"), unit_named("weeks")
    ('USD', 'weeks')
    """
    return _MONEY.get(unit.casefold(), unit)


def common_shape(values: Sequence[str]) -> Shape:
    """Return the type that nearly all values share, and the unit that most of them bear.

    Values that say that there is none are not counted. One value in five may be of another type and
    is then no value; where it is a code, or there are few values, one in twenty. A number too long
    to be one, alone among shorter ones, is that. True and false must both be written in one way.
    Versions are text.

    >>> common_shape(["120", "85", "12345678901234567890"]), common_shape(["12345678901234567890"])
    (('integer', None), ('text', None))
    """
    stated = [value for value in values if not is_absent(value)]
    shapes = [shape_of(value) for value in stated]
    counts = Counter(kind for kind, _ in shapes)
    if not shapes:
        return "text", None
    if counts["boolean"] == len(shapes):
        seen = {value.strip().casefold() for value in stated}
        return ("boolean" if any(seen <= truth for truth in _TRUTHS) else "text"), None
    dates = counts["date"] + _years(stated) if counts["date"] else 0
    if dates and dates >= _least(stated, "date"):
        return "date", None
    numbers = counts["integer"] + counts["number"]
    numbers += _overlong(stated, numbers)
    if numbers < _least(stated, "number") or (counts["number"] and are_versions(stated)):
        return "text", None
    return _of_numbers(shapes, counts)


def _least(values: Sequence[str], wanted: AttributeType) -> float:
    """Return how many of the values must be of a type for it to be theirs."""
    odd = (value for value in values if shape_of(value)[0] not in _LIKE[wanted])
    strict = len(values) <= _FEW or any(_CODE.fullmatch(value.strip()) for value in odd)
    return (_SURE if strict else _SHARE) * len(values)


def _of_numbers(shapes: Sequence[Shape], counts: Counter[AttributeType]) -> Shape:
    """Return the type of numbers; where they bear words too unlike to be units, text.

    Amounts in several currencies are numbers without a unit. Whole numbers in a smaller unit than
    the common one are no longer whole once they are converted.
    """
    units = Counter(unit for kind, unit in shapes if kind in {"integer", "number"})
    named = Counter({unit: count for unit, count in units.items() if unit})
    common = named.most_common(1)[0][0] if 2 * named.total() >= units.total() else None
    if common and _convertible(named, common) < _MOSTLY * named.total():
        if not named.keys() <= _CURRENCIES:
            return "text", None
        common = None
    whole = not counts["number"] and common != "%" and not (common and _breaks(named, common))
    return ("integer" if whole else "number"), common


def _convertible(units: Counter[str], common: str) -> int:
    """Return how many values bear the common unit or one that converts to it: days to weeks."""
    return sum(
        count
        for unit, count in units.items()
        if unit == common or _factor(unit, common) is not None
    )


def _breaks(units: Iterable[str], common: str) -> bool:
    """Tell whether whole numbers in some of the units are fractions in the common one."""
    factors = (_factor(unit, common) for unit in units)
    return any(each is not None and not float(each).is_integer() for each in factors)


def _factor(unit: str, common: str) -> str | None:
    return converted("1", unit.casefold(), common.casefold())


def _is_spelled(value: str) -> bool:
    """Tell whether a value is a number in words: `eighty-seven`."""
    if not value[:1].isalpha() or len(value) > _LONGEST_SPELLED or _DIGIT.search(value):
        return False
    found = list(quantities(value))
    return len(found) == 1 and (found[0].start, found[0].end) == (0, len(value))


def _years(values: Sequence[str]) -> int:
    return sum(re.fullmatch(r"[12]\d{3}", value.strip()) is not None for value in values)


def _overlong(values: Sequence[str], numbers: int) -> int:
    """Return how many values are digits too many for a number, where nearly all others are ones."""
    long = sum(_OVERLONG.fullmatch(value.strip()) is not None for value in values)
    return long if long < numbers and long <= max(1, (1 - _SHARE) * len(values)) else 0


def _is_code(found: re.Match[str]) -> bool:
    digits, unit = found["digits"], found["unit"]
    if unit and len(unit) == 1 and unit.isascii() and found.group()[-2].isdigit():
        return not (is_unit(unit) or unit == "$")
    if found["sign"] == "(" and not found.group().endswith(")"):
        return True
    return len(digits) > _MOST_DIGITS or (len(digits) > 1 and digits[0] == "0")


def _has_fraction(found: re.Match[str]) -> bool:
    return bool(found["percent"]) or (bool(found["fraction"]) and not found["scale"])


def _unit(found: re.Match[str]) -> str | None:
    if found["percent"]:
        return "%"
    currency = found["currency"]
    if currency:
        return _SYMBOLS.get(currency.casefold(), currency)
    if found["of"]:
        return "/" + found["of"].removeprefix("out of").strip("/ ")
    unit = (found["unit"] or "").strip()
    return _SYMBOLS.get(unit) or unit_named(unit) or None
