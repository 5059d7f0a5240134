"""How sure a figure is: percentile bootstrap over questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

__all__ = ("Estimate", "Statistic", "estimate")

Statistic = Literal["mean", "median"]
_RESAMPLES = 1000
_SEED = 20251


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic over n questions with its 95 % interval; all None where n is 0."""

    n: int
    value: float | None
    low: float | None
    high: float | None


def estimate(values: Sequence[float | None], statistic: Statistic = "mean") -> Estimate:
    """Return the statistic over the defined values with a percentile interval.

    The interval spans the 2.5th to the 97.5th percentile of 1,000 resamples of the questions
    with replacement (Efron's percentile bootstrap), from a fixed seed.

    >>> estimate([1.0, None, 1.0])
    Estimate(n=2, value=1.0, low=1.0, high=1.0)
    """
    defined = np.array([value for value in values if value is not None], dtype=np.float64)
    if not len(defined):
        return Estimate(0, None, None, None)
    over = np.mean if statistic == "mean" else np.median
    generator = np.random.default_rng(_SEED)
    drawn = defined[generator.integers(0, len(defined), size=(_RESAMPLES, len(defined)))]
    low, high = np.percentile(over(drawn, axis=1), (2.5, 97.5))
    return Estimate(len(defined), float(over(defined)), float(low), float(high))
