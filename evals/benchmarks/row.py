"""One line of a benchmark: a figure of ours, beside a peer's, against an aim, with a note."""

from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

from pydantic import JsonValue

__all__ = ("LARGE", "Aim", "Figure", "Row", "Unequal")

Unit = Literal["µs", "ms", "s", "MB", "kB", "MB/s", "calls/document", "of the corpus"]
LARGE = 200_000
"""Chunks beyond which a peer that takes minutes a round gets one round, or is left out."""


class Unequal(Exception):
    """Ours and the peer found different things, so that their times cannot be compared."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What one side took."""

    name: str
    """Whose it is: the class, function or package measured."""
    value: float


@dataclass(frozen=True, slots=True)
class Aim:
    """What is promised for a million chunks of real text."""

    bound: Literal["at most", "at least", "times"]
    """Of our own figure in the row's unit; or how many times better than the peer at least."""
    value: float

    def met(self, row: "Row") -> bool:
        """Say whether a row is as is promised.

        >>> row = Row(what="w", unit="ms", ours=Figure("a", 2), peer=Figure("b", 6))
        >>> Aim("at most", 1).met(row), Aim("times", 3).met(row)
        (False, True)
        """
        if self.bound == "times":
            return row.gain is not None and row.gain >= self.value
        ours = row.ours.value
        return ours <= self.value if self.bound == "at most" else ours >= self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One thing done by both sides, to the same result; or by ours alone, against an aim."""

    what: str
    unit: Unit
    ours: Figure
    peer: Figure | None = None
    aim: Aim | None = None
    note: str = ""
    """What was found equal, and what a reader must know to judge the figures."""

    @property
    def gain(self) -> float | None:
        """How many times better ours is: below 1 it is worse; None without a peer.

        >>> Row(what="w", unit="ms", ours=Figure("a", 2), peer=Figure("b", 6)).gain
        3.0
        """
        if self.peer is None:
            return None
        better, worse = self.peer.value, self.ours.value
        if self.unit == "MB/s":
            better, worse = worse, better
        return better / worse if worse else float("inf")

    @property
    def met(self) -> bool | None:
        """Whether the aim is met; None without one."""
        return None if self.aim is None else self.aim.met(self)

    def to_json(self) -> dict[str, JsonValue]:
        """Return the row as JSON holds it, with what follows from it."""
        return {**asdict(self), "gain": self.gain, "met": self.met}

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Self:
        """Return the row that `to_json` told."""
        return cls(
            what=told["what"],
            unit=told["unit"],
            ours=Figure(**told["ours"]),
            peer=Figure(**told["peer"]) if told["peer"] else None,
            aim=Aim(**told["aim"]) if told["aim"] else None,
            note=told["note"],
        )
