"""What is asked over an invented collection, and what questions are drawn from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from agent.taxonomy import AmbiguityCode
from evals.invented.sheet import Sheet
from evals.invented.trade import Trade

__all__ = ("Maker", "Meant", "Test", "Wondered")

Test = Callable[[Sheet], bool]


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
    def idle(self) -> bool:
        """Whether all readings have the same answer, which is not nothing."""
        return not self.matters and self.readings[0].value > 0


@dataclass(frozen=True, slots=True)
class Maker:
    """Draws the values of questions over one collection."""

    trade: Trade
    sheets: Sequence[Sheet]
    rng: np.random.Generator

    def meant(self, question: str, test: Test) -> Meant:
        """Return a reading that counts the documents that pass."""
        return Meant(question, tuple(each.name for each in self.sheets if test(each)))

    def two(self, choices: Sequence[str]) -> tuple[str, str]:
        """Draw two different ones."""
        first, second = self.rng.permutation(len(choices))[:2]
        return choices[int(first)], choices[int(second)]

    def one(self, choices: Sequence[str]) -> str:
        """Draw one."""
        return self.two(choices)[0]

    def years(self, low: int, high: int) -> int:
        """Draw a number of years."""
        return int(self.rng.integers(low, high + 1))

    def which(self) -> tuple[str, Test]:
        """Draw which documents are asked about: all, or those of a state, of a kind, of both."""
        state, kind = self.one(self.trade.states), self.one(self.trade.kinds)
        many = self.trade.many
        drawn: tuple[tuple[str, Test], ...] = (
            (many, lambda _: True),
            (f"{kind} {many}", lambda each: each.kind == kind),
            (f"{state} {many}", lambda each: each.state == state),
            (f"{state} {kind} {many}", lambda each: (each.state, each.kind) == (state, kind)),
        )
        return drawn[self.years(0, 3)]

    def when(self) -> tuple[str, Test]:
        """Draw when the documents asked about are dated: at any time, or in a year."""
        year = min(each.dated.year for each in self.sheets) + self.years(1, 14)
        if self.years(0, 1):
            return "", lambda _: True
        return f" {self.trade.dated} in {year}", lambda each: each.dated.year == year
