"""How well a ranking puts what is relevant first: nDCG@k and Recall@k (ADF, 5.2.3)."""

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

__all__ = ("ndcg_at", "recall_at")

T = TypeVar("T", bound=Hashable)


def ndcg_at(ranked: Sequence[T], relevant: Mapping[T, float], k: int = 5) -> float:
    """Return nDCG@k: Σ gain / log2(rank + 1) over the first k, over the most that it could be.

    Args:
        ranked: the best first; what occurs again counts once, at its first place.
        relevant: the gain of each relevant item, above 0; all other items have none.
        k: how many are looked at.

    Returns:
        A share in [0, 1]; 0 where nothing is relevant.

    >>> ndcg_at(["x", "a"], {"a": 1.0}), ndcg_at(["a", "b"], {"a": 1.0, "b": 1.0})
    (0.6309297535714575, 1.0)
    """
    gained = _discounted(relevant.get(each, 0.0) for each in _first(ranked, k))
    most = _discounted(sorted(relevant.values(), reverse=True)[:k])
    return gained / most if most else 0.0


def recall_at(ranked: Sequence[T], relevant: Collection[T], k: int = 5) -> float:
    """Return Recall@k: the share of the relevant items among the first k; 0 where none is.

    >>> recall_at(["a", "x", "b"], {"a", "b"}, k=2)
    0.5
    """
    wanted = set(relevant)
    return len(wanted & set(_first(ranked, k))) / len(wanted) if wanted else 0.0


def _first(ranked: Sequence[T], k: int) -> list[T]:
    return list(dict.fromkeys(ranked))[:k]


def _discounted(gains: Iterable[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))
