"""The truth of a question from the truth of its conditions: yes, no, or in doubt."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = ("Logic", "Truths", "combined")

Logic = Literal["single", "AND", "OR"]


@dataclass(frozen=True, slots=True)
class Truths:
    """The entities that satisfy a condition or a question, and those in doubt; all others do not.

    No entity is in both.
    """

    satisfied: frozenset[str]
    doubted: frozenset[str] = frozenset()

    @property
    def possible(self) -> frozenset[str]:
        """Those that satisfy it or may."""
        return self.satisfied | self.doubted


def combined(logic: Logic, parts: Sequence[Truths]) -> Truths:
    """Return the truth of conditions joined in one way.

    An entity is in doubt where the conditions in doubt decide.

    >>> sorted(combined("OR", [Truths(frozenset("a")), Truths(frozenset("b"))]).satisfied)
    ['a', 'b']
    """
    first, *others = parts
    satisfied, possible = first.satisfied, first.possible
    for each in others:
        if logic == "AND":
            satisfied, possible = satisfied & each.satisfied, possible & each.possible
        else:
            satisfied, possible = satisfied | each.satisfied, possible | each.possible
    return Truths(satisfied, possible - satisfied)
