"""Typed values of metadata: numbers and dates as people write them, and the type of a field."""

import calendar
import datetime as dt
import re
from collections import Counter
from collections.abc import Sequence

from agent.corpus import FieldType, FieldValue

__all__ = ("infer_type", "parse_date", "parse_number")

_TYPED_SHARE = 0.9
_LIST_SHARE = 0.2
_UNITS_A_FIELD = 3

_CURRENCY = r"(?:[A-Z]{1,3})?[$€£¥₹₽₩]|[A-Z]{3}"
_NUMBER = re.compile(
    rf"""
    (?P<open>\()? \s* (?P<sign>[-+−])? \s* (?:{_CURRENCY})? \s* (?P<minus>[-−])?
    (?P<digits>\d+(?:[.,'\u00a0\u202f ]\d+)*) (?P<power>[eE][-+]?\d{{1,3}})?
    \s* (?P<scale>(?:thousand|million|billion|trillion|mn|bn|k|K|M|B)\b)?
    \s* (?P<unit>%|[$€£¥₹₽₩]|[^\W\d_][\w/.²³°-]{{0,14}}|[A-Z]{{2,3}}\ [a-z]{{3,9}})?
    \s* (?P<close>\))?
    """,
    re.VERBOSE,
)
_SCALES = {
    "thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "m": 1e6,
    "billion": 1e9, "bn": 1e9, "b": 1e9, "trillion": 1e12,
}  # fmt: skip
_ENGLISH = re.compile(r"\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?|\d+(?:\.\d+)?")
_CONTINENTAL = re.compile(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|\d+,\d+")
_SPACED = re.compile(r"\d{1,3}(?:[ '\u00a0\u202f]\d{3})+(?:[.,]\d+)?")


def parse_number(text: str) -> float | None:
    """Return the number the whole text states, or None.

    A currency, a unit of one word, a scale word and accountants' brackets are understood; a code
    with leading zeros, a version such as `3.5.1` and a range are not numbers.

    >>> parse_number("1,234.5 USD"), parse_number("(2 million)"), parse_number("0042")
    (1234.5, -2000000.0, None)
    """
    match = _NUMBER.fullmatch(text.strip())
    if match is None or (match["open"] is None) != (match["close"] is None):
        return None
    digits = _plain(match["digits"])
    if digits is None:
        return None
    value = float(digits + (match["power"] or "")) * _SCALES.get((match["scale"] or "").lower(), 1)
    negative = match["open"] or (match["sign"] or match["minus"] or "+") != "+"
    return -value if negative else value


def _plain(digits: str) -> str | None:
    """Return the digits with a decimal point and no grouping; None if they are no number."""
    if re.match(r"0\d", digits):
        return None
    if _ENGLISH.fullmatch(digits):
        return digits.replace(",", "")
    if _CONTINENTAL.fullmatch(digits):
        return digits.replace(".", "").replace(",", ".")
    if _SPACED.fullmatch(digits):
        return re.sub(r"[ '\u00a0\u202f]", "", digits).replace(",", ".")
    return None


_MONTHS = {
    name.lower(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
} | {"sept": 9}
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_MONTH = r"(?P<month>[A-Za-z]{3,9})\.?"
_YEAR = r"(?P<year>\d{4})"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_YEAR}(?:([-/.])(?P<number>\d{{1,2}})(?:\2{_DAY})?)?",
        rf"(?:the\s+)?{_DAY}[\s.-]*(?:day\s+)?(?:of\s+)?{_MONTH}[\s,-]*{_YEAR}",
        rf"{_MONTH}\s*{_DAY}\s*,?\s*{_YEAR}",
        rf"{_MONTH}[\s,-]*{_YEAR}",
        rf"(?P<number>\d{{1,2}})[./-]{_YEAR}",
    )
)
_NUMERIC = re.compile(r"(?P<first>\d{1,2})([./-])(?P<second>\d{1,2})\2(?P<year>\d{4})")
_CLOCK = re.compile(
    r"[\sT,]+(?:at\s+)?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?\s*(?:[AaPp]\.?[Mm]\.?)?"
    r"\s*(?:Z|[A-Z]{2,4}|[+-]\d{2}:?\d{2})?(?:\s*\([A-Z]{2,5}\))?$"
)
_WEEKDAY = re.compile(r"^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\.?,?\s+", re.IGNORECASE)


