"""The audit: what may still be missing among what was never judged, with exact bounds.

`draw` and `look_at` take a random sample of it, `bound` says what the audits so far prove,
`audit_needed` how large the next one should be. All are pure functions of counts.

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

**Judge error.** A model's verdicts part what it judged in groups. Of each a person checks a random
sample, whose word is taken for the truth: how many of a group the person would call relevant is
bounded for samples of all sizes at once (`Group.whenever`). The groups share the allowed error
(Bonferroni), so that their intervals hold together. What the search lost is no error of judging,
and not in them.
"""

import math
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Chunks = NDArray[np.int64]
"""Chunk numbers, ascending."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stratum:
    """A part of the population that is sampled on its own."""

    reasons: tuple[str, ...]
    """Why its chunks were not judged; several where each alone was too small."""
    chunks: Chunks


def stratify(
    reasons: Mapping[str, Sequence[int] | NDArray[np.integer[Any]]],
    scores: NDArray[np.floating[Any]],
    *,
    bands: int = 4,
    least: int = 1,
) -> tuple[Stratum, ...]:
    """Part the chunks that were never judged, by their disjoint reasons, into bands of equal size.

    A band holds chunks of like scores, (N,) of the whole corpus, higher is likelier relevant; the
    best band of a reason comes first. Reasons with fewer than `least` chunks are one stratum
    together, the only one that can be smaller than `least`; larger ones get fewer bands.

    Raises ValueError: a chunk has two reasons.
    """
    sets = {name: np.unique(np.asarray(ids, dtype=np.int64)) for name, ids in reasons.items()}
    everything = np.concatenate([*sets.values(), np.zeros(0, np.int64)])
    if len(np.unique(everything)) < len(everything):
        raise ValueError("a chunk has two reasons for not being judged")
    parts: list[tuple[tuple[str, ...], Chunks]] = [
        ((name,), ids) for name, ids in sets.items() if len(ids) >= max(1, least)
    ]
    small = {name: ids for name, ids in sets.items() if 0 < len(ids) < least}
    if small:
        parts.append((tuple(small), np.concatenate(list(small.values()))))
    found: list[Stratum] = []
    for names, ids in parts:
        count = max(1, min(bands, len(ids) // max(1, least)))
        ordered = np.array_split(ids[np.lexsort((ids, -scores[ids]))], count)
        found += [Stratum(reasons=names, chunks=np.sort(members)) for members in ordered]
    return tuple(found)


DRAWS_A_STRATUM = 5
"""Rounding to whole chunks then costs a stratum a tenth of its sampling fraction on average."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawn(Stratum):
    """A stratum and the part of it that is to be judged."""

    sample: Chunks


