"""How many relevant chunks there can be, after any number of audits: exact, and valid throughout.

`bound` says what the audits so far prove, `audit_needed` how large the next one should be.

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

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from tools.audit.audit_sample import Look, Tally, allocate

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
    hits: int = 0
    """How many of what was found the audits had found."""

    @property
    def recall(self) -> float:
        """At least this share of all there is was found; 1 where there can be none to find.

        It is 0 where nothing was found and something may have been missed: `missed` says more.
        """
        total = self.found + self.missed
        return self.found / total if total else 1.0


def bound(looks: Sequence[Look], *, found: int, unread: int) -> Bound:
    """Return what may have been missed, after these looks and whatever was read since.

    No look may be left out for what it showed. `unread` units may exist in what was not judged,
    whatever the reason: of documents, those not matched that still have a chunk without a verdict.
    All bounds of the question hold with the confidence.
    """
    sure = max(found, min([found + unread, *(look.most for look in looks)]))
    more = range(found + 1, sure + 1)
    possible = bisect_left(more, 1, key=lambda n: rules_out(n, looks, 1 - CONFIDENCE))
    total = found + possible
    return Bound(
        found=found,
        missed=total - found,
        confidence=1.0 if total == sure else CONFIDENCE,
        hits=sum(look.hits for look in looks),
    )


def rules_out(total: int, looks: Sequence[Look], alpha: float) -> bool:
    """Tell whether the looks, taken in order, rule out that there are so many units."""
    fresh = level = alpha * (1 - SPENDING)
    for look in looks:
        clean = tail(look, total, 0)
        if clean <= level and tail(look, total, look.worst_hits) <= level:
            return True
        if look.worst_hits:
            fresh = level = fresh * SPENDING
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
        from scipy.stats import hypergeom

        size, drawn = look.open[0].size, look.open[0].drawn
        if hidden > size or hits < drawn + hidden - size:
            return 0.0  # so few hits are impossible
        return float(hypergeom.cdf(hits, size, hidden, drawn))
    if hits > 0 and hits > hidden * look.fraction - 1:
        return 1.0
    from scipy.special import bdtr

    return float(bdtr(hits, hidden, look.fraction))


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a question stands before its next audit; units are as in `Look`."""

    looks: tuple[Look, ...] = ()
    sizes: tuple[int, ...]
    """The strata that can be drawn from, in chunks."""
    found: int
    unread: int
    """Units that may exist in what was not judged, as for `bound`."""
    out_of_reach: int = 0
    """As in `Look`."""

    @property
    def population(self) -> int:
        """Chunks that can be drawn."""
        return sum(self.sizes)


def if_clean(standing: Standing, chunks: int) -> Bound:
    """Return what will be proven if an audit of so many chunks has no hit.

    An audit with fewer chunks than strata is no audit: it proves nothing new.
    """
    looks = standing.looks
    if chunks >= len(standing.sizes) > 0:
        drawn = allocate(standing.sizes, chunks)
        tallies = tuple(
            Tally(size=size, drawn=part, hits=0)
            for size, part in zip(standing.sizes, drawn, strict=True)
        )
        reach = standing.out_of_reach
        looks += (Look(found=standing.found, strata=tallies, out_of_reach=reach),)
    return bound(looks, found=standing.found, unread=standing.unread)


def audit_needed(standing: Standing, target: float) -> int | None:
    """Return the size of the smallest audit that proves a recall if it has no hit.

    None where not even one of all chunks would.
    """

    def proves(chunks: int) -> bool:
        return if_clean(standing, chunks).recall >= target

    population = standing.population
    return bisect_left(range(population), 1, key=proves) if proves(population) else None


def worthwhile(population: int) -> int:
    """Return how many draws pay where the target is out of their reach.

    Without a hit, n draws from N chunks leave about N · ln(1/level) / n that may be missed. Up to
    n = √(N · ln(1/level)) a draw rules out more than one of them; after it less, and a possible
    miss is ruled out more cheaply by reading it.

    >>> worthwhile(600), worthwhile(60_000)
    (44, 440)
    """
    level = (1 - CONFIDENCE) * (1 - SPENDING)
    return math.ceil(math.sqrt(population * math.log(1 / level)))
