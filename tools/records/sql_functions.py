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
_LONGEST_PATTERN: Final = 250
"""Characters of a pattern; SQLite's own limit does not hold for a function that replaces its."""


class _TextFunctions:
    """The functions of text for one statement: they take up long texts until its time is over."""

    def __init__(self, late: Callable[[], bool]) -> None:
        self._late = late
        self.failure: QueryError | None = None
        """Why a function failed: SQLite says only that one did."""

    def fold(self, value: SQLValue) -> SQLValue:
        """Fold a value; what is no text stays as it is."""
        return folded(self._in_time(value)) if isinstance(value, str) else value

    def plain(self, value: SQLValue) -> SQLValue:
        """Fold a value and leave out its accents."""
        return plainly(self._in_time(value)) if isinstance(value, str) else value

    def like(self, pattern: object, text: object, escape: str | None = None) -> bool | None:
        """Tell whether a text is like a pattern."""
        if isinstance(text, str):
            self._in_time(text)
        try:
            return like(pattern, text, escape)
        except QueryError as error:
            self.failure = error
            raise

    def instr(self, text: SQLValue, sought: SQLValue) -> int | None:
        """Return where a text first stands in another, from 1; 0 where it does not."""
        if text is None or sought is None:
            return None
        return self._in_time(str(text)).find(str(sought)) + 1

    def _in_time(self, text: str) -> str:
        if len(text) > _LONG and self._late():
            raise QueryError("the time is over")
        return text


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


def like(pattern: object, text: object, escape: str | None = None) -> bool | None:
    """Tell whether a text is like a pattern of `%` (any characters) and `_` (any one), in any case.

    Raises QueryError: the pattern is longer than 250 characters.
    """
    if pattern is None or text is None:
        return None
    if len(str(pattern)) > _LONGEST_PATTERN:
        raise QueryError(f"a pattern of LIKE has at most {_LONGEST_PATTERN} characters; shorten it")
    return _pattern(folded(str(pattern)), escape)(folded(str(text))) is not None


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
) -> _TextFunctions:
    """Give a connection the functions of statements; SQLite's LIKE, instr and sums are replaced.

    `late` tells whether the time is over; it is asked before work on long texts. In `given` sums
    and averages count what they are given.
    """
    texts = _TextFunctions(late)
    functions: list[tuple[str, int, Callable[..., Any]]] = [
        ("fold", 1, texts.fold),
        ("plain", 1, texts.plain),
        ("like", 2, texts.like),
        ("like", 3, texts.like),
        ("instr", 2, texts.instr),
        ("elapsed", 2, elapsed),
    ]
    for name, arguments, function in functions:
        connection.create_function(name, arguments, function, deterministic=True)
    aggregates: dict[str, tuple[Callable[[Sequence[float]], Any], int]] = {
        "sum": (_sum, 1),
        "total": (lambda numbers: float(REDUCE["sum"](numbers)), 0),
        "avg": (lambda numbers: float(statistics.mean(numbers)), 1),
        "median": (statistics.median, 1),
        "variance": (partial(np.var, ddof=1), 2),
        "stdev": (partial(np.std, ddof=1), 2),
    }
    counts = Counter[bool]() if given is None else given
    for name, (reduce, least) in aggregates.items():
        collecting = partial(_Collected, reduce, least, counts)
        connection.create_window_function(name, 1, collecting)
    return texts
