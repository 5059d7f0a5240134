"""Which fields of a found collection are categories, and which values stand before the noun."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from evals.drawn.field import ANY, Category
from evals.found.column import Column
from evals.wording import FUNCTION_WORDS

__all__ = ("COMMON", "FEWEST", "categories", "crossed", "pairs")

FEWEST: Final = 3
"""Documents that a value is asked for of, at least."""
_SHARED: Final = 8
"""Documents a value, on the average, from which on values sort rather than name."""
COMMON: Final = 0.1
"""Share of the documents that have the field, at least."""
_VALUE = re.compile(r"[\w.+-]+(?: [\w.+-]+){,2}")
"""A value of up to three words."""
_ADJECTIVE = re.compile(r"[^\W\d_]{3,}(?: [^\W\d_]{3,})?")


def categories(columns: Sequence[Column]) -> Iterator[Category]:
    """Yield the fields whose few values each sort several documents, with those values."""
    for column in columns:
        field = column.field
        if field.type not in {"text", "list"} or column.share < COMMON:
            continue
        values = tuple(
            value
            for value, documents in field.values
            if FEWEST <= documents < column.documents and _VALUE.fullmatch(value)
        )
        if len(values) > 1 and field.documents >= _SHARED * field.distinct:
            adjectives = tuple(filter(_is_adjective, values))
            yield Category(name=column.name, values=values, adjectives=adjectives)


def pairs(found: Sequence[Category]) -> tuple[tuple[Category, Category], ...]:
    """Return two categories each in their order; ANY where there are no two."""
    if len(found) > 1:
        return tuple(combinations(found, 2))
    return ((found[0] if found else ANY, ANY),)


def crossed(found: Sequence[Category]) -> tuple[tuple[Category, Category], ...]:
    """Return the pairs of which the first has an adjective, and the second two."""
    return tuple(
        (far, near)
        for far, near in combinations(found, 2)
        if far.adjectives and len(near.adjectives) > 1
    )


def _is_adjective(value: str) -> bool:
    """Tell whether a value may stand before a noun, as far as its form tells."""
    known = FUNCTION_WORDS.isdisjoint(value.casefold().split())
    return known and _ADJECTIVE.fullmatch(value) is not None
