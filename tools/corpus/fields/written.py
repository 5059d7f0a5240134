"""The values of one field as the documents write them, side by side."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from agent.corpus import FieldValue
from tools.placeholders import is_placeholder

__all__ = ("Items", "Written", "saying_none")

Items = str | Sequence[str]
"""A value's only item by itself, else all its items: most values have one."""


@dataclass(frozen=True, slots=True)
class Written:
    """One value a document."""

    raws: Sequence[str]
    items: Sequence[Items]
    placed: Sequence[bool]
    """Whether it stands in the document's text."""

    @classmethod
    def of(cls, values: Collection[FieldValue]) -> "Written":
        """Return values as they are written."""
        return cls(
            [value.raw for value in values],
            [value.items[0] if len(value.items) == 1 else value.items for value in values],
            [value.start is not None for value in values],
        )

    def __len__(self) -> int:
        """Return the number of values."""
        return len(self.raws)

    @property
    def several(self) -> int:
        """How many values have more than one item."""
        return len([own for own in self.items if not isinstance(own, str) and own])

    def given(self) -> "Written":
        """Return the values without those that say that there is none, such as `none`."""
        none = saying_none(self.raws)
        if not none:
            return self
        return self.at([place for place, raw in enumerate(self.raws) if raw not in none])

    def part(self, start: int, end: int) -> "Written":
        """Return the values from a start to an end, exclusive."""
        return Written(self.raws[start:end], self.items[start:end], self.placed[start:end])

    def at(self, places: Sequence[int]) -> "Written":
        """Return the values at these places."""
        raws, items, placed = self.raws, self.items, self.placed
        return Written(
            [raws[place] for place in places],
            [items[place] for place in places],
            [placed[place] for place in places],
        )


def saying_none(raws: Collection[str]) -> set[str]:
    """Return those of some values that say that there is none.

    >>> sorted(saying_none(["7", "None", "n/a", "7"]))
    ['None', 'n/a']
    """
    return {raw for raw in set(raws) if is_placeholder(raw, amounts=True)}
