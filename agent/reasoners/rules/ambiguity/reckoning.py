"""Times reckoned back from the latest date of the collection: `the last 3 years`."""

import re
from typing import Final

from agent.corpus_view import CorpusView
from agent.reasoners.rules.language.past import back
from agent.reasoners.rules.language.words import NUMBER_WORDS
from agent.reasoners.rules.reading.labels import Labels
from agent.reasoners.rules.reading.roles import best_date

__all__ = ("latest_date", "reckoned")

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


def _number(word: str | None) -> int | None:
    if word is None:
        return 1
    return int(word) if word.isdigit() else NUMBER_WORDS.get(word.casefold())
