"""How long most, and how long the slowest, had to wait (ADF, 5.2.4)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ("Percentiles", "percentiles")


@dataclass(frozen=True, slots=True)
class Percentiles:
    """The seconds within which 50, 95 and 99 of 100 were served; None where nobody was."""

    p50: float | None
    p95: float | None
    p99: float | None


def percentiles(seconds: Sequence[float]) -> Percentiles:
    """Return the percentiles, interpolated linearly between neighbours.

    >>> percentiles([1.0, 2.0, 3.0])
    Percentiles(p50=2.0, p95=2.9, p99=2.98)
    """
    if not seconds:
        return Percentiles(None, None, None)
    found = np.percentile(np.asarray(seconds, dtype=np.float64), (50, 95, 99))
    p50, p95, p99 = (float(each) for each in found)
    return Percentiles(p50, p95, p99)
