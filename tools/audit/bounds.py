"""How many relevant chunks there can be, after any number of audits: exact, and valid throughout.

A look at the population U of chunks never judged draws a part of each stratum without replacement.
If K relevant chunks are in U, of which K_h lie in stratum h, the hits X_h of that stratum are
hypergeometric, and independent given what was known before.

**One look.** Each X_h is distributed as a sum of at most K_h independent Bernoulli variables (the
roots of a hypergeometric generating function are real: Vatutin and Mikhailov 1982), of mean K_h·f_h
with f_h the stratum's sampling fraction. So X = Σ X_h is a sum of at most K of them, of mean at
least K·f with f the smallest fraction. By Hoeffding (Ann. Math. Statist. 27, 1956), for
x ≤ K·f - 1,

    P(X ≤ x) ≤ P(Bin(K, f) ≤ x),

whatever the K_h; above K·f - 1 nothing is claimed, so K is not ruled out there. For x = 0 it holds
without that condition, Π(1-p_i) being at most (1-f)^K. A single stratum is hypergeometric itself,
and its tail is taken exactly.

**Many looks.** Fix a total R. Before look j, R - found_j relevant chunks are left, whatever was
done in between and for whatever reason: the tail at look j is known under R and holds given the
past. R is tested look by look, at a level ℓ that is α(1-r) at first:

- Where even no hit would not be evidence enough, P(X = 0) > ℓ, all is staked on no hit: without
  one, the next look has the level ℓ / P(X = 0). So clean looks add up, however small each is.
- Where it would be, R is ruled out if P(X ≤ x) ≤ ℓ.
- After a look with hits that did not rule R out, the next one starts anew: with the level
  α(1-r) r^k, after k looks with hits.

Between two looks with hits the chance to rule out the true R is at most the level ℓ it began with:
that of the last test times that of coming so far without a hit. The levels add up to α. So the
bounds of all looks hold together with confidence 1-α, and one may look as often as one likes, stop
when one likes, and let each look decide what is read next. To test each look by itself, look j at
the level α(1-r) r^(j-1), never rules out more.

A larger total is ruled out whenever a smaller one is: the bound is found by bisection.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tools.audit.look import Look

__all__ = ("CONFIDENCE", "SPENDING", "Bound", "bound", "rules_out", "tail")

CONFIDENCE = 0.95
SPENDING = 0.2
"""r: a look with hits leaves the looks after it this part of the level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """What may have been missed. Relevant is what this judge calls relevant when it reads it."""

    found: int
    """Relevant chunks, or matching documents, found so far."""
    missed: int
    """At most so many were not found."""
    confidence: float
    """1 where nothing was inferred from a sample."""
    audited: int = 0
    """Chunks read in audits."""
    hits: int = 0
    """How many of what was found the audits had found."""
    looks: int = 0

    @property
    def recall(self) -> float:
        """At least this share of all there is was found; 1 where there can be none to find.

        It is 0 where nothing was found and something may have been missed: `missed` says more.
        """
        total = self.found + self.missed
        return self.found / total if total else 1.0


def bound(
    looks: Sequence[Look],
    *,
    found: int,
    unread: int,
    confidence: float = CONFIDENCE,
    spending: float = SPENDING,
) -> Bound:
    """Return what may have been missed, after these looks and whatever was read since.

    Args:
        looks: every audit of the question, in order; none may be left out for what it showed.
        found: units found so far, those of the audits included.
        unread: units that may exist in what was not judged so far, whatever the reason; for
            documents, those not matched that still have a chunk without a verdict.
        confidence: how often, over repeated samples, all bounds of the question hold.
        spending: r, in [0, 1); 0 is for one look only.

    Raises:
        ValueError: confidence or spending is out of range.
    """
    if not (0 < confidence < 1 and 0 <= spending < 1):
        raise ValueError(f"confidence {confidence} and spending {spending} must be below 1")
    sure = max(found, min([found + unread, *(look.most for look in looks)]))
    total = _largest(looks, found, sure, 1 - confidence, spending)
    return Bound(
        found=found,
        missed=total - found,
        confidence=1.0 if total == sure else confidence,
        audited=sum(look.drawn for look in looks),
        hits=sum(look.hits for look in looks),
        looks=len(looks),
    )


def _largest(looks: Sequence[Look], low: int, high: int, alpha: float, spending: float) -> int:
    """Return the largest total in [low, high] that is not ruled out; low is not questioned."""
    while low < high:
        middle = (low + high + 1) // 2
        if rules_out(middle, looks, alpha, spending):
            high = middle - 1
        else:
            low = middle
    return low


def rules_out(total: int, looks: Sequence[Look], alpha: float, spending: float = SPENDING) -> bool:
    """Tell whether the looks, taken in order, rule out that there are so many units."""
    fresh = level = alpha * (1 - spending)
    for look in looks:
        clean = tail(look, total, 0)
        if clean <= level and tail(look, total, look.worst_hits) <= level:
            return True
        if look.worst_hits:
            fresh = level = fresh * spending
        else:
            level /= clean
    return False


def tail(look: Look, total: int, hits: int) -> float:
    """Return an upper bound of P(at most so many hits in open strata) if there are `total` units.

    1 where nothing is claimed. It falls with the total and rises with the hits.
    """
    hidden = look.hidden(total)
    if hidden <= hits:
        return 1.0
    if len(look.open) == 1:
        return _hypergeometric(look.open[0].size, look.open[0].drawn, hidden, hits)
    if hits > 0 and hits > hidden * look.fraction - 1:
        return 1.0
    from scipy.special import bdtr

    return float(bdtr(hits, hidden, look.fraction))


def _hypergeometric(size: int, drawn: int, hidden: int, hits: int) -> float:
    """Return P(X ≤ hits), X hypergeometric; 0 where so few hits are impossible."""
    from scipy.stats import hypergeom

    if hidden > size or hits < drawn + hidden - size:
        return 0.0
    return float(hypergeom.cdf(hits, size, hidden, drawn))
