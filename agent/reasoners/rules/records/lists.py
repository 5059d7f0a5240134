"""Values that list several short items: `pool, sauna and gym`."""

import re
from collections.abc import Sequence
from typing import Final

__all__ = ("list_items", "lists_items")

_LIST: Final = re.compile(r"[^,;]{1,40}(?:[,;]\s+[^,;]{1,40}){1,}")
_ITEM_WORDS: Final = 5
_SPLIT: Final = re.compile(r"\s*[,;]\s+(?:and\s+)?|\s+and\s+")


def list_items(value: str) -> list[str]:
    """Return the items of a value that lists some: `pool, sauna and gym`."""
    return [item for item in _SPLIT.split(value.rstrip(".")) if item]


def lists_items(values: Sequence[str]) -> bool:
    """Tell whether the values of a column list items: many are long lists, or items change places.

    Of two parts with a comma alone nothing is known (`Graz, Austria`), but where a part stands
    first in one value and later in another, the order means nothing: they are items.

    >>> lists_items(["garden, sauna", "sauna, lift", "lift, garden", "lift"])
    True
    >>> lists_items(["Graz, Austria", "Wels, Austria", "Ulm, Germany", "Graz, Austria"])
    False
    """
    long = sum(_is_long(value) for value in values)
    return 3 * long > len(values) or _changes_places(values)


def _is_long(value: str) -> bool:
    """Tell whether a value lists at least three short items, or two parted by a semicolon."""
    return len(_short_items(value)) >= (2 if ";" in value else 3)


def _changes_places(values: Sequence[str]) -> bool:
    """Tell whether half of the parts stand first in one value and later in another."""
    first: set[str] = set()
    later: set[str] = set()
    for value in values:
        items = [item.casefold() for item in _short_items(value)]
        first.update(items[:1])
        later.update(items[1:])
    return len(first & later) >= max(2, len(first | later) / 2)


def _short_items(value: str) -> list[str]:
    """Return the parts of a value that could be a list of words; of others none."""
    if any(letter.isdigit() for letter in value) or _LIST.fullmatch(value.rstrip(".")) is None:
        return []
    items = list_items(value)
    return items if all(len(item.split()) <= _ITEM_WORDS for item in items) else []