def parse_date(text: str) -> str | None:
    """Return the date the whole text states as ISO, as precise as it is written, or None.

    A clock time and a weekday are dropped. Where day and month cannot be told apart (`03/04/2014`)
    only the year is certain and only the year is returned; dots mean the day comes first.

    >>> parse_date("29-Sep-2014"), parse_date("Sept. 2014"), parse_date("03/04/2014")
    ('2014-09-29', '2014-09', '2014')
    """
    bare = _WEEKDAY.sub("", _CLOCK.sub("", text.strip()))
    for pattern in _DATES:
        if match := pattern.fullmatch(bare):
            return _named_date(match.groupdict())
    match = _NUMERIC.fullmatch(bare)
    return _numeric_date(match) if match else None


def _named_date(parts: dict[str, str | None]) -> str | None:
    name = (parts.get("month") or "").lower()
    month = _MONTHS.get(name) if name else int(parts.get("number") or 0)
    if month is None:
        return None
    return _iso(int(parts["year"] or 0), month, int(parts.get("day") or 0))


def _numeric_date(match: re.Match[str]) -> str | None:
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    if match[2] == "." or first > 12 or first == second:
        return _iso(year, second, first)
    if second > 12:
        return _iso(year, first, second)
    return _iso(year, 0, 0)


def _iso(year: int, month: int, day: int) -> str | None:
    """Return the ISO form; month or day 0 is unknown; None where the calendar has no such day."""
    if not 1000 <= year <= 2999 or (not month and not 1500 <= year <= 2200):
        return None
    try:
        date = dt.date(year, month or 1, day or 1)
    except ValueError:
        return None
    return date.isoformat()[: 10 if day else 7 if month else 4]


def infer_type(values: Sequence[FieldValue], *, name: str = "") -> FieldType:
    """Return the type that at least nine in ten values have; lists need only two in ten.

    Years alone are dates. Version numbers are text: they are known by a second dot, by a trailing
    zero among fractions of differing width (`3.9`, `3.10`), or by the field's name.
    """
    raws = [value.raw for value in values if value.raw]
    if not raws:
        return "text"
    needed = _TYPED_SHARE * len(raws)
    if sum(parse_date(raw) is not None for raw in raws) >= needed:
        return "date"
    numbers = [raw for raw in raws if parse_number(raw) is not None]
    if len(numbers) >= needed and not _versions(raws, name) and _few_units(numbers):
        return "number"
    several = sum(len(value.items) > 1 for value in values)
    return "list" if several >= _LIST_SHARE * len(raws) else "text"


def _versions(raws: Sequence[str], name: str) -> bool:
    if any(re.fullmatch(r"v?\d+(\.\d+){2,}", raw) for raw in raws):
        return True
    fractions = [raw.partition(".")[2] for raw in raws if re.fullmatch(r"\d+\.\d+", raw)]
    widths = {len(fraction) for fraction in fractions}
    padded = any(len(fraction) > 1 and fraction.endswith("0") for fraction in fractions)
    named = "version" in name.lower() and bool(fractions)
    return named or (len(widths) > 1 and padded)


def _few_units(raws: Sequence[str]) -> bool:
    """Tell whether the words after the numbers are units, not the rest of an address or a title."""
    units = Counter(re.sub(r"[^A-Za-z%°]", "", raw).lower() for raw in raws)
    shared = sum(count for _, count in units.most_common(_UNITS_A_FIELD))
    return shared >= _TYPED_SHARE * len(raws)
