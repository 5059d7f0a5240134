"""Version numbers: what looks like a decimal number and is none, since 3.10 follows 3.9."""

import re
from collections.abc import Iterable
from typing import Final

__all__ = ("are_versions",)

_PART: Final = r"[vV]?\d+(?:\.\d+){2,}(?:[-.+]?[a-z]+[\d.]*)?"
_VERSION: Final = re.compile(rf"{_PART}(?:\s?(?:,|;|/|and|or|to|-)\s?{_PART})*")
_DECIMAL: Final = re.compile(r"(\d+)\.(\d+)")
_MOST: Final = 3
_LISTED: Final = re.compile(r"\s*(?:[,;]|\band\b|\bor\b)\s*")
_NUMERIC: Final = re.compile(
    r"\d{1,3}(?:\.\d{3})+|\d{1,2}\.\d{1,2}\.(?:\d{2}|\d{4})|\d{4}\.\d{1,2}\.\d{1,2}"
)


def are_versions(values: Iterable[str]) -> bool:
    """Tell whether the values of one column are versions, or lists of them, and no numbers.

    One of three parts suffices that is no date and no number in thousands (`2.7.9`). So does a
    zero that ends a decimal while another with the same whole part has fewer places: who writes 3.9
    writes 3.1 where that is meant. Decimals with a zero behind the point (`3.05`), or many places,
    are numbers.

    >>> are_versions(["3.9", "3.10"]), are_versions(["2.50", "12.00"]), are_versions(["2.7.9"])
    (True, False, True)
    """
    items = [item.strip() for value in values for item in _LISTED.split(value)]
    if any(_VERSION.fullmatch(item) and not _NUMERIC.fullmatch(item) for item in items):
        return True
    decimals = [(found[1], found[2]) for item in items if (found := _DECIMAL.fullmatch(item))]
    if any(len(places) > 1 and (places[0] == "0" or len(places) > _MOST) for _, places in decimals):
        return False
    fewest: dict[str, int] = {}
    for whole, places in decimals:
        fewest[whole] = min(len(places), fewest.get(whole, _MOST))
    return any(places[-1] == "0" and len(places) > fewest[whole] for whole, places in decimals)
