"""How many matches are still unread: an estimate from the ranking's scores."""

from collections.abc import Sequence

import numpy as np

__all__ = ("Outcome", "expected_left")

Outcome = tuple[float, bool]
"""The score a chunk had when it was chosen, and whether it proved to match."""

_SEED = 0
_RIDGE = 1.0


def expected_left(read: Sequence[Outcome], unread: Sequence[float], *, beyond: int = 0) -> float:
    """Return the expected number of matches among the unread chunks, for one condition.

    A logistic curve P(match | score) is fitted to what was read, each chunk with the score it had
    before it was read, so that no model is asked about what it learnt from (Platt 1999; one ridge
    parameter keeps the slope finite). The sum of the curve over the unread scores is the estimate.

    It is biased. What was read was chosen by score, so that the curve is stretched to low scores
    where nothing was seen: a match in other words than all those found so far scores low and is
    hardly counted, which makes the estimate too small; the ranker mends itself from round to
    round, so that old scores were worse than today's, which makes it too large. On contracts and
    on proposals the latter won: mean recall was .94 where found / (found + left) was .7 to .8,
    .96 where it was .8 to .9, .97 where it was .9 to .95; single searches were overrated all the
    same. It is a reason to go on or not, no bound: only an audit gives one.

    Args:
        read: what was read, of rounds whose scores are comparable.
        unread: the scores of the unread chunks, best first.
        beyond: how many more are unread with no score of their own; each counts as the last.

    Returns:
        The number, in [0, unread + beyond]; 0 where nothing is unread, and all of them while
        nothing was read. While nothing matched, or nothing failed to, or nothing unread has a
        score, the share among the read, (matches + 1/2) / (read + 1), stands for the curve.
    """
    total = len(unread) + beyond
    if not total or not read:
        return float(total)
    hits = sum(match for _, match in read)
    if hits in (0, len(read)) or not unread:
        return total * (hits + 0.5) / (len(read) + 1)
    likely = _curve(read, unread)
    return float(likely.sum() + beyond * likely[-1])


def _curve(read: Sequence[Outcome], unread: Sequence[float]) -> np.ndarray:
    from sklearn.linear_model import LogisticRegression

    scores = np.array([[score] for score, _ in read])
    model = LogisticRegression(C=1 / _RIDGE, random_state=_SEED)
    model.fit(scores, [match for _, match in read])
    likely: np.ndarray = model.predict_proba(np.array([[score] for score in unread]))[:, 1]
    return likely
