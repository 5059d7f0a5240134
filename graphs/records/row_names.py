"""Names of rows that would read alike, told apart by what a reader can look up."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from agent.records.record import Record
from graphs.records.result_values import written

__all__ = ("Named", "told_apart")

_ATTRIBUTES = 3
"""Values that are written behind a name at most."""
_LONGEST = 40
"""Characters of such a value at most: what is longer is no name."""

_Telling = Callable[["Named"], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A row with the name that it has so far."""

    name: str
    record: Record | None = None
    """The first record behind it; None where none is known."""
    aliases: tuple[str, ...] = ()
    """Values that no other record of its kind shares."""


def told_apart(rows: Sequence[Named]) -> list[str]:
    """Return the rows' names, in order, each once.

    Behind a name that several bear stands, in brackets, the first of these that tells them all
    apart: what their texts call them, a value of which each record has another, their documents,
    their attributes in the schema's order. What nothing tells apart is numbered.

    >>> told_apart([Named(name="Lee", aliases=("7",)), Named(name="Ek"), Named(name="Lee")])
    ['Lee (1 of 2)', 'Ek', 'Lee (2 of 2)']
    """
    alike: defaultdict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        alike[row.name].append(place)
    names = [row.name for row in rows]
    for name, places in alike.items():
        if len(places) > 1:
            told = _telling([rows[place] for place in places])
            for place, what in zip(places, told, strict=True):
                names[place] = f"{name} ({what})"
    return names


def _telling(rows: Sequence[Named]) -> Sequence[str]:
    """Return of rows of one name what tells each from all others."""
    for tell in _ways(rows):
        told = [tell(row) for row in rows]
        if all(told) and len(set(told)) == len(told):
            return told
    return [f"{number} of {len(rows)}" for number in range(1, len(rows) + 1)]


def _ways(rows: Sequence[Named]) -> Iterator[_Telling]:
    yield _label
    yield _alias
    yield _document
    attributes = _attributes(rows)
    for first in range(len(attributes)):
        for count in range(1, _ATTRIBUTES + 1):
            if first + count <= len(attributes):
                yield _values(attributes[first : first + count])


def _label(row: Named) -> str:
    label = row.record.label if row.record else ""
    return label if label != row.name else ""


def _alias(row: Named) -> str:
    return next((each for each in row.aliases if each != row.name), "")


def _document(row: Named) -> str:
    document = row.record.document if row.record else ""
    return document if document != row.name else ""


def _attributes(rows: Sequence[Named]) -> list[str]:
    """Return the attributes that some of the rows state, in order."""
    stated = (cell.attribute for row in rows if row.record for cell in row.record.cells)
    return list(dict.fromkeys(stated))


def _values(attributes: Sequence[str]) -> _Telling:
    def tell(row: Named) -> str:
        cells = row.record.cells if row.record else ()
        held = {each.attribute: written(each.value) for each in cells if each.value is not None}
        told = [
            f"{each.replace('_', ' ')} {held[each]}"
            for each in attributes
            if each in held and held[each] != row.name and len(held[each]) <= _LONGEST
        ]
        return ", ".join(told)

    return tell
