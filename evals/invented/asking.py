"""Ambiguous questions over invented documents, each reading with what it comes to; and controls."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from agent.taxonomy import AmbiguityCode
from evals.invented.sheet import LAST, Sheet
from evals.invented.trade import Trade

__all__ = ("Meant", "Wondered", "wonder")

Test = Callable[[Sheet], bool]


@dataclass(frozen=True, slots=True)
class Meant:
    """A reading in words that leave nothing open, and its answer."""

    question: str
    names: tuple[str, ...] = ()
    """The documents it counts."""
    number: int | None = None
    """What it comes to, where that is not how many documents it counts."""


@dataclass(frozen=True, slots=True)
class Wondered:
    """A question and its readings; a control has one and no code."""

    question: str
    codes: tuple[AmbiguityCode, ...]
    readings: tuple[Meant, ...]


@dataclass(frozen=True, slots=True)
class _Maker:
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


def wonder(trade: Trade, sheets: Sequence[Sheet], rng: np.random.Generator) -> Iterator[Wondered]:
    """Ask a question of each kind; whether its readings come to the same is left to chance."""
    maker = _Maker(trade, sheets, rng)
    for make in (_people, _amount, _recent, _early, _lacking, _neither, _joined, _times, _both):
        yield make(maker)
    yield from _clear(maker)


def _people(maker: _Maker) -> Wondered:
    trade, few = maker.trade, maker.years(3, 4)
    people = f"{trade.person}s"
    return Wondered(
        f"How many {trade.many} have many {people}?",
        ("A1",),
        tuple(
            maker.meant(
                f"How many {trade.many} have at least {least} {people}?", _having_people(least)
            )
            for least in (few, few + 2)
        ),
    )


def _amount(maker: _Maker) -> Wondered:
    trade, state = maker.trade, maker.one(maker.trade.states)
    low = maker.years(40, 60) * 100
    return Wondered(
        f"How many {trade.many} with a high {trade.amount} are {state}?",
        ("A1",),
        tuple(
            maker.meant(
                f"How many {trade.many} with a {trade.amount} of at least {least} are {state}?",
                _of_amount(state, least),
            )
            for least in (low, low + 2000)
        ),
    )


def _recent(maker: _Maker) -> Wondered:
    trade, near = maker.trade, LAST.year - maker.years(0, 1)
    return Wondered(
        f"How many {trade.many} were {trade.dated} recently?",
        ("A2",),
        tuple(
            maker.meant(
                f"How many {trade.many} were {trade.dated} in {year} or later?", _since(year)
            )
            for year in (near, near - 2)
        ),
    )


def _early(maker: _Maker) -> Wondered:
    trade, kind = maker.trade, maker.one(maker.trade.kinds)
    first = min(each.dated.year for each in maker.sheets) + maker.years(2, 3)
    return Wondered(
        f"How many early {kind} {trade.many} are there?",
        ("A2",),
        tuple(
            maker.meant(
                f"How many {kind} {trade.many} were {trade.dated} before {year}?",
                _before(kind, year),
            )
            for year in (first, first + 3)
        ),
    )


def _having_people(least: int) -> Test:
    return lambda each: len(each.people) >= least


def _of_amount(state: str, least: int) -> Test:
    return lambda each: each.state == state and each.amount >= least


def _since(year: int) -> Test:
    return lambda each: each.dated.year >= year


def _before(kind: str, year: int) -> Test:
    return lambda each: each.kind == kind and each.dated.year < year


def _lacking(maker: _Maker) -> Wondered:
    trade, kind = maker.trade, maker.one(maker.trade.kinds)
    one, other = trade.extras
    return Wondered(
        f"How many {kind} {trade.many} do not have a {one} and a {other}?",
        ("B1",),
        (
            maker.meant(
                f"How many {kind} {trade.many} have neither a {one} nor a {other}?",
                lambda each: each.kind == kind and not each.extras,
            ),
            maker.meant(
                f"How many {kind} {trade.many} lack a {one} or lack a {other}?",
                lambda each: each.kind == kind and len(each.extras) < 2,
            ),
        ),
    )


def _neither(maker: _Maker) -> Wondered:
    trade, state = maker.trade, maker.one(maker.trade.states)
    kind = maker.one(trade.kinds)
    return Wondered(
        f"How many {trade.many} are not {state} or {kind} {trade.many}?",
        ("B1",),
        (
            maker.meant(
                f"How many {trade.many} are neither {state} nor {kind} {trade.many}?",
                lambda each: each.state != state and each.kind != kind,
            ),
            maker.meant(
                f"How many {trade.many} are either not {state}, or are {kind} {trade.many}?",
                lambda each: each.state != state or each.kind == kind,
            ),
        ),
    )


def _joined(maker: _Maker) -> Wondered:
    trade, state = maker.trade, maker.one(maker.trade.states)
    one, other = maker.two(trade.kinds)
    return Wondered(
        f"How many {state} {one} and {other} {trade.many} are there?",
        ("B2",),
        (
            maker.meant(
                f"How many {trade.many} are {state} and have the kind {one} or {other}?",
                lambda each: each.state == state and each.kind in {one, other},
            ),
            maker.meant(
                f"How many {trade.many} are either {state} {one} {trade.many}, or {other} "
                f"{trade.many} of any status?",
                lambda each: each.kind == other or (each.state == state and each.kind == one),
            ),
        ),
    )


def _times(maker: _Maker) -> Wondered:
    trade, thing = maker.trade, maker.one(maker.trade.things)
    every = sum(each.mentions(thing) for each in maker.sheets)
    return Wondered(
        f"How often is the {thing} mentioned?",
        ("C1",),
        (
            maker.meant(
                f"In how many {trade.many} is the {thing} mentioned?",
                lambda each: each.mentions(thing) > 0,
            ),
            Meant(
                f"How many occurrences of the word {thing} are there in all {trade.many}?",
                number=every,
            ),
        ),
    )


def _both(maker: _Maker) -> Wondered:
    trade, state = maker.trade, maker.one(maker.trade.states)
    one, other = maker.two(trade.kinds)
    year = LAST.year - maker.years(2, 4)
    return Wondered(
        f"How many recently {trade.dated} {one} and {other} {trade.many} are {state}?",
        ("A2", "B2"),
        (
            maker.meant(
                f"How many {state} {trade.many} {trade.dated} in {year} or later have the kind "
                f"{one} or {other}?",
                lambda each: (
                    each.state == state and each.dated.year >= year and each.kind in {one, other}
                ),
            ),
            maker.meant(
                f"How many {state} {trade.many} are either {one} {trade.many} {trade.dated} in "
                f"{year} or later, or {other} {trade.many} of any date?",
                lambda each: (
                    each.state == state
                    and (each.kind == other or (each.kind == one and each.dated.year >= year))
                ),
            ),
        ),
    )


def _clear(maker: _Maker) -> Iterator[Wondered]:
    """Ask what is plain."""
    trade = maker.trade
    kind, state = maker.one(trade.kinds), maker.one(trade.states)
    year, thing = LAST.year - maker.years(1, 9), maker.one(trade.things)
    plain: tuple[tuple[str, Test], ...] = (
        (
            f"How many {kind} {trade.many} are {state}?",
            lambda each: (each.kind, each.state) == (kind, state),
        ),
        (
            f"How many {trade.many} were {trade.dated} in {year}?",
            lambda each: each.dated.year == year,
        ),
        (f"How many {trade.many} mention the {thing}?", lambda each: each.mentions(thing) > 0),
    )
    for question, test in plain:
        yield Wondered(question, (), (maker.meant(question, test),))
