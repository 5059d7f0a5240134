"""How much was likely missed: what the ranking expects to be left, and what no ranking expects.

The number is Poisson about a sum. What scores like what was found is as many as a curve of the
scores expects, times Gamma(½) of mean 1: such curves are wrong by factors. What is worded unlike it
is left at the rate at which the last audit, a random sample, met units: Gamma(c + hits) / drawn.
No bound: nothing proves it, and how often it holds is measured (docs/evaluation.md). After an audit
without a hit it covers rates up to about 0.28 hits an audit.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.8
"""How often, at least, what was missed should lie within."""
UNSEEN = 0.25
"""c, in hits."""
_FACTOR = 0.5
_DRAWS = 10_000
_SEED = 0


def likely_missed(expected: float, *, unread: int, drawn: int, hits: int, most: int) -> int:
    """Return a number of units that what was missed likely does not exceed, at most `most`.

    The ranking's curve expects `expected` units among the unread chunks; the last audit drew so
    many chunks, at least one, and met `hits` units.

    >>> likely_missed(0.1, unread=400, drawn=40, hits=0, most=50)
    4
    >>> likely_missed(0.1, unread=400, drawn=40, hits=2, most=50)
    33
    """
    generator = np.random.default_rng(_SEED)
    alike = generator.gamma(_FACTOR, expected / _FACTOR, _DRAWS)
    unlike = generator.gamma(UNSEEN + hits, unread / drawn, _DRAWS)
    missed = generator.poisson(np.minimum(alike + unlike, most))
    return min(most, int(np.quantile(missed, LEVEL, method="higher")))


Outcome = tuple[float, bool]
"""The score a chunk had when it was chosen, and whether it proved to match."""

_RIDGE = 1.0


def chances(
    read: Sequence[Outcome], scores: Sequence[float] | NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how likely chunks of some scores match, (n,), by what was read.

    A logistic curve P(match | score) is fitted to what was read, each chunk with the score it had
    before it was read (Platt 1999; one ridge parameter keeps the slope finite). While nothing
    matched, or nothing failed to, it is (matches + 1/2) / (read + 1) for all of them.
    """
    if len({match for _, match in read}) < 2:
        return np.full(len(scores), (sum(match for _, match in read) + 0.5) / (len(read) + 1))
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1 / _RIDGE, random_state=_SEED)
    model.fit([[score] for score, _ in read], [match for _, match in read])
    likely: NDArray[np.float64] = model.predict_proba([[score] for score in scores])[:, 1]
    return likely
