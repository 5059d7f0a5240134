"""What another reasoner says of a sample of verdicts: agreement, and the count corrected by it.

The first reasoner's verdicts part its chunks in two groups, yes and no. Of each a random sample is
judged again by a second one, whose word is taken for the truth: how many of a group it would call
relevant is hypergeometric in the sample, and bounded exactly (Clopper and Pearson 1934, for finite
populations). The groups share the allowed error (Bonferroni), so that their intervals hold
together. What the search lost is no error of judging, and not in them.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.audit.recall_bounds import CONFIDENCE


@dataclass(frozen=True, slots=True)
class Interval:
    """The bounds of a number of relevant chunks."""

    low: int
    high: int

    def __add__(self, other: "Interval") -> "Interval":
        """Return the sum of two numbers whose intervals hold together."""
        return Interval(self.low + other.low, self.high + other.high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Chunks on which the first reasoner said the same, and a random sample of them."""

    size: int
    drawn: int = 0
    """Chunks that the second reasoner judged."""
    yes: int = 0
    """How many of these it calls relevant."""
    open: int = 0
    """How many of these it says nothing of."""
    known_yes: int = 0
    known_no: int = 0
    """What is known of all, however it was chosen."""

    @property
    def share(self) -> float | None:
        """The share of the sample called relevant: 0 of an empty group, None of an unread one."""
        if not self.size:
            return 0.0
        told = self.drawn - self.open
        return self.yes / told if told else None

    def relevant(self, alpha: float) -> Interval:
        """Return how many of the group the second reasoner would call relevant.

        Exact: from the fewest to the most under which so many, or more, and so few, or fewer, in
        the sample have each a probability above alpha / 2. Everything drawn leaves no doubt.
        """
        from scipy.stats import hypergeom

        def enough(total: int) -> bool:
            return bool(hypergeom.sf(self.yes - 1, self.size, total, self.drawn) > alpha / 2)

        def too_few(total: int) -> bool:
            return bool(hypergeom.cdf(conceivable, self.size, total, self.drawn) <= alpha / 2)

        conceivable = self.yes + self.open
        fewest, most = self.yes, self.size - self.drawn + conceivable
        low = fewest + bisect_left(range(fewest, most), 1, key=enough)
        high = low + bisect_left(range(low, most + 1), 1, key=too_few) - 1
        return Interval(low, high)

    def whenever(self, alpha: float) -> Interval:
        """Return as `relevant` does what holds for the samples of all sizes at once.

        So one may look after every verdict, and end whenever one likes, for whatever reason. By the
        ratio of prior and posterior (Waudby-Smith and Ramdas 2020, theorem 1), which reaches
        1 / alpha for the true number with a probability of at most alpha; the prior is Jeffreys'.
        """
        from scipy.special import betaln
        from scipy.stats import betabinom

        def ways(several: NDArray[np.int_], taken: int) -> NDArray[np.float64]:
            """Return the logarithms of the binomial coefficients; SciPy's law is slow for many."""
            shared: NDArray[np.float64] = betaln(several - taken + 1, taken + 1)
            return -np.log1p(several) - shared

        def conceivable(yes: int) -> NDArray[np.int_]:
            no, everything = self.drawn - yes, np.array(self.size)
            totals = np.arange(yes, self.size - no + 1)
            chance = ways(totals, yes) + ways(self.size - totals, no) - ways(everything, self.drawn)
            least = np.log(alpha) + betabinom.logpmf(yes, self.drawn, 0.5, 0.5)
            return np.extract(chance > least, totals)

        low, high = 0, self.size
        if self.drawn:
            low, high = int(conceivable(self.yes)[0]), int(conceivable(self.yes + self.open)[-1])
        return Interval(max(low, self.known_yes), min(high, self.size - self.known_no))


def together(groups: Sequence[Group], *, whenever: bool = False) -> Interval:
    """Return how many of all groups are relevant; the allowed error is shared by those sampled."""
    sampled = sum(0 < each.drawn < each.size for each in groups)
    alpha = (1 - CONFIDENCE) / max(1, sampled)
    way = Group.whenever if whenever else Group.relevant
    return sum((way(each, alpha) for each in groups), Interval(0, 0))


def agreement(yes: Group, no: Group) -> float | None:
    """Return the estimated share of all verdicts on which both agree; None where a group lacks."""
    size, kept, missed = yes.size + no.size, yes.share, no.share
    if not size or kept is None or missed is None:
        return None
    return (yes.size * kept + no.size * (1 - missed)) / size
