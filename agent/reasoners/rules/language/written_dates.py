"""Dates as sentences write them: `31 March 2027`, `March 3rd, 2027`, `2027-03-31`, `in 2027`."""

import calendar
import re
from collections.abc import Iterator
from typing import Final

__all__ = ("MONTHS", "dates_in")

_NUMBERS: Final = {
    name.casefold(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
} | {"sept": 9}
MONTHS: Final = "|".join(
    sorted({*calendar.month_name[1:], *calendar.month_abbr[1:], "Sept"}, key=len, reverse=True)
)
"""The months' names as an alternative of a pattern, the longer first."""
_DATE: Final = re.compile(
    r"\b(?P<iso>[12]\d{3}-\d{2}(?:-\d{2})?)\b"
    rf"|\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+day)?\s+(?:of\s+)?)?(?P<month>{MONTHS})\b\.?"
    r"(?:\s+(?P<late>\d{1,2})(?:st|nd|rd|th)?\b)?,?\s+(?P<year>[12]\d{3})\b"
    r"|(?<![\w.,/-])(?P<bare>(?:19|20)\d{2})(?![\w/-]|[.,]\d)"
)


def dates_in(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[str, int, int]]:
    """Yield the dates between two offsets as ISO dates or prefixes of one, with their spans.

    >>> [date for date, *_ in dates_in("from 1 April 2024 until March 2027, as in 2020")]
    ['2024-04-01', '2027-03', '2020']
    """
    for found in _DATE.finditer(text, start, len(text) if end is None else end):
        yield found["iso"] or found["bare"] or _written(found), *found.span()


def _written(found: re.Match[str]) -> str:
    day = found["day"] or found["late"]
    month = f"{found['year']}-{_NUMBERS[found['month'].casefold()]:02}"
    return f"{month}-{int(day):02}" if day else month
