"""Which spellings of a field's values are one group, and how it is called."""

from collections import Counter
from collections.abc import Iterable, Mapping

from agent.corpus_view import FieldValue

__all__ = ("group_names",)


def group_names(values: Iterable[FieldValue]) -> Mapping[str, str]:
    """Return the group of each item: its most frequent spelling, whatever its case and spaces.

    >>> group_names([FieldValue(raw=each, items=(each,)) for each in ("Due", "due", "due")])
    {'Due': 'due', 'due': 'due'}
    """
    written = Counter(item for value in values for item in value.items)
    names: dict[str, str] = {}
    for item, _ in sorted(written.items(), key=lambda pair: (-pair[1], pair[0])):
        names.setdefault(_folded(item), " ".join(item.split()))
    return {item: names[_folded(item)] for item in written}


def _folded(item: str) -> str:
    return " ".join(item.casefold().split())
