"""Stretches of time with a name of their own: a century, a decade, half a year, a quarter."""

import re
from collections.abc import Sequence
from typing import Final

from agent.reasoners.rules.language.words import Token

__all__ = ("read_period",)

_ORDINALS: Final = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4,
    "last": 0,
}  # fmt: skip
_LEADING: Final = frozenset({"in", "during", "from", "of", "within", "the"})
_MONTHS_OF: Final = {"half": 6, "quarter": 3}


def read_period(tokens: Sequence[Token], at: int) -> tuple[str, str, int] | None:
    """Return first and last date of the period named at the token `at`, and where it ends.

    The dates are years or months in ISO form, both inclusive; the 18th century is 1701 to 1800.

    >>> from agent.reasoners.rules.language.words import tokenize
    >>> read_period(tokenize("in the second half of 2020"), 0)
    ('2020-07', '2020-12', 6)
    >>> read_period(tokenize("in the 1990s"), 0)
    ('1990', '1999', 3)
    """
    start = at
    low = [token.low for token in tokens]
    while start < len(low) and low[start] in _LEADING:
        start += 1
    return _century(low, start) or _decade(low, start) or _part_of_year(low, start)


def _century(low: Sequence[str], at: int) -> tuple[str, str, int] | None:
    if low[at + 1 : at + 2] not in (["century"], ["centuries"]):
        return None
    number = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)", low[at])
    if number is None or not 11 <= int(number.group(1)) <= 22:
        return None
    last = 100 * int(number.group(1))
    return str(last - 99), str(last), at + 2


def _decade(low: Sequence[str], at: int) -> tuple[str, str, int] | None:
    if at >= len(low) or not re.fullmatch(r"[12]\d\d0['’]?s", low[at]):
        return None
    first = int(low[at][:4])
    return str(first), str(first + (99 if first % 100 == 0 and first < 2000 else 9)), at + 1


def _part_of_year(low: Sequence[str], at: int) -> tuple[str, str, int] | None:
    """Read `first half of 2020`, `third quarter of 2021`, `Q3 2021`."""
    if at >= len(low):
        return None
    short = re.fullmatch(r"q([1-4])", low[at])
    named = at + 1 < len(low) and low[at] in _ORDINALS and low[at + 1] in _MONTHS_OF
    if not short and not named:
        return None
    months = 3 if short else _MONTHS_OF[low[at + 1]]
    number = int(short.group(1)) if short else _ORDINALS[low[at]] or 12 // months
    end = at + 1 if short else at + 2
    while end < len(low) and low[end] in {"of", "in", "the", "year", ","}:
        end += 1
    if number * months > 12 or end >= len(low) or not re.fullmatch(r"[12]\d{3}", low[end]):
        return None
    first, last = f"{months * (number - 1) + 1:02}", f"{months * number:02}"
    return f"{low[end]}-{first}", f"{low[end]}-{last}", end + 1
