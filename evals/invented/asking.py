"""Ambiguous questions over invented documents, each reading with what it comes to; and controls."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from evals.invented.maker import Maker, Meant, Test, Wondered
from evals.invented.sheet import LAST, Sheet
from evals.invented.trade import Trade

__all__ = ("wonder",)

_ONE_IN: Final = 3
"""Of so many kinds of questions one is to make no difference."""
_DRAWS: Final = 600
"""How often a question is drawn anew at most, until it makes a difference or none as it is to."""


def wonder(
    trade: Trade, sheets: Sequence[Sheet], rng: np.random.Generator, *, turn: int = 0
) -> Iterator[Wondered]:
    """Ask a question of each kind, and what is plain.

    Of every third kind, which ones depending on the turn, the values are drawn anew until all
    readings count the same documents: real readings, which make no difference in this collection.
    Of the others they are drawn until the readings differ. Where chance gives no such values, the
    last ones are taken as they are.
    """
    maker = Maker(trade, sheets, rng)
    for number, make in enumerate(_KINDS, start=turn):
        yield _drawn(make, maker, idle=number % _ONE_IN == 0)
    yield from _clear(maker)


def _drawn(make: Callable[[Maker], Wondered], maker: Maker, *, idle: bool) -> Wondered:
    """Draw a question until its readings come to the same, or until they do not."""
    drawn = [make(maker)]
    for _ in range(_DRAWS):
        if drawn[-1].idle if idle else drawn[-1].matters:
            break
        drawn.append(make(maker))
    return drawn[-1]


def _people(maker: Maker) -> Wondered:
    few, people = maker.years(3, 4), f"{maker.trade.person}s"
    which, test = maker.which()
    return Wondered(
        f"How many {which} have many {people}?",
        ("A1",),
        tuple(
            maker.meant(
                f"How many {which} have at least {least} {people}?", _having_people(test, least)
            )
            for least in (few, few + 2)
        ),
    )


def _amount(maker: Maker) -> Wondered:
    trade, state = maker.trade, maker.one(maker.trade.states)
    low = maker.years(40, 60) * 100
    kind = maker.one(trade.kinds) if maker.years(0, 1) else ""
    which = f"{kind} {trade.many}".strip()
    return Wondered(
        f"How many {which} with a high {trade.amount} are {state}?",
        ("A1",),
        tuple(
            maker.meant(
                f"How many {which} with a {trade.amount} of at least {least} are {state}?",
                _of_amount(kind, state, least),
            )
            for least in (low, low + 2000)
        ),
    )


def _recent(maker: Maker) -> Wondered:
    trade, near = maker.trade, LAST.year - maker.years(0, 1)
    which, test = maker.which()
    return Wondered(
        f"How many {which} were {trade.dated} recently?",
        ("A2",),
        tuple(
            maker.meant(
                f"How many {which} were {trade.dated} in {year} or later?", _since(test, year)
            )
            for year in (near, near - 2)
        ),
    )


def _early(maker: Maker) -> Wondered:
    trade = maker.trade
    which, test = maker.which()
    first = min(each.dated.year for each in maker.sheets) + maker.years(2, 3)
    return Wondered(
        f"How many early {which} are there?",
        ("A2",),
        tuple(
            maker.meant(f"How many {which} were {trade.dated} before {year}?", _before(test, year))
            for year in (first, first + 3)
        ),
    )


def _having_people(test: Test, least: int) -> Test:
    return lambda each: test(each) and len(each.people) >= least


def _of_amount(kind: str, state: str, least: int) -> Test:
    return lambda each: kind in {"", each.kind} and each.state == state and each.amount >= least


def _since(test: Test, year: int) -> Test:
    return lambda each: test(each) and each.dated.year >= year


def _before(test: Test, year: int) -> Test:
    return lambda each: test(each) and each.dated.year < year


def _lacking(maker: Maker) -> Wondered:
    one, other = maker.trade.extras
    (of, of_them), (when, then) = maker.which(), maker.when()
    which = f"{of}{when}"

    def test(each: Sheet) -> bool:
        return of_them(each) and then(each)

    return Wondered(
        f"How many {which} do not have a {one} and a {other}?",
        ("B1",),
        (
            maker.meant(
                f"How many {which} have neither a {one} nor a {other}?",
                lambda each: test(each) and not each.extras,
            ),
            maker.meant(
                f"How many {which} lack a {one} or lack a {other}?",
                lambda each: test(each) and len(each.extras) < 2,
            ),
        ),
    )


def _neither(maker: Maker) -> Wondered:
    trade, state = maker.trade, maker.one(maker.trade.states)
    kind = maker.one(trade.kinds)
    when, test = maker.when()
    return Wondered(
        f"How many {trade.many}{when} are not {state} or {kind} {trade.many}?",
        ("B1",),
        (
            maker.meant(
                f"How many {trade.many}{when} are neither {state} nor {kind} {trade.many}?",
                lambda each: test(each) and each.state != state and each.kind != kind,
            ),
            maker.meant(
                f"How many {trade.many}{when} are either not {state}, or are {kind} {trade.many}?",
                lambda each: test(each) and (each.state != state or each.kind == kind),
            ),
        ),
    )


def _joined(maker: Maker) -> Wondered:
    trade, state = maker.trade, maker.one(maker.trade.states)
    one, other = maker.two(trade.kinds)
    when, test = maker.when()
    return Wondered(
        f"How many {state} {one} and {other} {trade.many}"
        + (f" were{when}?" if when else " are there?"),
        ("B2",),
        (
            maker.meant(
                f"How many {trade.many}{when} are {state} and have the kind {one} or {other}?",
                lambda each: test(each) and each.state == state and each.kind in {one, other},
            ),
            maker.meant(
                f"How many {trade.many}{when} are either {state} {one} {trade.many}, or {other} "
                f"{trade.many} of any status?",
                lambda each: (
                    test(each)
                    and (each.kind == other or (each.state == state and each.kind == one))
                ),
            ),
        ),
    )


def _times(maker: Maker) -> Wondered:
    trade, thing = maker.trade, maker.one(maker.trade.things)
    which, test = maker.which()
    within = "" if which == trade.many else f" in {which}"
    every = sum(each.mentions(thing) for each in maker.sheets if test(each))
    return Wondered(
        f"How often is the {thing} mentioned{within}?",
        ("C1",),
        (
            maker.meant(
                f"In how many {which} is the {thing} mentioned?",
                lambda each: test(each) and each.mentions(thing) > 0,
            ),
            Meant(
                f"How many occurrences of the word {thing} are there in all {which}?",
                number=every,
            ),
        ),
    )


def _both(maker: Maker) -> Wondered:
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


_KINDS: Final = (
    _people, _amount, _recent, _early, _lacking, _neither, _joined, _times, _both,
)  # fmt: skip


def _clear(maker: Maker) -> Iterator[Wondered]:
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
