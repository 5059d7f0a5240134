"""Whether the first row of a table names its columns or is one of its rows."""

import itertools
from collections.abc import Sequence
from typing import Literal

from tools.corpus.fields.literals import parse_date, parse_number

__all__ = ("is_data",)

_FEWEST_ROWS = 2
_DAY_LENGTH = len("2024-01-31")

_Type = Literal["number", "date", "year", "text"]


def is_data(first: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first row surely holds values like those below it, and no names.

    It does where a number or a whole date stands above nothing but its like, and no column of
    numbers or dates has another type on top. Years and numbers that rise from column to column
    may well be names, and are no sign alone.

    >>> is_data(["Ann", "61.5"], [["Bob", "70"], ["Cid", "58"]])
    True
    >>> is_data(["City", "2023"], [["Oslo", "70"], ["Bergen", "58"]])
    False
    """
    tops = [_type(cell) for cell in first]
    below = [_common([row[at] for row in rows if at < len(row)]) for at in range(len(first))]
    if any(kind not in {"text", None, top} for top, kind in zip(tops, below, strict=True)):
        return False
    alike = [at for at, top in enumerate(tops) if top == below[at]]
    numbers = [at for at in alike if tops[at] == "number"]
    dates = any(tops[at] == "date" for at in alike)
    return dates or (bool(numbers) and not _rise(first, numbers))


def _type(cell: str) -> _Type:
    date = parse_date(cell)
    if date is not None:
        return "date" if len(date) == _DAY_LENGTH else "year"
    bare = not any(map(str.isalpha, cell))
    return "number" if bare and parse_number(cell) is not None else "text"


def _common(cells: Sequence[str]) -> _Type | None:
    """Return the one type of the filled cells; text for several types; None for too few cells."""
    types = [_type(cell) for cell in cells if cell.strip()]
    if len(types) < _FEWEST_ROWS:
        return None
    return types[0] if len(set(types)) == 1 else "text"


def _rise(first: Sequence[str], columns: Sequence[int]) -> bool:
    """Tell whether these are several neighbouring columns topped by ever larger numbers."""
    tops = [parse_number(first[at]) or 0.0 for at in columns]
    neighbours = all(right - left == 1 for left, right in itertools.pairwise(columns))
    rising = all(left < right for left, right in itertools.pairwise(tops))
    return len(columns) > 1 and neighbours and rising
