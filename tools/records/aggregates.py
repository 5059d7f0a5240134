"""What SQLite lacks, as functions of a connection: fold, like, median, variance, stdev."""

import sqlite3
import statistics
from array import array
from collections.abc import Callable, Sequence
from typing import Any, Final

from agent.errors import QueryError
from tools.records.folding import SQLValue, fold, plain
from tools.records.like import like

__all__ = ("Median", "StandardDeviation", "TextFunctions", "Variance", "register_functions")

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
