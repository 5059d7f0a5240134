"""Questions with a limit that nobody named: many, high (A1), recent, early (A2)."""

from evals.drawn.entry import Test
from evals.drawn.field import Amount, article
from evals.drawn.maker import Maker, Wondered
from evals.drawn.those import Those

__all__ = ("amount", "early", "people", "recent")


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
