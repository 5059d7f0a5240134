"""One line of a benchmark: a figure of ours beside a peer's, and what else to know."""

from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

__all__ = ("Figure", "Row", "Unequal")

Unit = Literal["µs", "ms", "s", "MB", "kB", "MB/s", "calls/document", "of the corpus"]


class Unequal(Exception):
    """Ours and the peer found different things, so that their times cannot be compared."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What one side took."""

    name: str
    """Whose it is: the class, function or package measured."""
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One thing done by both sides, to the same result."""

    what: str
    unit: Unit
    ours: Figure
    peer: Figure
    note: str = ""
    """What was found equal, and what a reader must know to judge the figures."""

    @property
    def gain(self) -> float:
        """How many times better ours is: below 1 it is worse.

        >>> Row(what="w", unit="ms", ours=Figure("a", 2), peer=Figure("b", 6)).gain
        3.0
        """
        better, worse = self.peer.value, self.ours.value
        if self.unit == "MB/s":
            better, worse = worse, better
        return better / worse if worse else float("inf")

    def to_json(self) -> dict[str, JsonValue]:
        """Return the row as JSON holds it."""
        return {
            "what": self.what,
            "unit": self.unit,
            "ours": {"name": self.ours.name, "value": self.ours.value},
            "peer": {"name": self.peer.name, "value": self.peer.value},
            "gain": self.gain,
            "note": self.note,
        }
