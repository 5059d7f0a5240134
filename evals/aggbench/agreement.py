"""How far two annotators agree: raw, and beyond chance (Cohen 1960)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = ("Agreement", "Verdict", "agreement")

Verdict = Literal["yes", "no", "unsure"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement on items that both have judged."""

    items: int
    raw: float | None
    """Share of the items judged alike; None without items."""
    kappa: float | None
    """Cohen's kappa; None where chance alone would agree on everything."""


def agreement(pairs: Sequence[tuple[Verdict, Verdict]]) -> Agreement:
    """Return the agreement of pairs of verdicts.

    >>> agreement([("yes", "yes"), ("yes", "no"), ("no", "no"), ("no", "no")])
    Agreement(items=4, raw=0.75, kappa=0.5)
    """
    items = len(pairs)
    if not items:
        return Agreement(0, None, None)
    raw = sum(one == other for one, other in pairs) / items
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    chance = sum(first[each] * second[each] for each in first) / items**2
    return Agreement(items, raw, None if chance == 1 else (raw - chance) / (1 - chance))
