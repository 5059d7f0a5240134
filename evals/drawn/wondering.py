"""Ambiguous questions over a collection, each reading with what it comes to; and controls."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from agent.errors import SettingsError
from evals.drawn.collection import (
    ANY,
    Amount,
    Category,
    Collection,
    Maker,
    Meant,
    Test,
    Those,
    Wondered,
    article,
)

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = (
    "amount",
    "both",
    "check_new",
    "early",
    "joined",
    "lacking",
    "lines_of",
    "neither",
    "people",
    "recent",
    "times",
    "wonder",
    "write_lines",
)


def people(maker: Maker) -> Wondered:
    """Ask for many items of a list."""
    listing = maker.of(maker.collection.listings)
    limits, which = maker.of(listing.least), maker.which(listing.name)
    return Wondered(
        f"How many {which} have many {listing.many}?",
        ("A1",),
        tuple(
            maker.meant(
                f"How many {which} have at least {least} {listing.many}?",
                _listing(which, listing.name, least),
            )
            for least in limits
        ),
    )


def amount(maker: Maker) -> Wondered:
    """Ask for a high amount."""
    far, near = maker.of(maker.collection.pairs)
    asked, value = maker.of(maker.collection.amounts), maker.one(far.values)
    limits, which = maker.of(asked.least), maker.every
    if maker.of((False, True)):
        which = which.of(near, maker.one(near.values))
    told = far.told(value)
    narrowed = which.of(far, value).test
    high = which.with_("a high " + asked.name)
    return Wondered(
        f"How many {high} {told}?",
        ("A1",),
        tuple(
            maker.meant(
                f"How many {which.with_(_at_least(asked, least))} {told}?",
                _amounting(narrowed, asked, least),
            )
            for least in limits
        ),
    )


def recent(maker: Maker) -> Wondered:
    """Ask for what is recent."""
    dates = maker.dates
    limits, which = maker.of(dates.recent), maker.which()
    return Wondered(
        f"How many {dates.recently(which)}?",
        ("A2",),
        tuple(
            maker.meant(
                f"How many {which} {dates.told(f'in {year} or later')}?",
                which.since(dates, year).test,
            )
            for year in limits
        ),
    )


def early(maker: Maker) -> Wondered:
    """Ask for what is early."""
    dates, which = maker.dates, maker.which()
    limits = maker.of(dates.early)
    return Wondered(
        f"How many early {which} are there?",
        ("A2",),
        tuple(
            maker.meant(f"How many {which} {dates.told(f'before {year}')}?", _before(which, year))
            for year in limits
        ),
    )


def _at_least(asked: Amount, least: float) -> str:
    shown = f"{least:.0f}" if float(least).is_integer() else f"{least}"
    return f"{article(asked.name)} of at least {shown}"


def _listing(which: Those, name: str, least: int) -> Test:
    return lambda each: which.test(each) and each.items.get(name, 0) >= least


def _amounting(test: Test, asked: Amount, least: float) -> Test:
    return lambda each: test(each) and each.amounts.get(asked.name, least - 1) >= least


def _before(which: Those, year: int) -> Test:
    return lambda each: which.test(each) and each.year is not None and each.year < year


def times(maker: Maker) -> Wondered:
    """Ask how often something is mentioned."""
    collection = maker.collection
    word = maker.one(collection.things)
    thing, which = collection.thing.format(word), maker.which()
    within = "" if str(which) == collection.many else f" in {which}"
    every = sum(each.mentions(word) for each in collection.entries if which.test(each))
    return Wondered(
        f"How often is {thing} mentioned{within}?",
        ("C1",),
        (
            maker.meant(
                f"In how many {which} is {thing} mentioned?",
                lambda each: which.test(each) and each.mentions(word) > 0,
            ),
            Meant(
                f"How many occurrences of the word {word} are there in all {which}?",
                number=every,
            ),
        ),
    )


def lacking(maker: Maker) -> Wondered:
    """Ask for documents that do not have this and that."""
    one, other = maker.of(maker.collection.extras)
    asked, year = maker.which(one, other), maker.when()
    which = maker.within(asked, year)
    return Wondered(
        f"How many {which} do not have {article(one)} and {article(other)}?",
        ("B1",),
        (
            maker.meant(
                f"How many {which} have neither {article(one)} nor {article(other)}?",
                lambda each: which.test(each) and each.stated.isdisjoint((one, other)),
            ),
            maker.meant(
                f"How many {which} lack {article(one)} or lack {article(other)}?",
                lambda each: which.test(each) and not each.stated.issuperset((one, other)),
            ),
        ),
    )


def neither(maker: Maker) -> Wondered:
    """Ask for documents that are not this or that."""
    far, near = maker.of(maker.collection.pairs)
    first, second = maker.one(far.values), maker.one(near.values)
    which = maker.within(maker.every, maker.when())
    negated, neither_, either = _alternatives(maker.collection.many, far, near, first, second)
    is_first, is_second = far.test(first), near.test(second)
    return Wondered(
        f"How many {which} {negated}?",
        ("B1",),
        (
            maker.meant(
                f"How many {which} {neither_}?",
                lambda each: which.test(each) and not is_first(each) and not is_second(each),
            ),
            maker.meant(
                f"How many {which} {either}?",
                lambda each: which.test(each) and (not is_first(each) or is_second(each)),
            ),
        ),
    )


def _alternatives(
    many: str, far: Category, near: Category, first: str, second: str
) -> tuple[str, str, str]:
    """Return `are not A or B` and both its readings, of values that can be said so or not."""
    if first in far.adjectives and second in near.adjectives:
        return (
            f"are not {first} or {second} {many}",
            f"are neither {first} nor {second} {many}",
            f"are either not {first}, or are {second} {many}",
        )
    one, other = f"the {far.name} {first}", f"the {near.name} {second}"
    return (
        f"do not have {one} or {other}",
        f"have neither {one} nor {other}",
        f"either do not have {one}, or have {other}",
    )


def joined(maker: Maker) -> Wondered:
    """Ask for A B and C documents."""
    many = maker.collection.many
    far, near = maker.of(maker.collection.crossed)
    state = maker.one(far.adjectives)
    one, other = maker.two(near.adjectives)
    year = maker.when()
    which = maker.within(maker.every, year)
    are = "are there" if year is None else maker.dates.told(f"in {year}")
    of_state, of_one, of_other = far.test(state), near.test(one), near.test(other)
    return Wondered(
        f"How many {state} {one} and {other} {many} {are}?",
        ("B2",),
        (
            maker.meant(
                f"How many {which} {far.told(state)} and have the {near.name} {one} or {other}?",
                lambda each: (
                    which.test(each) and of_state(each) and (of_one(each) or of_other(each))
                ),
            ),
            maker.meant(
                f"How many {which} are either {state} {one} {many}, or {other} {many} of any "
                f"{far.name}?",
                lambda each: (
                    which.test(each) and (of_other(each) or (of_state(each) and of_one(each)))
                ),
            ),
        ),
    )


def both(maker: Maker) -> Wondered:
    """Ask for recent A and B documents: what is recent, and of which."""
    many, dates = maker.collection.many, maker.dates
    far, near = maker.of(maker.collection.crossed)
    state = maker.one(far.adjectives)
    one, other = maker.two(near.adjectives)
    year = maker.of(dates.since)
    of_state = maker.every.of(far, state)
    late, late_one = of_state.since(dates, year), maker.every.of(near, one).since(dates, year)
    of_either, of_other = near.test(one, other), near.test(other)
    return Wondered(
        f"How many {dates.new} {one} and {other} {many} {far.told(state)}?",
        ("A2", "B2"),
        (
            maker.meant(
                f"How many {late} have the {near.name} {one} or {other}?",
                lambda each: late.test(each) and of_either(each),
            ),
            maker.meant(
                f"How many {of_state} are either {late_one}, or {other} {many} of any "
                f"{dates.noun}?",
                lambda each: of_state.test(each) and (of_other(each) or late_one.test(each)),
            ),
        ),
    )


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


def check_new(into: Path) -> None:
    """Raise SettingsError where a folder holds something."""
    if into.is_dir() and any(into.iterdir()):
        raise SettingsError(f"{str(into)!r} is not empty: choose a folder that is not there yet")


def lines_of(name: str, corpus: str, asked: Iterable[Wondered]) -> Iterator[str]:
    """Yield a line a question; `name` begins their ids, `corpus` is what they are asked over."""
    for number, each in enumerate(asked, start=1):
        line = {"id": f"{name}-{number:02}", "corpus": corpus, **_question(each)}
        yield json.dumps(line, ensure_ascii=False)


def write_lines(into: Path, lines: Iterable[str]) -> None:
    """Write `questions.jsonl` into a folder, which is made."""
    into.mkdir(parents=True, exist_ok=True)
    (into / "questions.jsonl").write_text("\n".join([*lines, ""]), encoding="utf-8")


def _question(asked: Wondered) -> dict[str, "JsonValue"]:
    return {
        "question": asked.question,
        "ambiguity": [*asked.codes],
        "is_ambiguous": bool(asked.codes),
        "readings": [_reading(each) for each in asked.readings],
    }


def _reading(meant: Meant) -> "JsonValue":
    if meant.number is not None:
        return {"rewritten": meant.question, "answer_value": meant.number}
    return {
        "rewritten": meant.question,
        "answer_count": len(meant.names),
        "answer": [*meant.names],
    }
