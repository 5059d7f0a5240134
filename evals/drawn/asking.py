"""Ambiguous questions over a collection, each reading with what it comes to; and controls."""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from evals.drawn.collection import Collection
from evals.drawn.field import ANY
from evals.drawn.limits import amount, early, people, recent
from evals.drawn.maker import Maker, Wondered
from evals.drawn.mention import times
from evals.drawn.structure import both, joined, lacking, neither
from evals.drawn.those import Those

__all__ = ("wonder",)

_ONE_IN: Final = 3
"""Of so many kinds of questions one is to make no difference."""
_DRAWS: Final = 600
"""How often a question is drawn anew at most, until it makes a difference or none as it is to."""
_Make = Callable[[Maker], Wondered]


def wonder(
    collection: Collection, rng: np.random.Generator, *, turn: int = 0, natural: bool = False
) -> Iterator[Wondered]:
    """Ask a question of each kind that the fields permit, and what is plain.

    Of every third kind, which ones depending on the turn, the values are drawn anew until all
    readings count the same documents: real readings, which make no difference in this collection.
    Of the others they are drawn until the readings differ. Where chance gives no such values, the
    last ones are taken as they are. What is `natural` is only drawn until a reading comes to more
    than nothing.
    """
    maker = Maker(collection, rng)
    for number, make in enumerate(_kinds(collection), start=turn):
        if natural:
            yield _drawn(make, maker, lambda each: each.something)
        elif number % _ONE_IN == 0:
            yield _drawn(make, maker, lambda each: each.idle)
        else:
            yield _drawn(make, maker, lambda each: each.matters)
    yield from _clear(maker)


def _drawn(make: _Make, maker: Maker, wanted: Callable[[Wondered], bool]) -> Wondered:
    """Draw a question until it is as wanted."""
    drawn = make(maker)
    for _ in range(_DRAWS):
        if wanted(drawn):
            break
        drawn = make(maker)
    return drawn


def _kinds(collection: Collection) -> Iterator[_Make]:
    """Yield the kinds of questions that can be asked."""
    paired = any(ANY not in pair for pair in collection.pairs)
    dated, crossed = collection.dates is not None, bool(collection.crossed)
    possible: tuple[tuple[_Make, bool], ...] = (
        (people, bool(collection.listings)),
        (amount, bool(collection.amounts)),
        (recent, dated),
        (early, dated),
        (lacking, bool(collection.extras)),
        (neither, paired),
        (joined, crossed),
        (times, bool(collection.things)),
        (both, dated and crossed),
    )
    yield from (make for make, able in possible if able)


def _clear(maker: Maker) -> Iterator[Wondered]:
    """Ask what is plain."""
    collection, every = maker.collection, maker.every
    far, near = maker.of(collection.pairs)
    second, first = maker.one(near.values), maker.one(far.values)
    if far is not ANY:
        yield _control(
            maker, f"How many {every.of(near, second)} {far.told(first)}?",
            every.of(near, second).of(far, first),
        )  # fmt: skip
    if collection.dates is not None:
        year = maker.of(collection.dates.past)
        told = collection.dates.told(f"in {year}")
        yield _control(maker, f"How many {every} {told}?", every.within(collection.dates, year))
    if collection.things:
        word = maker.one(collection.things)
        question = f"How many {every} mention {collection.thing.format(word)}?"
        yield Wondered(question, (), (maker.meant(question, lambda each: each.mentions(word) > 0),))


def _control(maker: Maker, question: str, those: Those) -> Wondered:
    return Wondered(question, (), (maker.meant(question, those.test),))
