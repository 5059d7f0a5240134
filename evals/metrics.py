"""The figures of one question: precision, recall, F1, count error, exactness."""

import math
from collections.abc import Collection
from dataclasses import dataclass

__all__ = ("Match", "absolute_error", "is_exact", "match", "normalised_error", "relative_error")


@dataclass(frozen=True, slots=True)
class Match:
    """Two sets compared; None where a figure is undefined."""

    precision: float | None
    recall: float | None
    f1: float | None


def match(
    predicted: Collection[str], gold: Collection[str], neutral: Collection[str] = ()
) -> Match:
    """Compare sets; neutral items count neither for nor against.

    Nothing predicted where nothing is right is a perfect answer. Otherwise precision is undefined
    where nothing was predicted, recall where nothing is right.

    >>> match({"a", "b", "x"}, {"a", "c"}, neutral={"x"})
    Match(precision=0.5, recall=0.5, f1=0.5)
    """
    answered, right = set(predicted) - set(neutral), set(gold) - set(neutral)
    if not answered and not right:
        return Match(1.0, 1.0, 1.0)
    hits = len(answered & right)
    return Match(
        hits / len(answered) if answered else None,
        hits / len(right) if right else None,
        2 * hits / (len(answered) + len(right)),
    )


def absolute_error(value: float | None, gold: float) -> float:
    """Return ACE = |ŷ - y| (AGGBench, section 5); no value counts as 0."""
    return abs((value or 0.0) - gold)


def normalised_error(value: float | None, gold: float) -> float:
    """Return NACE = |ŷ - y| / max(y, 1).

    The paper divides by y + ε: the same for every count above 0, where ε is negligible, and
    finite for the count 0.

    >>> normalised_error(3, 2), normalised_error(2, 0), normalised_error(None, 5)
    (0.5, 2.0, 1.0)
    """
    return absolute_error(value, gold) / max(abs(gold), 1.0)


def relative_error(value: float | None, gold: float) -> float:
    """Return |ŷ - y| / |y| of a measured number; by 1 where y is 0."""
    return absolute_error(value, gold) / (abs(gold) or 1.0)


def is_exact(value: float | None, gold: float, *, measured: bool) -> bool:
    """Say whether the number is right: counts to the unit, measured ones to 1 in 10,000.

    True averages are published with four to six digits, hence the tolerance.
    """
    if value is None:
        return False
    if not measured:
        return value == gold
    return math.isclose(value, gold, rel_tol=1e-4, abs_tol=1e-9)
