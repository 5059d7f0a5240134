"""What SQLite lacks, as functions of a connection: fold, like, median, variance, stdev."""

import sqlite3
import statistics
import unicodedata
from array import array
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from agent.accents import unaccented
from agent.errors import QueryError

__all__ = (
    "BoundedText",
    "Median",
    "StandardDeviation",
    "TextFunctions",
    "Variance",
    "fold",
    "folded",
    "like",
    "plain",
    "plainly",
    "register_functions",
)

SQLValue = str | bytes | int | float | None


def folded(text: str) -> str:
    """Return a text in the form in which equal texts are equal.

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


def fold(value: SQLValue) -> SQLValue:
    """Fold a value of a cell as the SQL function `fold`; what is no text stays as it is."""
    return folded(value) if isinstance(value, str) else value


def plain(value: SQLValue) -> SQLValue:
    """Fold a value and leave out its accents, as the SQL function `plain`."""
    return plainly(value) if isinstance(value, str) else value


_ANY: Final = None
"""Stands for `_` in a piece of a pattern: any one character."""

_MOST: Final = 1_000
"""Characters of a pattern; SQLite's own limit does not hold for a function that replaces its."""

Piece = tuple[str | None, ...]


def like(pattern: object, text: object, escape: str | None = None) -> bool | None:
    """Tell whether a text is like a pattern of `%` (any characters) and `_` (any one).

    SQLite's own function tries every place for every `%`, which is exponential; here the pieces
    between them are found one after another, each as early as can be, in time linear in the text.

    >>> like("%café", "Grand CAFÉ"), like("_og", "dog"), like("d_", "dog"), like("%", None)
    (True, True, False, None)

    Raises:
        QueryError: the pattern is longer than 1,000 characters.
    """
    if pattern is None or text is None:
        return None
    if len(str(pattern)) > _MOST:
        raise QueryError(f"a pattern of LIKE has at most {_MOST:,} characters; shorten it")
    pieces = _pieces(folded(str(pattern)), escape)
    return _matches(folded(str(text)), pieces)


@lru_cache(maxsize=256)
def _pieces(pattern: str, escape: str | None) -> tuple[Piece, ...]:
    pieces: list[list[str | None]] = [[]]
    symbols = iter(pattern)
    for symbol in symbols:
        if escape is not None and symbol == escape:
            pieces[-1].append(next(symbols, symbol))
        elif symbol == "%":
            pieces.append([])
        else:
            pieces[-1].append(_ANY if symbol == "_" else symbol)
    return tuple(tuple(piece) for piece in pieces)


def _matches(text: str, pieces: tuple[Piece, ...]) -> bool:
    first, last = pieces[0], pieces[-1]
    if len(pieces) == 1:
        return len(text) == len(first) and _stands(first, text, 0)
    if len(text) < len(first) + len(last):
        return False
    end = len(text) - len(last)
    if not (_stands(first, text, 0) and _stands(last, text, end)):
        return False
    position = len(first)
    for piece in pieces[1:-1]:
        position = _found(piece, text, position, end)
        if position < 0:
            return False
    return True


def _stands(piece: Piece, text: str, at: int) -> bool:
    return all(want is _ANY or want == text[at + place] for place, want in enumerate(piece))


def _found(piece: Piece, text: str, start: int, end: int) -> int:
    """Return where the piece's first occurrence ends, -1 where there is none."""
    if _ANY not in piece:
        whole = "".join(symbol or "" for symbol in piece)
        at = text.find(whole, start, end)
        return -1 if at < 0 else at + len(whole)
    return _shifted(piece, text, start, end)


def _shifted(piece: Piece, text: str, start: int, end: int) -> int:
    """Find a piece that holds `_` by Shift-And: bit n tells that n + 1 of its symbols stand."""
    masks = _masks(piece)
    last = 1 << (len(piece) - 1)
    standing = 0
    for place in range(start, end):
        standing = (standing << 1 | 1) & masks[text[place]]
        if standing & last:
            return place + 1
    return -1


def _masks(piece: Piece) -> dict[str, int]:
    """Return for each character which symbols of a piece it can be."""
    anywhere = sum(1 << place for place, want in enumerate(piece) if want is _ANY)
    masks: dict[str, int] = defaultdict(lambda: anywhere)
    for place, want in enumerate(piece):
        if want is not _ANY:
            masks[want] |= 1 << place
    return masks


_LONG: Final = 10_000
"""Characters of a text from which on a function looks at the clock before it works."""


class Collected:
    """An aggregate over all numbers of a group; null for too few of them."""

    least = 1
    """Of how many numbers at least there is a result."""

    def __init__(self) -> None:
        self._numbers = array("d")

    def step(self, value: object, /) -> None:
        """Take one value; null and text are left out, as AVG leaves out null."""
        if isinstance(value, int | float):
            self._numbers.append(value)

    def finalize(self) -> float | None:
        """Return the result."""
        if len(self._numbers) < self.least:
            return None
        return float(self.reduce(self._numbers))

    @staticmethod
    def reduce(numbers: Sequence[float]) -> float:
        """Compute the result."""
        raise NotImplementedError


class Median(Collected):
    """The middle number, or the mean of the two middle ones."""

    @staticmethod
    def reduce(numbers: Sequence[float]) -> float:
        """Compute the median."""
        return statistics.median(numbers)


class Variance(Collected):
    """The variance of a sample, Σ(x − mean)² / (n − 1)."""

    least = 2

    @staticmethod
    def reduce(numbers: Sequence[float]) -> float:
        """Compute the variance."""
        import numpy as np

        return float(np.var(np.asarray(numbers), ddof=1))