def allocate(sizes: Sequence[int], n: int) -> tuple[int, ...]:
    """Return how many to draw from each stratum so that the smallest fraction is the largest.

    Each next draw goes to the stratum of which the smallest part is drawn, the first of equals.
    (All but a draw a stratum can be given out in proportion first: every allocation this good has
    as many.) Where n is at least the sum of the sizes, everything is drawn.

    >>> allocate([100, 300, 10], 41)
    (10, 30, 1)

    Raises ValueError: a stratum would not be drawn from at all: nothing bounds what it holds.
    """
    if any(size < 1 for size in sizes) or len(sizes) > n:
        raise ValueError(f"{n} draws do not reach {len(sizes)} strata of {list(sizes)} chunks")
    total = sum(sizes)
    wanted = min(n, total)
    drawn = [size * max(0, wanted - len(sizes)) // total for size in sizes]
    for _ in range(wanted - sum(drawn)):
        place = min(range(len(sizes)), key=lambda each: drawn[each] / sizes[each])
        drawn[place] += 1
    return tuple(drawn)


def least_stratum(population: int, n: int) -> int:
    """Return the smallest stratum of which n draws from the population reach a few chunks."""
    return -(-DRAWS_A_STRATUM * population // max(1, n))


def draw(strata: Sequence[Stratum], n: int, *, seed: int, look: int) -> tuple[Drawn, ...]:
    """Draw n chunks without replacement, independently in each stratum.

    The look is part of the seed, so that what an earlier sample taught says nothing about which
    chunks a later one holds.

    Raises ValueError: fewer draws than strata.
    """
    counts = allocate([len(stratum.chunks) for stratum in strata], n)
    generator = np.random.default_rng([seed, look])
    return tuple(
        Drawn(
            reasons=stratum.reasons,
            chunks=stratum.chunks,
            sample=np.sort(generator.choice(stratum.chunks, count, replace=False)),
        )
        for stratum, count in zip(strata, counts, strict=True)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What was drawn from one stratum."""

    size: int
    drawn: int
    hits: int
    """Units found in the sample: relevant chunks, or documents not matched before."""
    unknown: int = 0
    """Units in the sample whose chunk could not be judged: each might be a hit."""


@dataclass(frozen=True, kw_only=True)
class Look:
    """One stratified random sample; a unit is a relevant chunk, or a document that matches."""

    found: int
    """Units found before the look."""
    strata: tuple[Tally, ...]
    out_of_reach: int = 0
    """Units that may exist among chunks neither judged nor in the population: failed ones."""

    @cached_property
    def population(self) -> int:
        """Chunks never judged before the look."""
        return sum(each.size for each in self.strata)

    @cached_property
    def drawn(self) -> int:
        """Chunks in the sample."""
        return sum(each.drawn for each in self.strata)

    @cached_property
    def hits(self) -> int:
        """Units found by the look."""
        return sum(each.hits for each in self.strata)

    @cached_property
    def unknown(self) -> int:
        """Units that the look may have met but could not judge."""
        return sum(each.unknown for each in self.strata)

    @cached_property
    def open(self) -> tuple[Tally, ...]:
        """The strata that were not drawn in full: only there is anything left to be inferred."""
        return tuple(each for each in self.strata if each.drawn < each.size)

    @cached_property
    def fraction(self) -> float:
        """The smallest sampling fraction of an open stratum; 1 where there is none."""
        return min((each.drawn / each.size for each in self.open), default=1.0)

    @cached_property
    def worst_hits(self) -> int:
        """Units met in open strata if all that could not be judged were hits."""
        return sum(each.hits + each.unknown for each in self.open)

    def hidden(self, total: int) -> int:
        """Return the fewest units in open strata, before the look, if there are `total` in all."""
        full = sum(each.hits + each.unknown for each in self.strata if each.drawn == each.size)
        return total - self.found - self.out_of_reach - full

    @cached_property
    def most(self) -> int:
        """The most units there can be in all: everything that was not read might be one."""
        unread = self.population - self.drawn
        return self.found + self.out_of_reach + self.hits + self.unknown + unread


def look_at(
    drawn: Sequence[Drawn],
    *,
    hits: Collection[int],
    failed: Collection[int],
    known: Collection[int],
    document: Mapping[int, int] | Sequence[int] | None = None,
    out_of_reach: int = 0,
) -> Look:
    """Count an audit whose units are relevant chunks or, with the `document` of each, documents.

    Known are the units found before. Of documents it is sound where each that matches, but is not
    known to, has a relevant chunk that was not judged: for conditions joined by AND and OR, not
    under a negation. Choose one such chunk for each of these documents: the chosen chunks are a
    fixed subset of the population, as many as there are such documents, and the sample holds at
    most as many of them as there are documents here with a hit. Hence a document counts once, in a
    stratum drawn in full if it has a hit there.

    Hits are relevant to any condition, whether or not their document matches for it, and none is of
    a document that is known not to match. Out of reach are documents, not known, with a chunk
    neither judged nor in the population; of chunks, those.
    """
    left = [len(each.chunks) > len(each.sample) for each in drawn]
    full_first = sorted(range(len(drawn)), key=left.__getitem__)
    seen = set(known)
    met: dict[int, int] = {}
    lost: dict[int, int] = {}
    for counts, chunks in ((met, hits), (lost, failed)):
        for at in full_first:
            among = np.intersect1d(drawn[at].sample, list(chunks)).astype(np.int64).tolist()
            new = {chunk if document is None else document[chunk] for chunk in among} - seen
            seen |= new
            counts[at] = len(new)
    tallies = tuple(
        Tally(size=len(each.chunks), drawn=len(each.sample), hits=met[at], unknown=lost[at])
        for at, each in enumerate(drawn)
    )
    return Look(found=len(set(known)), strata=tallies, out_of_reach=out_of_reach)


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


class Interval(NamedTuple):
    """The bounds of a number of relevant chunks."""

    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What a model said the same of, and a random sample of it that a person checked."""

    size: int
    drawn: int = 0
    """How many the person judged."""
    yes: int = 0
    """How many of these the person calls relevant."""
    open: int = 0
    """How many of these the person says nothing of."""
    known_yes: int = 0
    known_no: int = 0
    """What is known of all, however it was chosen."""

    def whenever(self, alpha: float) -> Interval:
        """Return how many of the group the person would call relevant, whenever checking ends.

        It holds for the samples of all sizes at once: one may look after every verdict. By the
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


def together(groups: Sequence[Group]) -> Interval:
    """Return how many of all groups are relevant; the allowed error is shared by those sampled."""
    sampled = sum(0 < each.drawn < each.size for each in groups)
    alpha = (1 - CONFIDENCE) / max(1, sampled)
    found = [each.whenever(alpha) for each in groups]
    return Interval(sum(each.low for each in found), sum(each.high for each in found))


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

    The number is Poisson about a sum. What scores like what was found is as many as the curve
    expects, times Gamma(½) of mean 1: such curves are wrong by factors. What is worded unlike it is
    left at the rate at which the last audit met units: Gamma(c + hits) / drawn. No bound: nothing
    proves it, and how often it holds is measured (docs/figures.md). After an audit without a hit
    it covers rates up to about 0.28 hits an audit.

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
