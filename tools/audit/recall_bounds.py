"""How many relevant chunks there can be, after any number of audits: exact, and valid throughout.

`bound` says what the audits so far prove, `audit_needed` how large the next one should be.

**One look** at the population of chunks never judged draws a part of each stratum without
replacement. Of K relevant chunks in it, K_h lie in stratum h, and its hits X_h are hypergeometric:
a sum of at most K_h independent Bernoulli variables (Vatutin and Mikhailov 1982), of mean K_h·f_h
with f_h the sampling fraction. With f the smallest of these, by Hoeffding (Ann. Math. Statist. 27,
1956), X = Σ X_h has P(X ≤ x) ≤ P(Bin(K, f) ≤ x) for x ≤ K·f - 1, whatever the K_h, and for x = 0;
elsewhere nothing is claimed. The tail of a single stratum is taken exactly.

**Many looks.** A total R says how many are left before each look, whatever was done in between, so
that the tail at a look holds given the past. R is tested look by look, at a level ℓ that is α(1-r)
at first:

- Where P(X = 0) > ℓ, all is staked on no hit: without one, the next look has the level
  ℓ / P(X = 0). So clean looks add up, however small each is.
- Else R is ruled out if P(X ≤ x) ≤ ℓ.
- After a look with hits that did not rule R out, the next one starts anew: with the level
  α(1-r) r^k, after k looks with hits.

Between two looks with hits the chance to rule out the true R is at most the level ℓ it began with,
and these add up to α: the bounds of all looks hold together with confidence 1-α, and one may look
as often as one likes, stop when one likes, and let each look decide what is read next.
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
    """Return an upper bound of P(at most so many hits in open strata); 1 where none is claimed."""
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
    """Return what will be proven if an audit of so many chunks, a few of each stratum, is clean."""
    looks = standing.looks
    if chunks >= len(standing.sizes) > 0:
        drawn = allocate(standing.sizes, chunks)
        tallies = tuple(
            Tally(size=size, drawn=part, hits=0)
            for size, part in zip(standing.sizes, drawn, strict=True)
        )
        looks += (Look(found=standing.found, strata=tallies, out_of_reach=standing.out_of_reach),)
    return bound(looks, found=standing.found, unread=standing.unread)


def audit_needed(standing: Standing, target: float) -> int | None:
    """Return the size of the smallest audit that proves a recall if it has no hit; else None."""

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
