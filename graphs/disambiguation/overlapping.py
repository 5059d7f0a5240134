"""Ambiguities about the same words: which is asked first, and what a reply settles besides."""

from collections.abc import Sequence

from agent.ambiguity import Ambiguity


def outer_first(ambiguities: Sequence[Ambiguity]) -> tuple[Ambiguity, ...]:
    """Put an ambiguity of a phrase before those of words in it; else the order stays.

    What the phrase means decides what its words are about: `recent maps and globes` before
    `recent`. One that makes no difference is not put before one that does.
    """
    ordered: list[Ambiguity] = []
    for each in ambiguities:
        inner = (at for at, other in enumerate(ordered) if _within(other, each))
        place = next(inner, len(ordered))
        ordered.insert(len(ordered) if each.differs is False else place, each)
    return tuple(ordered)


def still_open(
    others: Sequence[Ambiguity], taken: Ambiguity, question: str
) -> tuple[Ambiguity, ...]:
    """Return the others but those about words of the one settled that its question has no more."""
    return tuple(
        each
        for each in others
        if not (_within(each, taken) or _within(taken, each)) or stands(each, question)
    )


def unsettled(ambiguities: Sequence[Ambiguity]) -> tuple[Ambiguity, ...]:
    """Leave out what every reading of an earlier one, of a phrase that holds it, settles too."""
    return tuple(
        each
        for at, each in enumerate(ambiguities)
        if not any(
            _within(each, outer) and not any(stands(each, one.question) for one in outer.readings)
            for outer in ambiguities[:at]
        )
    )


def stands(ambiguity: Ambiguity, question: str) -> bool:
    """Tell whether a question still has an ambiguity's words."""
    return ambiguity.span.casefold() in question.casefold()


def _within(inner: Ambiguity, outer: Ambiguity) -> bool:
    one, other = inner.span.casefold(), outer.span.casefold()
    return bool(one) and one != other and one in other
