"""One line of a benchmark: a figure of ours, beside a peer's, against an aim, with a note."""

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Literal

from evals.tables import markdown
from tools.corpus.processes import gc_disabled

Unit = Literal["ms", "s", "MB", "kB", "MB/s"]
LARGE = 200_000
"""Chunks beyond which a peer that takes long gets few rounds, or is left out."""
FEW_ROUNDS = 3
"""Of what takes seconds a round."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One thing done by both sides, with the same result; or by ours alone, against an aim."""

    what: str
    unit: Unit
    ours: Figure
    peer: Figure | None = None
    aim: Aim | None = None
    note: str = ""
    """What was found equal, and what a reader must know to judge the figures."""

    @property
    def gain(self) -> float | None:
        """How many times better ours is: below 1 it is worse; None without a peer."""
        if self.peer is None:
            return None
        return self.peer.value / self.ours.value if self.ours.value else float("inf")

    @property
    def met(self) -> bool | None:
        """Whether the aim is met; None without one."""
        if self.aim is None:
            return None
        if self.aim.bound == "at most":
            return self.ours.value <= self.aim.value
        reached = self.gain if self.aim.bound == "times" else self.ours.value
        return reached is not None and reached >= self.aim.value


def compared(
    what: str,
    ours: tuple[str, Callable[[], object]],
    peer: tuple[str, Callable[[], object]],
    rounds: int,
    *,
    parts: int = 1,
    aim: Aim | None = None,
    note: str = "",
) -> Row:
    """Time ours and a peer, each a name and what it does, in turns; return the medians in ms.

    `parts` is how many equal things one call does: the figures are of one of them.
    """
    ways = {each[0]: partial(_seconds, each[1]) for each in (ours, peer)}
    taken = {name: 1000 * each / parts for name, each in medians(ways, rounds).items()}
    mine, theirs = (Figure(each[0], taken[each[0]]) for each in (ours, peer))
    return Row(what=what, unit="ms", ours=mine, peer=theirs, aim=aim, note=note)


def medians(ways: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """Return the median figure that each way returns, after one round that is not counted.

    Every round runs each way once, the order turning by one from round to round.
    """
    gc.collect()
    names = list(ways)
    figures: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds + 1):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            with gc_disabled():
                figure = ways[name]()
            if number:
                figures[name].append(figure)
    return {name: median(each) for name, each in figures.items()}


def _seconds(way: Callable[[], object]) -> float:
    began = time.perf_counter()
    way()
    return time.perf_counter() - began


def rows_table(rows: Sequence[Row]) -> str:
    """Return a line a row; `better` says how many times better ours is than the peer.

    `aim` is what is promised for a million chunks of real text, and whether these figures meet it.
    """
    head = ("what", "ours", "peer", "better", "aim", "note")
    return markdown(head, [_line(row) for row in rows])


def _line(row: Row) -> tuple[str, ...]:
    ours, peer = (
        "" if each is None else f"{_short(each.value)} {row.unit} ({each.name})"
        for each in (row.ours, row.peer)
    )
    better = "" if row.gain is None else f"{_short(row.gain)} ×"
    return (row.what, ours, peer, better, _format_aim(row), row.note)


def _format_aim(row: Row) -> str:
    if row.aim is None:
        return ""
    bound = f"{_short(row.aim.value)} {'×' if row.aim.bound == 'times' else row.unit}"
    sign = "≤" if row.aim.bound == "at most" else "≥"
    return f"{sign} {bound}: {'met' if row.met else '**missed**'}"


def _short(value: float) -> str:
    """Return three significant digits, with thousands separated.

    >>> _short(0.01234), _short(1.5), _short(12345.6)
    ('0.0123', '1.5', '12,346')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
