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

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from tools.audit.audit_sample import Look, Tally

__all__ = (
    "CHANCE",
    "CONFIDENCE",
    "SPENDING",
    "Bound",
    "Leak",
    "allowed_loss",
    "bound",
    "leak",
    "loss",
    "rules_out",
    "tail",
)

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


CHANCE = 0.05
"""How likely a call may be blamed that is not to blame."""
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A part of what one filter call ruled out, and what an audit found there and elsewhere."""

    call: Hashable
    strata: tuple[int, ...]
    """The part: strata of the look by their place."""
    hits: int
    drawn: int
    left: int
    """Chunks of the part that were not drawn."""
    hits_elsewhere: int
    drawn_elsewhere: int

    @property
    def expected(self) -> float:
        """How many more are expected in what was not drawn: its size times the share of hits.

        An unbiased estimate, and a rough one: it tells where to look next, not how much is missing.
        """
        return self.left * self.hits / self.drawn if self.drawn else 0.0

    @property
    def chance(self) -> float:
        """P(so many hits here, or more) if what is missing lies evenly among the unread."""
        return self._chance_of(self.hits)

    @property
    def least_chance(self) -> float:
        """The same if all hits of the audit had been here."""
        return self._chance_of(min(self.hits + self.hits_elsewhere, self.drawn))

    @property
    def in_words(self) -> str:
        """Say what the audit found here and elsewhere."""
        return (
            f"{self.hits} of {self.drawn} chunks drawn there were relevant, elsewhere "
            f"{self.hits_elsewhere} of {self.drawn_elsewhere}; about {self.expected:.0f} more are "
            f"expected among {self.left}"
        )

    def _chance_of(self, hits: int) -> float:
        from scipy.stats import hypergeom

        drawn, all_hits = self.drawn + self.drawn_elsewhere, self.hits + self.hits_elsewhere
        return float(hypergeom.sf(hits - 1, drawn, all_hits, self.drawn))


def leak(look: Look, calls: Sequence[Hashable | None], *, chance: float = CHANCE) -> Leak | None:
    """Return the part of what one call ruled out that an audit's hits concentrate in, if one does.

    The parts that are tried are a call's first stratum, its first two, and so on to all of them:
    the best of what it discarded, down to some score. Of several the least likely one is returned,
    of equals that with the most expected, then the first.

    Args:
        look: the audit, its units chunks; the strata of a call stand in order, best scores first.
        calls: by stratum the filter call that ruled its chunks out; None where none did, where
            several did, and where it cannot be undone.
        chance: how likely a part may be blamed for what lies evenly among the unread.

    >>> drawn = [("a", 9), ("a", 0), (None, 1)]
    >>> strata = [Tally(stratum="", size=100, drawn=20, hits=hits) for _, hits in drawn]
    >>> leak(Look(found=5, strata=tuple(strata)), [call for call, _ in drawn]).strata
    (0,)
    """
    tried = [_part(look, call, places) for call, places in _parts(calls)]
    level = chance / _testable([each.least_chance for each in tried], chance)
    blamed = [each for each in tried if each.expected >= 1 and each.chance <= level]
    return min(blamed, key=lambda each: (each.chance, -each.expected), default=None)


def loss(
    look: Look, calls: Sequence[Hashable | None], *, allowed: int, chance: float = CHANCE
) -> Leak | None:
    """Return the best of what one call ruled out where it lost more than is allowed, if one did.

    It reaches down to the call's last stratum with a hit. Of several calls the one with the most
    hits is returned, of equals the first.

    Args:
        look: as for `leak`.
        calls: as for `leak`.
        allowed: how many relevant chunks a call may rule out.
        chance: how likely a call may be blamed that ruled out no more.

    >>> strata = [Tally(stratum="", size=100, drawn=20, hits=hits) for hits in (0, 1, 0)]
    >>> look = Look(found=5, strata=tuple(strata))
    >>> loss(look, ["a"] * 3, allowed=0).strata, loss(look, ["a"] * 3, allowed=1)
    ((0, 1), None)
    """
    wholes = dict(_parts(calls))
    down_to = {call: places for call, places in _parts(calls) if look.strata[places[-1]].hits}
    lost = [
        _part(look, call, places)
        for call, places in down_to.items()
        if _by_chance(look, wholes[call], allowed) * len(wholes) <= chance
    ]
    blamed = [each for each in lost if each.expected >= 1]
    return max(blamed, key=lambda each: each.hits, default=None)


def allowed_loss(found: int, recall: float) -> int:
    """Return how many relevant chunks may be lost beside those found for a recall.

    >>> allowed_loss(18, 0.95), allowed_loss(19, 0.95), allowed_loss(57, 0.95)
    (0, 1, 3)
    """
    return int(found * (1 - recall) / recall + _ROUNDING)


def _by_chance(look: Look, places: Sequence[int], allowed: int) -> float:
    """Bound the chance of as many hits in these strata if they held so many relevant chunks."""
    part = [look.strata[place] for place in places]
    hits = sum(each.hits for each in part)
    fraction = max((each.drawn / each.size for each in part), default=0.0)
    if hits < allowed * fraction + 1:
        return 1.0
    from scipy.special import bdtrc

    return float(bdtrc(hits - 1, allowed, fraction)) if hits <= allowed else 0.0


def _testable(least: Sequence[float], chance: float) -> int:
    """Return among how many tests a level is shared: those that could fall below their share."""
    shares = range(1, len(least) + 1)
    return next(
        (share for share in shares if sum(each <= chance / share for each in least) <= share),
        1,
    )


def _parts(calls: Sequence[Hashable | None]) -> Iterator[tuple[Hashable, tuple[int, ...]]]:
    for call in dict.fromkeys(each for each in calls if each is not None):
        places = [place for place, each in enumerate(calls) if each == call]
        for last in range(1, len(places) + 1):
            yield call, tuple(places[:last])


def _part(look: Look, call: Hashable, places: tuple[int, ...]) -> Leak:
    part: list[Tally] = [look.strata[place] for place in places]
    hits, drawn = sum(each.hits for each in part), sum(each.drawn for each in part)
    return Leak(
        call=call,
        strata=places,
        hits=hits,
        drawn=drawn,
        left=sum(each.size for each in part) - drawn,
        hits_elsewhere=look.hits - hits,
        drawn_elsewhere=look.drawn - drawn,
    )
