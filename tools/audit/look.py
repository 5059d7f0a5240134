"""One look at what was never judged: what the sample held, as counts by stratum."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tools.audit.sample import Drawn

__all__ = ("Look", "Tally", "look_at_chunks", "look_at_documents")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What was drawn from one stratum."""

    stratum: str
    size: int
    drawn: int
    hits: int
    """Units found in the sample: relevant chunks, or documents not matched before."""
    unknown: int = 0
    """Units in the sample whose chunk could not be judged: each might be a hit."""


@dataclass(frozen=True, kw_only=True)
class Look:
    """One audit: a random sample of a population, stratified.

    A unit is what is counted: a relevant chunk, or a document that matches.
    """

    found: int
    """Units found before the look."""
    strata: tuple[Tally, ...]
    out_of_reach: int = 0
    """Units that may exist among chunks neither judged nor in the population, for instance
    because the requests about them had failed."""

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


def look_at_chunks(
    drawn: Sequence[Drawn],
    *,
    hits: Collection[int],
    failed: Collection[int],
    found: int,
    out_of_reach: int = 0,
) -> Look:
    """Count an audit whose units are relevant chunks.

    Args:
        drawn: the sample.
        hits: chunks of the sample that were judged relevant.
        failed: chunks of the sample that could not be judged.
        found: relevant chunks known before the audit.
        out_of_reach: chunks neither judged nor in the population.
    """
    tallies = tuple(
        _tally(each, len(_among(each, hits)), len(_among(each, failed))) for each in drawn
    )
    return Look(found=found, strata=tallies, out_of_reach=out_of_reach)


def look_at_documents(
    drawn: Sequence[Drawn],
    *,
    hits: Collection[int],
    failed: Collection[int],
    document: Mapping[int, int] | Sequence[int],
    matched: Collection[int],
    out_of_reach: int = 0,
) -> Look:
    """Count the same audit with documents as units.

    Sound where every document that matches, but is not known to, has a relevant chunk that was
    not judged: for conditions joined by AND and OR, not under a negation. Choose one such chunk
    for each of these documents: the chosen chunks are a fixed subset of the population, as many as
    there are such documents, and the sample holds at most as many of them as there are documents
    here with a hit. Hence a document counts once, in a stratum drawn in full if it has a hit there.

    Args:
        drawn: the sample.
        hits: chunks of the sample that were judged relevant to any condition, whether or not
            their document matches for it; none of a document that is known not to match.
        failed: chunks of the sample that could not be judged.
        document: the document of each chunk.
        matched: documents known to match before the audit.
        out_of_reach: documents, not matched, with a chunk neither judged nor in the population.
    """
    full_first = sorted(range(len(drawn)), key=lambda at: not _is_full(drawn[at]))
    seen = set(matched)
    counts: list[dict[int, int]] = []
    for chunks in (hits, failed):
        counts.append({})
        for at in full_first:
            new = {document[chunk] for chunk in _among(drawn[at], chunks)} - seen
            seen |= new
            counts[-1][at] = len(new)
    tallies = tuple(_tally(each, *(c[at] for c in counts)) for at, each in enumerate(drawn))
    return Look(found=len(set(matched)), strata=tallies, out_of_reach=out_of_reach)


def _is_full(drawn: Drawn) -> bool:
    return len(drawn.sample) == len(drawn.stratum.chunks)


def _among(drawn: Drawn, chunks: Collection[int]) -> list[int]:
    wanted = np.fromiter(chunks, dtype=np.int64, count=len(chunks))
    kept: list[int] = np.intersect1d(drawn.sample, wanted).tolist()
    return kept


def _tally(drawn: Drawn, hits: int, unknown: int) -> Tally:
    return Tally(
        stratum=drawn.stratum.name,
        size=len(drawn.stratum.chunks),
        drawn=len(drawn.sample),
        hits=hits,
        unknown=unknown,
    )
