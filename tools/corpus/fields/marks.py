"""The marks in a number's digits: which part thousands, and which one begins the decimals."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final, Literal

__all__ = ("Mark", "is_open", "plain", "shared_mark")

Mark = Literal[".", ","]

_SHARE: Final = 0.9
_ENGLISH = re.compile(r"[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}(?:\.\d+)?|\d+(?:\.\d+)?")
_CONTINENTAL = re.compile(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|\d+,\d+")
_SPACED = re.compile(r"\d{1,3}(?:[ '\u00a0\u202f]\d{3})+(?:[.,]\d+)?")
_PADDED = re.compile(r"0\d")
_OPEN = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
"""One mark before exactly three digits, which may be thousands or decimals."""


def plain(digits: str, decimal: Mark | None = None) -> str | None:
    """Return the digits with a decimal point and no grouping; None if they are no number.

    Args:
        digits: with the marks as written.
        decimal: what begins the decimals where the digits do not tell; the point by default.

    >>> plain("1.234,5"), plain("1.200"), plain("1.200", ","), plain("1,200", ",")
    ('1234.5', '1.200', '1200', '1.200')
    """
    if _PADDED.match(digits):
        return None
    if decimal == "," and _OPEN.fullmatch(digits):
        return digits.replace(".", "").replace(",", ".")
    if _ENGLISH.fullmatch(digits):
        return digits.replace(",", "")
    if _CONTINENTAL.fullmatch(digits):
        return digits.replace(".", "").replace(",", ".")
    if _SPACED.fullmatch(digits):
        return re.sub(r"[ '\u00a0\u202f]", "", digits).replace(",", ".")
    return None


def shared_mark(written: Mapping[str, int]) -> tuple[Mark | None, bool]:
    """Return what begins the decimals in digits of one origin, and whether none contradicts.

    The mark is what nine in ten of those tell that tell any; None where none tells or they differ.

    Args:
        written: how often the origin has which digits.

    >>> shared_mark({"1.200": 2, "2.350,50": 1}), shared_mark({"1.200": 1, "950": 1})
    ((',', True), (None, True))
    """
    told: Counter[Mark] = Counter()
    for digits, count in written.items():
        if (mark := _told(digits)) is not None:
            told[mark] += count
    for mark, count in told.most_common(1):
        if count >= _SHARE * told.total():
            return mark, True
    return None, not told


def is_open(digits: str, *, agreed: bool) -> bool:
    """Tell whether no mark is known for digits that need one; a comma alone parts thousands.

    Args:
        digits: with the marks as written.
        agreed: whether nothing beside them takes the comma for decimals.
    """
    if digits.isdecimal():
        return False
    return _OPEN.fullmatch(digits) is not None and not (agreed and "," in digits)


def _told(digits: str) -> Mark | None:
    """Return what begins the decimals as the digits alone tell."""
    if digits.isdecimal():
        return None
    marks = re.sub(r"[^.,]", "", digits)
    if not marks or _OPEN.fullmatch(digits) or plain(digits) is None:
        return None
    grouped = len(marks) > 1 and len(set(marks)) == 1
    last: Mark = "." if marks[-1] == "." else ","
    return ("," if last == "." else ".") if grouped else last
