"""What SQLite lacks, or does in time that a hostile statement could make explode.

`fold` and `plain` compare text without case and accents; `median`, `variance` and `stdev`
aggregate, and sums and averages are exact. SQLite's own LIKE tries every place for every `%`, which
is exponential, and its `instr` compares each place of one text with all of the other; both look at
no clock meanwhile. These take time that grows with the sum of the lengths.
"""

import re
import sqlite3
import statistics
import unicodedata
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from fnmatch import translate
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np

from agent.english import unaccented
from agent.errors import QueryError
from tools.records.record_values import elapsed

SQLValue = str | bytes | int | float | None
Given = Counter[bool]
"""How many values aggregates were given, by whether they are null."""
_LONG: Final = 10_000
"""Characters of a text from which on a function looks at the clock before it works."""
_PARTS: Final = 1 << 1074
"""Of one: the smallest float above zero is one such part."""
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
        self._numbers = array("d")

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
        few = len(self._numbers) < self._least
        return None if few else float(self._reduce(self._numbers))

    finalize = value


class _Sum:
    """The exact sum of a group's numbers, or their mean, rounded once; null and text are left out.

    A float is a whole number of 2^-1074: so many of them are counted, whatever the order.
    """

    def __init__(self, given: Given, *, mean: bool = False, empty: float | None = None) -> None:
        self._given, self._mean, self._empty = given, mean, empty
        self._parts = self._numbers = self._floats = 0

    def step(self, value: object, /) -> None:
        """Take one value."""
        self._given[value is None] += 1
        self._count(value, 1)

    def inverse(self, value: object, /) -> None:
        """Take a value back that a window leaves behind."""
        self._count(value, -1)

    def _count(self, value: object, times: int) -> None:
        if isinstance(value, int | float):
            over, under = value.as_integer_ratio()
            self._parts += times * over * (_PARTS // under)
            self._numbers += times
            self._floats += times * isinstance(value, float)

    def value(self) -> float | None:
        """Return the result; a sum of whole numbers is one, where SQLite has room for it."""
        if not self._numbers:
            return self._empty
        if self._mean:
            return self._parts / (_PARTS * self._numbers)
        whole = not self._floats and abs(self._parts) < _PARTS << 63
        return self._parts // _PARTS if whole else self._parts / _PARTS

    finalize = value


def folded(text: str) -> str:
    """Return a text in the form in which equal texts are equal: no case, single spaces, NFC.

    >>> folded("  Straße   DES 17. Juni") == folded("STRASSE des 17. juni")
    True
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
        return " ".join(text.split())
    return " ".join(text.lower().split())


def plainly(text: str) -> str:
    """Return a folded text without accents: the form in which a text is what a question says.

    >>> plainly("ZÜRICH"), plainly("Zurich")
    ('zurich', 'zurich')
    """
    return unaccented(folded(text))


def like(pattern: object, text: object, escape: str | None = None) -> bool | None:
    """Tell whether a text is like a pattern of `%` (any characters) and `_` (any one), in any case.

    >>> like("%café", "Grand CAFÉ"), like("_og", "dog"), like("d_", "dog"), like("%", None)
    (True, True, False, None)

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
    aggregates: dict[str, Callable[[Given], Any]] = {
        "sum": _Sum,
        "total": partial(_Sum, empty=0.0),
        "avg": partial(_Sum, mean=True),
        "median": partial(_Collected, statistics.median, 1),
        "variance": partial(_Collected, partial(np.var, ddof=1), 2),
        "stdev": partial(_Collected, partial(np.std, ddof=1), 2),
    }
    for name, aggregate in aggregates.items():
        counting = partial(aggregate, Counter() if given is None else given)
        connection.create_window_function(name, 1, counting)
    return texts
