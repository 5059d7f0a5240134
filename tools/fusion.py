"""Reciprocal rank fusion: one ranking from several."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

__all__ = ("ETA", "reciprocal_rank_fusion")

T = TypeVar("T", bound=Hashable)

ETA = 60.0
"""η of Cormack, Clarke and Büttcher (SIGIR 2009), whom ADF cites without a value of its own."""


def reciprocal_rank_fusion(
    rankings: Sequence[Iterable[T]], *, eta: float = ETA
) -> list[tuple[T, float]]:
    """Merge rankings by score(d) = Σ_r 1 / (η + rank_r(d)), ranks from 1 (ADF, eq. 6).

    A ranking that lacks an item adds nothing; an item named twice in one counts where it stands
    first. Equal scores keep the order in which the rankings, read one after another, name them.

    >>> [item for item, _ in reciprocal_rank_fusion([["a", "b"], ["b", "c"]])]
    ['b', 'a', 'c']
    """
    scores: dict[T, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            scores[item] = scores.get(item, 0.0) + 1.0 / (eta + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])
