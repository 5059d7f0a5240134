"""One line of a benchmark: a figure of ours, beside a peer's, against an aim, with a note."""

import gc
import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from statistics import median
from typing import Any, Literal, Self

from pydantic import JsonValue

from evals.tables import markdown

__all__ = (
    "LARGE",
    "Aim",
    "Figure",
    "Row",
    "Unequal",
    "medians",
    "medians_told",
    "report",
    "rows_table",
)

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


_BOUNDS = {"at most": "≤", "at least": "≥", "times": "≥"}


def rows_table(rows: Sequence[Row]) -> str:
    """Return a line a row; `better` says how many times better ours is than the peer.

    `aim` is what is promised for a million chunks of real text, and whether these figures meet it.
    """
    head = ("what", "ours", "peer", "better", "aim", "note")
    return markdown(head, [_line(row) for row in rows])


def report(rows: Sequence[Row], chunks: int, rounds: int) -> dict[str, JsonValue]:
    """Return the rows with what the figures depend on: sizes, rounds, cores, Python."""
    return {
        "chunks_asked": chunks,
        "rounds": rounds,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "rows": [row.to_json() for row in rows],
    }


def _line(row: Row) -> tuple[str, ...]:
    better = "" if row.gain is None else f"{_short(row.gain)} ×"
    sides = _told(row.ours, row.unit), _told(row.peer, row.unit)
    return (row.what, *sides, better, _aim(row), row.note)


def _told(figure: Figure | None, unit: str) -> str:
    return "" if figure is None else f"{_short(figure.value)} {unit} ({figure.name})"


def _aim(row: Row) -> str:
    if row.aim is None:
        return ""
    unit = "×" if row.aim.bound == "times" else row.unit
    bound = f"{_BOUNDS[row.aim.bound]} {_short(row.aim.value)} {unit}"
    return f"{bound}: {'met' if row.met else '**missed**'}"


def _short(value: float) -> str:
    """Return three significant digits, thousands parted.

    >>> _short(0.01234), _short(1.5), _short(12345.6)
    ('0.0123', '1.5', '12,346')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def medians(ways: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median seconds of each way, after one round that is not counted.

    Every round runs each way once, the order turning by one from round to round.
    """
    return medians_told({name: partial(_seconds, way) for name, way in ways.items()}, rounds)


def medians_told(ways: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """Return the median of what each way tells, in rounds as those of `medians`."""
    gc.collect()
    names = list(ways)
    told: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds + 1):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            with _uncollected():
                figure = ways[name]()
            if number:
                told[name].append(figure)
    return {name: median(each) for name, each in told.items()}


def _seconds(way: Callable[[], object]) -> float:
    began = time.perf_counter()
    way()
    return time.perf_counter() - began


@contextmanager
def _uncollected() -> Iterator[None]:
    """Hold back the collector of cyclic garbage, as `timeit` does."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
