"""The values of one field as the documents write them, side by side."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from agent.corpus import FieldValue
from tools.placeholders import is_placeholder

__all__ = ("Written", "are_given")


@dataclass(frozen=True, slots=True)
class Written:
    """One value a document."""

    raws: Sequence[str]
    items: Sequence[Sequence[str]]
    placed: Sequence[bool]
    """Whether it stands in the document's text."""

    @classmethod
    def of(cls, values: Collection[FieldValue]) -> "Written":
        """Return values as they are written."""
        return cls(
            [value.raw for value in values],
            [value.items for value in values],
            [value.start is not None for value in values],
        )

    def __len__(self) -> int:
        """Return the number of values."""
        return len(self.raws)

    @property
    def several(self) -> int:
        """How many values have more than one item."""
        return sum(len(own) > 1 for own in self.items)

    def given(self) -> "Written":
        """Return the values without those that say that there is none, such as `none`."""
        kept = are_given(self.raws)
        return (
            self if all(kept) else self.at([place for place, is_one in enumerate(kept) if is_one])
        )

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


def are_given(raws: Sequence[str]) -> list[bool]:
    """Tell of each value whether it is one, and does not say that there is none.

    >>> are_given(["7", "none", "n/a"])
    [True, False, False]
    """
    none = {raw for raw in set(raws) if is_placeholder(raw, amounts=True)}
    return [raw not in none for raw in raws]
