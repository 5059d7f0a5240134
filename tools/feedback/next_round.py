"""Whether to read on, with the reason in words: pure functions of the rounds so far.

How many matches are still unread is estimated from the ranking's scores.
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


def ended(
    rounds: Sequence[Round],
    *,
    unread: int,
    idle_rounds: int,
    target: float | None = None,
    left: float | None = None,
) -> str:
    """Say why reading ends, by the first rule that applies; empty where it goes on.

    Nothing is unread; the estimated recall, found / (found + left), reaches the target; the last
    rounds were idle. An idle stop says nothing about what is left: where wordings differ, the last
    matches come after long droughts. Only an audit bounds them.

    `left` is the expected number of unread matches (`expected_left`, all conditions), None where it
    is not known; without a target no estimate ends anything.

    >>> ended([Round(5, 2), Round(6, 1)], unread=900, idle_rounds=3)
    ''
    >>> ended([Round(20, 0)] * 3, unread=900, idle_rounds=3)
    'the last 3 rounds read 60 chunks and found nothing'
    """
    matches = sum(each.hits for each in rounds)
    why = "" if unread else "every chunk was read"
    return why or _complete(matches, left, target) or _idle(rounds, idle_rounds)


def _complete(found: int, left: float | None, target: float | None) -> str:
    if target is None or left is None or not found:
        return ""
    recall = found / (found + left)
    if recall < target:
        return ""
    return (
        f"{found} matches were found and about {left:.1f} are expected among the unread: an "
        f"estimated recall of {recall:.2f}, the target being {target:.2f}"
    )


def _idle(rounds: Sequence[Round], most: int) -> str:
    last = list(takewhile(lambda each: not each.hits, reversed(rounds)))
    read = sum(each.read for each in last)
    if len(last) < most or read < _IDLE_READ:
        return ""
    return f"the last {counted(len(last), 'round')} read {counted(read, 'chunk')} and found nothing"


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
    hardly counted, which makes the estimate too small; the ranker corrects itself from round to
    round, so that old scores were worse than today's, which makes it too large. On contracts and
    on proposals the latter won: mean recall was .94 where found / (found + left) was .7 to .8,
    .96 where it was .8 to .9, .97 where it was .9 to .95; single searches were overrated all the
    same. It is a reason to go on or not, no bound: only an audit gives one.

    The unread scores come best first; `beyond` more chunks have none and count as the last does.

    Returns:
        The number, in [0, unread + beyond]; 0 where nothing is unread, and all of them while
        nothing was read. While nothing matched, or nothing failed to, or nothing unread has a
        score, the share among the read, (matches + 1/2) / (read + 1), stands for the curve.
    """
    total = len(unread) + beyond
    if not total or not read:
        return float(total)
    if not unread:
        return beyond * _share(read)
    likely = chances(read, unread)
    return float(likely.sum() + beyond * likely[-1])


def _share(read: Sequence[Outcome]) -> float:
    return (sum(match for _, match in read) + 0.5) / (len(read) + 1)


def chances(
    read: Sequence[Outcome], scores: Sequence[float] | NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how likely chunks of some scores match, (n,), by what was read.

    While nothing matched, or nothing failed to, it is the share among the read for all of them,
    (matches + 1/2) / (read + 1).
    """
    if len({match for _, match in read}) < 2:
        return np.full(len(scores), _share(read))
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1 / _RIDGE, random_state=_SEED)
    model.fit([[score] for score, _ in read], [match for _, match in read])
    likely: NDArray[np.float64] = model.predict_proba([[score] for score in scores])[:, 1]
    return likely
