"""What SQLite lacks, or does in time that a hostile statement could make explode.

SQLite's own LIKE tries every place for every `%`, which is exponential, and its `instr` compares
each place of one text with all of the other; both look at no clock meanwhile.
"""

import re
import sqlite3
import statistics
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from fnmatch import translate
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np

from agent.english import unaccented
from agent.errors import QueryError
from tools.computation import REDUCE
from tools.records.record_values import elapsed

SQLValue = str | bytes | int | float | None
Given = Counter[bool]
"""How many values aggregates were given, by whether they are null."""
_LONG: Final = 10_000
"""Characters of a text from which on a function looks at the clock before it works."""
LONGEST_PATTERN: Final = 250
"""Characters of a pattern; SQLite's own limit does not hold for a function that replaces its."""


class _Collected:
    """An aggregate over all numbers of a group; null for fewer than `least` of them."""

    def __init__(self, reduce: Callable[[Sequence[float]], Any], least: int, given: Given) -> None:
        self._reduce, self._least, self._given = reduce, least, given
        self._numbers: list[float] = []

    def step(self, value: object, /) -> None:
        """Take one value; null and text are left out, as AVG leaves out null."""
        self._given[value is None] += 1
        if isinstance(value, int | float):
            self._numbers.append(value)

    def inverse(self, value: object, /) -> None:
        """Take a value back that a window leaves behind."""
        if isinstance(value, int | float):
            self._numbers.remove(value)

    def value(self) -> float | None:
        """Return the result."""
        return None if len(self._numbers) < self._least else self._reduce(self._numbers)

    finalize = value


def _sum(numbers: Sequence[float]) -> float:
    """Add up; whole numbers come to one, where SQLite has room for it."""
    total: float = REDUCE["sum"](numbers)
    return total if abs(total) < 1 << 63 else float(total)


def folded(text: str) -> str:
    """Return a text in the form in which equal texts are equal: no case, single spaces, NFC."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
        return " ".join(text.split())
    return " ".join(text.lower().split())


def plainly(text: str) -> str:
    """Return a folded text without accents: the form in which a text is what a question says."""
    return unaccented(folded(text))


def like(pattern: str, text: str, escape: str | None = None) -> bool:
    """Tell whether a text is like a pattern of `%` (any characters) and `_` (any one), in any case.

    Raises QueryError: the pattern is longer than 250 characters.
    """
    if len(pattern) > LONGEST_PATTERN:
        raise QueryError("the pattern is too long")
    return _pattern(folded(pattern), escape)(folded(text)) is not None


@lru_cache(maxsize=256)
def _pattern(pattern: str, escape: str | None) -> Callable[[str], re.Match[str] | None]:
    """Return what matches whole texts; each piece between `%` is found as early as can be."""
    shell = ""
    symbols = iter(pattern)
    for symbol in symbols:
        if escape is not None and symbol == escape:
            shell += _literal(next(symbols, symbol))
        else:
            shell += {"%": "*", "_": "?"}.get(symbol) or _literal(symbol)
    return re.compile(translate(shell)).match


def _literal(symbol: str) -> str:
    return f"[{symbol}]" if symbol in "*?[" else symbol


def register_functions(
    connection: sqlite3.Connection, late: Callable[[], bool], given: Given | None = None
) -> None:
    """Give a connection the functions of statements; SQLite's LIKE, instr and sums are replaced.

    `late` tells whether the time is over; it is asked before work on long texts. In `given` sums
    and averages count what they are given.
    """

    def timed(text: str) -> str:
        if len(text) > _LONG and late():
            raise QueryError("the time is over")
        return text

    def fold(value: SQLValue) -> SQLValue:
        return folded(timed(value)) if isinstance(value, str) else value

    def plain(value: SQLValue) -> SQLValue:
        return plainly(timed(value)) if isinstance(value, str) else value

    def like_in_time(pattern: object, text: object, escape: str | None = None) -> bool | None:
        return None if None in (pattern, text) else like(str(pattern), timed(str(text)), escape)

    def instr(text: SQLValue, sought: SQLValue) -> int | None:
        return None if None in (text, sought) else timed(str(text)).find(str(sought)) + 1

    functions: list[tuple[str, int, Callable[..., Any]]] = [
        ("fold", 1, fold),
        ("plain", 1, plain),
        ("like", 2, like_in_time),
        ("like", 3, like_in_time),
        ("instr", 2, instr),
        ("elapsed", 2, elapsed),
    ]
    for name, arguments, function in functions:
        connection.create_function(name, arguments, function, deterministic=True)
    _register_aggregates(connection, Counter() if given is None else given)


def _register_aggregates(connection: sqlite3.Connection, given: Given) -> None:
    aggregates: dict[str, tuple[Callable[[Sequence[float]], Any], int]] = {
        "sum": (_sum, 1),
        "total": (lambda numbers: float(REDUCE["sum"](numbers)), 0),
        "avg": (lambda numbers: float(statistics.mean(numbers)), 1),
        "median": (statistics.median, 1),
        "variance": (partial(np.var, ddof=1), 2),
        "stdev": (partial(np.std, ddof=1), 2),
    }
    for name, (reduce, least) in aggregates.items():
        collecting = partial(_Collected, reduce, least, given)
        connection.create_window_function(name, 1, collecting)
