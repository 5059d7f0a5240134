"""The documents of an invented collection: fields drawn by chance, and a text that mentions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

import numpy as np

from evals.invented.trade import Trade

__all__ = ("LAST", "Sheet", "draw_sheets")

LAST: Final = date(2025, 12, 31)
"""No document is dated later."""
_DAYS: Final = 16 * 365
_PEOPLE: Final = tuple(
    f"{first} {last}"
    for first in ("Ada", "Ben", "Cora", "Dirk", "Ines", "Juno")
    for last in ("Falk", "Moss", "Reed", "Stone")
)
_PLAIN: Final = (
    "The work took longer than planned.",
    "Nothing further was noted on that day.",
    "The files were handed over in good order.",
    "A second visit was not needed.",
    "All appendices are complete.",
)
_MENTIONS: Final = (
    "The {thing} was brought along.",
    "Much depended on the {thing}.",
    "A note about the {thing} was added, and the {thing} was paid for.",
    "Without the {thing} nothing could be said.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One document and the facts that it states."""

    name: str
    kind: str
    state: str
    people: tuple[str, ...]
    dated: date
    amount: int
    extras: tuple[str, ...]
    """Which of the two fields it has."""
    lines: tuple[str, ...]
    """The sentences of its text."""

    def mentions(self, thing: str) -> int:
        """Return how often its text mentions a thing."""
        return sum(line.count(thing) for line in self.lines)

    def text(self, trade: Trade) -> str:
        """Write the document: a field a line, then the text."""
        fields = {
            "kind": self.kind,
            "status": self.state,
            trade.person: ", ".join(self.people),
            trade.dated: self.dated.isoformat(),
            trade.amount: str(self.amount),
            **{each: _PEOPLE[self.amount % len(_PEOPLE)] for each in self.extras},
        }
        head = "\n".join(f"{name.capitalize()}: {value}" for name, value in fields.items())
        return f"{head}\n\n{' '.join(self.lines)}\n"


def draw_sheets(trade: Trade, count: int, rng: np.random.Generator) -> tuple[Sheet, ...]:
    """Draw the documents of a collection."""
    return tuple(_sheet(trade, number, rng) for number in range(1, count + 1))


def _sheet(trade: Trade, number: int, rng: np.random.Generator) -> Sheet:
    people = rng.permutation(np.array(_PEOPLE))[: int(rng.integers(1, 8))]
    lines = [_pick(_PLAIN, rng) for _ in range(int(rng.integers(1, 4)))]
    for thing in trade.things:
        told = int(rng.integers(0, 4)) if rng.random() < 0.4 else 0
        lines += [_pick(_MENTIONS, rng).format(thing=thing) for _ in range(told)]
    return Sheet(
        name=f"{trade.one}-{number:03}",
        kind=_pick(trade.kinds, rng),
        state=_pick(trade.states, rng),
        people=tuple(str(each) for each in people),
        dated=LAST - timedelta(days=int(rng.integers(0, _DAYS))),
        amount=int(rng.integers(1, 100)) * 100,
        extras=tuple(each for each in trade.extras if rng.random() < 0.5),
        lines=tuple(lines[at] for at in rng.permutation(len(lines))),
    )


def _pick(choices: Sequence[str], rng: np.random.Generator) -> str:
    return choices[int(rng.integers(len(choices)))]
