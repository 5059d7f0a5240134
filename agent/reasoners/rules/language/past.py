"""Stretches of time that end now: `the last 3 years`, `the past decade`, and dates so long ago."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from agent.reasoners.rules.language.words import NUMBER_WORDS, Token, low_at, singular

__all__ = ("Past", "back", "read_past")

_LEADING: Final = frozenset({"in", "over", "within", "during", "from", "since", "of"})
_ENDING: Final = frozenset({"last", "past", "previous", "preceding"})
_MONTHS: Final = {"decade": 120, "year": 12, "quarter": 3, "month": 1}
_DAYS: Final = {"fortnight": 14, "week": 7, "day": 1}


@dataclass(frozen=True, slots=True)
class Past:
    """So many units of time before now."""

    number: int
    unit: str


def read_past(tokens: Sequence[Token], at: int) -> tuple[Past, int] | None:
    """Read a stretch of time that begins at the token `at`, and where it ends; else None.

    `last year` without an article is the calendar year before, and no stretch up to now.

    >>> from agent.reasoners.rules.language.words import tokenize
    >>> read_past(tokenize("in the last three years"), 0)
    (Past(number=3, unit='year'), 5)
    >>> read_past(tokenize("over the past decade"), 0)
    (Past(number=1, unit='decade'), 4)
    >>> read_past(tokenize("last year"), 0) is None
    True
    """
    start = at + 1 if low_at(tokens, at) in _LEADING else at
    article = low_at(tokens, start) in {"the", "these", "our"}
    start += article
    if low_at(tokens, start) not in _ENDING:
        return None
    number = _number(low_at(tokens, start + 1))
    if number is None and not article:
        return None
    end = start + 1 if number is None else start + 2
    unit = singular(low_at(tokens, end))
    plural = low_at(tokens, end) != unit
    if unit not in _MONTHS | _DAYS or (number is None and plural):
        return None
    return Past(number or 1, unit), end + 1


def back(latest: str, number: int, unit: str = "year") -> str:
    """Return the date so long before another, as precise as that one; the year 1 is the first.

    >>> back("2024-02-29", 1), back("2024", 3), back("2024-03-15", 4, "month")
    ('2023-02-28', '2021', '2023-11-15')
    """
    parts = [int(part) for part in latest.split("-")]
    day = date(*[*parts, 1, 1][:3])
    if unit in _DAYS:
        day -= timedelta(days=min(number * _DAYS[unit], day.toordinal() - 1))
    else:
        months = max(12 * day.year + day.month - 1 - number * _MONTHS[unit], 12)
        day = _on(months // 12, months % 12 + 1, day.day)
    return day.isoformat()[: len(latest)]


def _on(year: int, month: int, day: int) -> date:
    """Return that day of the month, or the month's last one."""
    while True:
        try:
            return date(year, month, day)
        except ValueError:
            day -= 1


def _number(word: str) -> int | None:
    return int(word) if word.isdigit() and len(word) < 4 else NUMBER_WORDS.get(word)
