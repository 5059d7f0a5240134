"""Questions whose parts may go together in two ways: scope (B1), attachment (B2)."""

from evals.drawn.field import Category, article
from evals.drawn.maker import Maker, Wondered

__all__ = ("both", "joined", "lacking", "neither")


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
