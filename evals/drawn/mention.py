"""Questions that leave open what is counted: documents, or times (C1)."""

from evals.drawn.maker import Maker, Meant, Wondered

__all__ = ("times",)


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
