"""Where a word of degree or of relative time may set a limit, by the values of a field."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from agent.corpus_view import Field
from agent.english import word_set
from agent.predicates import field_number
from agent.question import Comparison
from agent.reasoners.lexical.vocabulary import Test, Vocabulary
from agent.taxonomy import AmbiguityCode

_LESS: Final = word_set("small tiny low short cheap early old")
_MONEY: Final = word_set("expensive cheap costly")
_DATED: Final = word_set("recent recently lately new old early late")
_SHARES: Final = (0.75, 0.5, 0.9)
"""Where the limit of a word of degree is guessed to lie: the upper quarter, half, or tenth."""


@dataclass(frozen=True, slots=True)
class LimitReading:
    """One limit that a word may mean."""

    words: str
    """As a condition that a question can have: `with attendance of at least 1200`."""
    test: Test


@dataclass(frozen=True, slots=True)
class Limit:
    """What a word of degree or time may mean, the likeliest first."""

    code: AmbiguityCode
    field: str
    readings: tuple[LimitReading, ...]


def limit_of(
    word: str,
    fields: Sequence[Field],
    vocabulary: Vocabulary,
    documents: Collection[int],
    *,
    relative: bool,
) -> Limit | None:
    """Return the limits that a word may set on the one field that it can be about; else None.

    Args:
        word: the word or phrase, in lower case.
        fields: those that the documents asked about have.
        vocabulary: the collection's.
        documents: those asked about.
        relative: whether it is about time.
    """
    if relative:
        return _of_time(
            word, [each for each in fields if each.type == "date"], vocabulary, documents
        )
    numbers = [each for each in fields if each.type == "number"]
    if word in _MONEY:
        numbers = [each for each in numbers if vocabulary.is_money(each)]
    if len(numbers) != 1:
        return None
    of = numbers[0]
    values = vocabulary.corpus.field_values(of.name)
    found = sorted(
        number
        for at in documents
        if at in values and (number := field_number(values[at], of.name)) is not None
    )
    if not found:
        return None
    less = word in _LESS
    limits = dict.fromkeys(
        found[min(len(found) - 1, int((1 - share if less else share) * len(found)))]
        for share in _SHARES
    )
    comparison = "at most" if less else "at least"
    readings = (
        LimitReading(
            f"with {of.name} of {comparison} {each:g}",
            Test(of.name, "at_most" if less else "at_least", (f"{each:g}",)),
        )
        for each in limits
    )
    return Limit("A1", of.name, tuple(readings))


def _of_time(
    word: str, fields: Sequence[Field], vocabulary: Vocabulary, documents: Collection[int]
) -> Limit | None:
    """Count back from the newest date there is: nothing else here tells what time it is."""
    if len(fields) != 1:
        return None
    of = fields[0]
    values = vocabulary.corpus.field_values(of.name)
    dates = [date for at in documents if at in values and (date := values[at].date)]
    if not dates:
        return None
    newest = int(max(dates)[:4])
    told: list[tuple[str, Comparison, int]]
    if word.split(maxsplit=1)[0] in {"old", "early"}:
        oldest = int(min(dates)[:4])
        told = [("until", "at_most", year) for year in (oldest + 1, oldest)]
    elif word in _DATED:
        told = [("since", "at_least", year) for year in (newest - 1, newest)]
    else:
        told = [("in", "is", year) for year in (newest - 1, newest)]
    readings = (
        LimitReading(f"with {of.name} {said} {year}", Test(of.name, comparison, (str(year),)))
        for said, comparison, year in told
    )
    return Limit("A2", of.name, tuple(readings))
