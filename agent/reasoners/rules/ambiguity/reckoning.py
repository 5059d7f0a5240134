"""Times reckoned back from the latest date of the collection: `the last 3 years`."""

import re
from datetime import date, timedelta
from typing import Final

from agent.corpus import CorpusView
from agent.reasoners.rules.language.words import NUMBER_WORDS
from agent.reasoners.rules.reading.labels import Labels
from agent.reasoners.rules.reading.roles import best_date

__all__ = ("back", "latest_date", "reckoned")

_LAST: Final = re.compile(
    r"\b(?:(?:in|over|within|during|from|for) )?(?:the )?(?:last|past|previous|latest) "
    r"(?:(?P<number>\d+|[a-z]+) )?(?P<unit>year|month|week|day)s?\b",
    re.IGNORECASE,
)
_ALONE: Final = re.compile(
    r"^\W*(?P<number>\d{1,3}|[a-z]+) (?P<unit>year|month|week|day)s?\W*$", re.IGNORECASE
)


def reckoned(said: str, corpus: CorpusView) -> str:
    """Return words with a stretch of time before now as one on or after a date.

    Documents do not know today's date: the latest one of the field that dates them stands for it.
    """
    found = _LAST.search(said) or _ALONE.match(said)
    latest = latest_date(corpus)
    if found is None or latest is None:
        return said
    number = _number(found["number"])
    if number is None:
        return said
    start = back(latest, number, found["unit"].casefold())
    return f"{said[: found.start()]}on or after {start}{said[found.end() :]}".strip()


def latest_date(corpus: CorpusView) -> str | None:
    """Return the latest date of the field that dates the documents, in ISO form."""
    field, _ = best_date(Labels.of(corpus).fields)
    values = corpus.field_values(field.name).values() if field is not None else ()
    return max((value.date for value in values if value.date), default=None)


def back(latest: str, number: int, unit: str = "year") -> str:
    """Return the date so long before another, as precise as that one.

    >>> back("2024-02-29", 1), back("2024", 3), back("2024-03-15", 4, "month")
    ('2023-02-28', '2021', '2023-11-15')
    """
    parts = [int(part) for part in latest.split("-")]
    day = date(*[*parts, 1, 1][:3])
    if unit in {"week", "day"}:
        day -= timedelta(days=number * (7 if unit == "week" else 1))
    else:
        months = 12 * day.year + day.month - 1 - number * (12 if unit == "year" else 1)
        day = _on(months // 12, months % 12 + 1, day.day)
    return day.isoformat()[: len(latest)]


def _on(year: int, month: int, day: int) -> date:
    """Return that day of the month, or the month's last one."""
    while True:
        try:
            return date(year, month, day)
        except ValueError:
            day -= 1


def _number(word: str | None) -> int | None:
    if word is None:
        return 1
    return int(word) if word.isdigit() else NUMBER_WORDS.get(word.casefold())