class StandardDeviation(Variance):
    """The root of the variance of a sample."""

    @staticmethod
    def reduce(numbers: Sequence[float]) -> float:
        """Compute the standard deviation."""
        return float(Variance.reduce(numbers) ** 0.5)


class TextFunctions:
    """Fold and LIKE for one statement: long texts only until its time is over."""

    def __init__(self, late: Callable[[], bool]) -> None:
        self._late = late
        self.failure: QueryError | None = None
        """Why a function failed: SQLite says only that one did."""

    def fold(self, value: SQLValue) -> SQLValue:
        """Fold a value."""
        self._look(value)
        return fold(value)

    def plain(self, value: SQLValue) -> SQLValue:
        """Fold a value and leave out its accents."""
        self._look(value)
        return plain(value)

    def like(self, pattern: object, text: object, escape: str | None = None) -> bool | None:
        """Tell whether a text is like a pattern."""
        self._look(text)
        try:
            return like(pattern, text, escape)
        except QueryError as error:
            self.failure = error
            raise

    def _look(self, text: object) -> None:
        if isinstance(text, str) and len(text) > _LONG and self._late():
            raise QueryError("the time is over")


def register_functions(connection: sqlite3.Connection, late: Callable[[], bool]) -> TextFunctions:
    """Give a connection the functions that compiled plans use; LIKE is replaced.

    Args:
        connection: which one.
        late: tells whether the time is over; asked before work on long texts.
    """
    texts = TextFunctions(late)
    connection.create_function("fold", 1, texts.fold, deterministic=True)
    connection.create_function("plain", 1, texts.plain, deterministic=True)
    for arguments in (2, 3):
        connection.create_function("like", arguments, texts.like, deterministic=True)
    aggregates: dict[str, Callable[[], Any]] = {
        "median": Median,
        "variance": Variance,
        "stdev": StandardDeviation,
    }
    for name, aggregate in aggregates.items():
        connection.create_aggregate(name, 1, aggregate)
    return texts


_LONGEST: Final = 1_000_000
"""Characters of a result; SQLite's own limit for the guarded connection is as much in bytes."""
_LONG_bounded_text: Final = 10_000
"""Characters of a text from which on a function looks at the clock before it works."""


class BoundedText:
    """The functions for one statement, which stop when its time is over."""

    def __init__(self, late: Callable[[], bool]) -> None:
        self._late = late
        self.failure: QueryError | None = None
        """Why a function failed: SQLite says only that one did."""

    def register(self, connection: sqlite3.Connection) -> None:
        """Put the functions in the place of SQLite's own."""
        functions: list[tuple[str, int, Callable[..., SQLValue]]] = [
            ("instr", 2, self.instr),
            ("replace", 3, self.replace),
        ]
        for arguments in (1, 2):
            functions += [
                ("trim", arguments, self.trim),
                ("ltrim", arguments, self.ltrim),
                ("rtrim", arguments, self.rtrim),
            ]
        for name, arguments, function in functions:
            connection.create_function(name, arguments, function, deterministic=True)

    def instr(self, text: SQLValue, sought: SQLValue) -> int | None:
        """Return where a text first stands in another, from 1; 0 where it does not."""
        if text is None or sought is None:
            return None
        return self._text(text).find(self._text(sought)) + 1

    def replace(self, text: SQLValue, old: SQLValue, new: SQLValue) -> SQLValue:
        """Replace a text within another; raises QueryError where the result is too long."""
        if text is None or old is None:
            return None
        if old == "":
            return text
        if new is None:
            return None
        whole, before, after = self._text(text), self._text(old), self._text(new)
        longer = max(0, len(after) - len(before))
        if longer and len(whole) + whole.count(before) * longer > _LONGEST:
            self.failure = QueryError(
                f"replace would make a text of more than {_LONGEST:,} characters; make it shorter"
            )
            raise self.failure
        return whole.replace(before, after)

    def trim(self, text: SQLValue, characters: SQLValue = " ") -> str | None:
        """Take characters off both ends."""
        return self._trimmed(text, characters, left=True, right=True)

    def ltrim(self, text: SQLValue, characters: SQLValue = " ") -> str | None:
        """Take characters off the beginning."""
        return self._trimmed(text, characters, left=True)

    def rtrim(self, text: SQLValue, characters: SQLValue = " ") -> str | None:
        """Take characters off the end."""
        return self._trimmed(text, characters, right=True)

    def _trimmed(
        self, text: SQLValue, characters: SQLValue, *, left: bool = False, right: bool = False
    ) -> str | None:
        if text is None or characters is None:
            return None
        whole, taken = self._text(text), frozenset(self._text(characters))
        start, end = 0, len(whole)
        while left and start < end and whole[start] in taken:
            start += 1
        while right and start < end and whole[end - 1] in taken:
            end -= 1
        return whole[start:end]

    def _text(self, value: SQLValue) -> str:
        """Return a value as SQLite's text; raises QueryError where the time is over."""
        if isinstance(value, bytes):
            value = value.decode(errors="replace")
        text = _written(value) if isinstance(value, float) else str(value)
        if len(text) > _LONG_bounded_text and self._late():
            raise QueryError("the time is over")
        return text


def _written(number: float) -> str:
    """Write a number as SQLite does: 15 digits, and always a point.

    >>> _written(-0.0), _written(0.1), _written(1e20)
    ('0.0', '0.1', '1.0e+20')
    """
    digits, mark, exponent = f"{number + 0.0:.15g}".partition("e")
    pointed = digits if "." in digits or "n" in digits else f"{digits}.0"
    return f"{pointed}{mark}{exponent}"
