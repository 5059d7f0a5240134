"""What is asked over a collection, and what draws the values of a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from agent.taxonomy import AmbiguityCode
from evals.drawn.collection import Collection
from evals.drawn.entry import Test
from evals.drawn.field import ANY, Dates
from evals.drawn.those import Those

__all__ = ("Maker", "Meant", "Wondered")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Meant:
    """A reading in words that leave nothing open, and its answer."""

    question: str
    names: tuple[str, ...] = ()
    """The documents it counts."""
    number: int | None = None
    """What it comes to, where that is not how many documents it counts."""

    @property
    def value(self) -> int:
        """What it comes to."""
        return len(self.names) if self.number is None else self.number


@dataclass(frozen=True, slots=True)
class Wondered:
    """A question and its readings; a control has one and no code."""

    question: str
    codes: tuple[AmbiguityCode, ...]
    readings: tuple[Meant, ...]

    @property
    def matters(self) -> bool:
        """Whether the answer depends on the reading: the number, or the documents counted."""
        counted = {each.names for each in self.readings if each.number is None}
        return len(counted) > 1 or len({each.value for each in self.readings}) > 1

    @property
    def something(self) -> bool:
        """Whether a reading comes to more than nothing."""
        return any(each.value for each in self.readings)

    @property
    def idle(self) -> bool:
        """Whether all readings have the same answer, which is not nothing."""
        return not self.matters and self.something


@dataclass(frozen=True, slots=True)
class Maker:
    """Draws the values of questions over one collection."""

    collection: Collection
    rng: np.random.Generator

    @property
    def every(self) -> Those:
        """All documents."""
        return Those(self.collection.many)

    @property
    def dates(self) -> Dates:
        """The field by which documents are dated; only for kinds of questions that need one."""
        dates = self.collection.dates
        if dates is None:
            raise ValueError("the collection has no dates")
        return dates

    def meant(self, question: str, test: Test) -> Meant:
        """Return a reading that counts the documents that pass."""
        return Meant(question, tuple(each.name for each in self.collection.entries if test(each)))

    def two(self, choices: Sequence[str]) -> tuple[str, str]:
        """Draw two different ones."""
        first, second = self.rng.permutation(len(choices))[:2]
        return choices[int(first)], choices[int(second)]

    def one(self, choices: Sequence[str]) -> str:
        """Draw one."""
        return choices[int(self.rng.permutation(len(choices))[0])]

    def of(self, choices: Sequence[T]) -> T:
        """Draw one of any; of one, nothing is drawn."""
        return choices[int(self.rng.integers(len(choices)))]

    def which(self, *besides: str) -> Those:
        """Draw which documents are asked about: all, or those of one value, of another, of both.

        They are not told by the fields that are asked about besides.
        """
        pairs = [
            pair
            for pair in self.collection.pairs
            if {each.name for each in pair}.isdisjoint(besides)
        ]
        far, near = self.of(pairs or [(ANY, ANY)])
        first, second = self.one(far.values), self.one(near.values)
        every = self.every
        drawn = (
            every,
            every.of(near, second),
            every.of(far, first),
            every.of(far, first).of(near, second),
        )
        return self.of(drawn)

    def when(self) -> int | None:
        """Draw when the documents asked about are dated: None at any time, or in a year."""
        dates = self.collection.dates
        if dates is None:
            return None
        year = self.of(dates.within)
        return None if self.of((False, True)) else year

    def within(self, those: Those, year: int | None) -> Those:
        """Return those of a year, or all of them."""
        dates = self.collection.dates
        return those if dates is None or year is None else those.within(dates, year)
