"""SQLite's text functions whose time or result could grow with the product of their arguments.

SQLite's own `instr`, `replace` and `trim` compare each place of the one text with all of the other,
and look at no clock meanwhile. These take time that grows with the sum of the lengths, and refuse a
result before it is built.
"""

import sqlite3
from collections.abc import Callable
from typing import Final

from agent.errors import QueryError
from tools.records.folding import SQLValue

__all__ = ("BoundedText",)

_LONGEST: Final = 1_000_000
"""Characters of a result; SQLite's own limit for the guarded connection is as much in bytes."""
_LONG: Final = 10_000
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
        if len(text) > _LONG and self._late():
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
