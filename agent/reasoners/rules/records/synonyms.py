"""Labels that call the same attribute: one says it with more words, and no document has both."""

from collections.abc import Sequence

from agent.reasoners.rules.records.shapes import common_shape
from agent.reasoners.rules.records.structure.groups import Column
from agent.reasoners.rules.records.telling import telling_roots

__all__ = ("same_columns",)

_FEWEST = 2
"""Documents that each label must have."""
_TOGETHER = 0.5
"""The share of the documents that both labels must have together."""


def same_columns(columns: Sequence[Column], documents: int) -> list[list[Column]]:
    """Return the columns, those together that call the same: `Rooms` and `Number of rooms`.

    The one's telling words are all among the other's, their values are of one type and unit, and
    though both are common no document has both.
    """
    sets: list[list[Column]] = []
    for column in columns:
        same = next((each for each in sets if _joins(each, column, documents)), None)
        if same is None:
            sets.append([column])
        else:
            same.append(column)
    return sets


def _joins(known: Sequence[Column], new: Column, documents: int) -> bool:
    return (
        any(_nested(each, new) for each in known)
        and all(
            _apart(each, new) and common_shape(each.values) == common_shape(new.values)
            for each in known
        )
        and len(new.documents.union(*(each.documents for each in known))) >= _TOGETHER * documents
    )


def _nested(one: Column, other: Column) -> bool:
    first, second = telling_roots(one.label), telling_roots(other.label)
    return bool(first and second) and (first <= second or second <= first)


def _apart(one: Column, other: Column) -> bool:
    fewest = min(len(one.documents), len(other.documents))
    return fewest >= _FEWEST and not one.documents & other.documents
