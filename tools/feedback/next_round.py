"""Whether to read on, with the reason in words: pure functions of the rounds so far.

How likely unread chunks match is told from the ranking's scores.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from agent.value import counted


@dataclass(frozen=True, slots=True)
class Round:
    """What one round of feedback read and brought, over all conditions of the question."""

    read: int
    hits: int
    """Matches found, (chunk, condition) pairs; those proven without reading included."""


_IDLE_READ = 40
"""The fewest chunks that idle rounds must have read together to end the search."""


def ended(rounds: Sequence[Round], *, unread: int, idle_rounds: int) -> str:
    """Say why reading ends; empty where it goes on.

    Nothing is unread, or the last rounds were idle. An idle stop says nothing about what is left:
    where wordings differ, the last matches come after long droughts. Only an audit bounds them.

    >>> ended([Round(5, 2), Round(6, 1)], unread=900, idle_rounds=3)
    ''
    >>> ended([Round(20, 0)] * 3, unread=900, idle_rounds=3)
    'the last 3 rounds read 60 chunks and found nothing'
    """
    if not unread:
        return "every chunk was read"
    last = list(takewhile(lambda each: not each.hits, reversed(rounds)))
    read = sum(each.read for each in last)
    if len(last) < idle_rounds or read < _IDLE_READ:
        return ""
    return f"the last {counted(len(last), 'round')} read {counted(read, 'chunk')} and found nothing"


Outcome = tuple[float, bool]
"""The score a chunk had when it was chosen, and whether it proved to match."""

_SEED = 0
_RIDGE = 1.0


def chances(
    read: Sequence[Outcome], scores: Sequence[float] | NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how likely chunks of some scores match, (n,), by what was read.

    A logistic curve P(match | score) is fitted to what was read, each chunk with the score it had
    before it was read, so that no model is asked about what it learnt from (Platt 1999; one ridge
    parameter keeps the slope finite).

    While nothing matched, or nothing failed to, it is the share among the read for all of them,
    (matches + 1/2) / (read + 1).
    """
    if len({match for _, match in read}) < 2:
        return np.full(len(scores), (sum(match for _, match in read) + 0.5) / (len(read) + 1))
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1 / _RIDGE, random_state=_SEED)
    model.fit([[score] for score, _ in read], [match for _, match in read])
    likely: NDArray[np.float64] = model.predict_proba([[score] for score in scores])[:, 1]
    return likely
