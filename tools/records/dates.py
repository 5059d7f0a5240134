"""Dates as records hold them: ISO, as precise as they are written."""

import datetime as dt
import re
from collections.abc import Sequence
from typing import Final, Literal

from tools.corpus.fields.literals import parse_date

__all__ = ("DateOrder", "date_order", "read_date")

DateOrder = Literal["day first", "month first"]
_LEAD: Final = re.compile(
    r"(?:(?:in|on|since|from|by|dated|as of|as at|the year|(?:financial|fiscal) year(?: ended)?|"
    r"year ended|circa|ca|about|around|approximately|early|mid|late|fy)(?:\b|(?<=fy)(?=\d))[\s-]*|"
    r"~\s*|c\.\s*)+",
    re.IGNORECASE,
)
_LONGEST: Final = 80
"""Characters of a date at most."""
_VAGUE: Final = re.compile(
    r"(?:c\.|ca\.|circa|about|around|approx|~|early|mid|late)", re.IGNORECASE
)
_NUMERIC: Final = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})")
_COMPACT: Final = re.compile(r"((?:1[5-9]|2[01])\d\d)(\d\d)(\d\d)")
_YEAR: Final = re.compile(r"[12]\d{3}")
"""A year by itself, where a date is wanted and nothing else can be meant."""
_PART: Final = re.compile(
    r"(?:Q[1-4]|H[12]|(?:first|second|third|fourth)\s+(?:quarter|half)|spring|summer|autumn|fall|"
    r"winter|[1-4]Q)\s*(?:of\s+)?[,'/-]?\s*(?P<year>\d{4})|(?P<before>\d{4})[\s/-]*(?:Q[1-4]|H[12])",
    re.IGNORECASE,
)


def date_order(samples: Sequence[str]) -> DateOrder | None:
    """Return the order of day and month that a column's numeric dates show; None if undecided.

    >>> date_order(["03/04/2020", "25/12/2020"]), date_order(["03/04/2020"])
    ('day first', None)
    """
    found = [match for each in samples if (match := _NUMERIC.fullmatch(each.strip()))]
    days = any(int(match[1]) > 12 for match in found)
    months = any(int(match[3]) > 12 for match in found)
    if days == months:
        return None
    return "day first" if days else "month first"


def read_date(text: str, order: DateOrder | None = None) -> tuple[str | None, str]:
    """Return the date that the whole text states, and what is uncertain about it.

    A month or year without a day keeps its precision. Where day and month cannot be told apart
    (`01/02/2020`) and the order is not known, only the year is certain and only the year is
    returned; so it is for quarters and seasons. Clock times and weekdays are dropped. Years of two
    digits, decades and spans of time are no dates; then the second part says why.

    >>> read_date("31 March 2021"), read_date("FY2021")
    (('2021-03-31', ''), ('2021', ''))
    >>> read_date("01/02/2020"), read_date("01/02/2020", "day first")
    (('2020', 'day and month cannot be told apart'), ('2020-02-01', ''))
    """
    if len(text) > _LONGEST:
        return None, f"{text[:_LONGEST]!r}… says more than a date"
    lead = _LEAD.match(text.strip())
    bare = text.strip()[lead.end() if lead else 0 :].strip(" .,;")
    note = "said to be approximate" if _VAGUE.match(text.strip()) else ""
    if known := _year(bare) or _ordered(bare, order) or _compact(bare):
        return known, note
    if part := _PART.fullmatch(bare):
        return part["year"] or part["before"], "only the year of it is a date"
    date = parse_date(bare)
    numeric = _NUMERIC.fullmatch(bare)
    if date is None or (numeric and not _possible(numeric)):
        what = "day" if numeric else "date with a year of four digits"
        return None, f"{text!r} is no {what} of the calendar"
    if len(date) == 4 and numeric:
        note = "day and month cannot be told apart"
    return date, note


def _year(text: str) -> str | None:
    return text if _YEAR.fullmatch(text) else None


def _compact(text: str) -> str | None:
    found = _COMPACT.fullmatch(text)
    return _iso(*found.groups()) if found else None


def _ordered(text: str, order: DateOrder | None) -> str | None:
    found = _NUMERIC.fullmatch(text)
    if found is None or order is None:
        return None
    first, second = (found[1], found[3]) if order == "day first" else (found[3], found[1])
    return _iso(found[4], second, first)


def _possible(found: re.Match[str]) -> bool:
    """Tell whether a numeric date is a day, in one order or the other."""
    first, second, year = found[1], found[3], found[4]
    return any(_iso(year, *order) for order in ((first, second), (second, first)))


def _iso(year: str, month: str, day: str) -> str | None:
    try:
        return dt.date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None
