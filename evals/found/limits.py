"""What `many`, `high`, `recent` and `early` may mean: limits from a collection's own values."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from evals.drawn.field import Amount, DateForm, Dates, Listing
from evals.found.column import Column
from evals.found.labels import COMMON, FEWEST

__all__ = ("amounts", "dates", "listings")

_HIGH: Final = (0.5, 0.6, 0.7, 0.8)
"""Shares of the documents below a high amount; the stricter reading lies so much above."""
_STRICTER: Final = 0.15
_MANY: Final = 0.5
"""Share of the documents that have many items, at most."""
_EDGE: Final = (0.02, 0.3)
"""Share of the documents that are early, from and to; so many are recent."""
_LIMITS: Final = 4
"""So many limits to draw from."""


def listings(columns: Sequence[Column]) -> Iterator[Listing]:
    """Yield the fields with lists of names, and what many of them are."""
    for column in columns:
        if column.field.type != "list" or not column.noun or _measures(column):
            continue
        sizes = sorted(len(each) for each in column.labels.values())
        least = [
            (few, few + 2)
            for few in range(2, sizes[-1])
            if _from(sizes, few) <= _MANY * column.documents and _from(sizes, few + 2) >= FEWEST
        ]
        if least:
            yield Listing(name=column.name, many=_plural(column.name), least=least[:_LIMITS])


def amounts(columns: Sequence[Column]) -> Iterator[Amount]:
    """Yield the fields of numbers, and what is high; a number of each document's own is a name."""
    for column in columns:
        numbers = sorted(column.numbers.values())
        if not _sizes(column) or _names(numbers):
            continue
        limits = [
            (_round(_at(numbers, share)), _round(_at(numbers, share + _STRICTER)))
            for share in _HIGH
        ]
        rising = [(low, high) for low, high in dict.fromkeys(limits) if low < high]
        if rising:
            yield Amount(name=column.name, least=rising)


def dates(columns: Sequence[Column]) -> tuple[Column, Dates] | None:
    """Return the most widespread field of dates, and what is recent and early; None for none."""
    dated = [each for each in columns if each.field.type == "date"]
    for column in sorted(dated, key=lambda each: -len(each.years)):
        found = _dates(column)
        if found is not None:
            return column, found
    return None


def _dates(column: Column) -> Dates | None:
    years = sorted(column.years.values())
    first, last = (share * len(years) for share in _EDGE)
    span = range(years[0], years[-1] + 1) if years else range(0)
    near = [year for year in span if first <= _from(years, year) <= last][::-1]
    far = [year for year in span if first <= bisect_left(years, year) <= last]
    often = [year for year, documents in sorted(Counter(years).items()) if documents >= FEWEST]
    if not (near and far and often):
        return None
    return Dates(
        name=column.name,
        form=_form(column.name),
        recent=tuple((year, year - 2) for year in near[:_LIMITS]),
        early=tuple((year, year + 3) for year in far[:_LIMITS]),
        since=near[:_LIMITS],
        within=often,
        past=often,
    )


def _form(name: str) -> DateForm:
    if name in {"date", "year"}:
        return "bare"
    return "participle" if " " not in name and name.endswith("ed") else "noun"


def _sizes(column: Column) -> bool:
    """Tell whether a field is of numbers, and said of more than a few documents."""
    return column.field.type == "number" and column.noun and column.share >= COMMON


def _measures(column: Column) -> bool:
    """Tell whether items are numbers or dates rather than names."""
    items = [item for item, _ in column.field.values]
    return sum(item[0].isdigit() for item in items) > len(items) / 2


def _names(numbers: Sequence[float]) -> bool:
    """Tell whether whole numbers tell documents apart."""
    return len(set(numbers)) == len(numbers) and all(each.is_integer() for each in numbers)


def _from(values: Sequence[int], least: int) -> int:
    """Return how many values, which rise, are so large."""
    return len(values) - bisect_left(values, least)


def _at(numbers: Sequence[float], share: float) -> float:
    return numbers[min(int(share * len(numbers)), len(numbers) - 1)]


def _round(number: float) -> float:
    """Return a number as people say it, to two digits."""
    return float(f"{number:.2g}")


def _plural(noun: str) -> str:
    """Return the plural of a regular noun; what ends as one is one.

    >>> _plural("author"), _plural("authors"), _plural("category")
    ('authors', 'authors', 'categories')
    """
    if noun.endswith("s"):
        return noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("x", "z", "ch", "sh")) else f"{noun}s"
