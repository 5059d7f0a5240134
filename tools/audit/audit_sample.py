"""The random sample of an audit: strata of unjudged chunks, the draw, and what the sample held."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

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
