"""Corpus expansion: unrelated documents of a band of proximity, measured by BM25 (section 4.4).

Each candidate is a query against the core documents, and its best score is its proximity. What lies
above the band may be more of the same; what lies below is so far away that nobody would confuse it.
The paper queries with whole documents; a score then grows with a document's length (r = 0.92 on
three pairs of corpora), so here every query is as long: the first words of the document.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from agent.errors import SettingsError
from evals.aggbench.annotation import Annotation
from evals.aggbench.condition import Mined
from evals.aggbench.query import Query
from evals.aggbench.source import Source
from tools.corpus.words.tokenizer import words

__all__ = ("Band", "Expansion", "Proximity", "expand", "lasting", "proximities")

_QUERY_WORDS: Final = 300
_CORE_QUERIES: Final = 100
_LOW_SHARE: Final = 0.1
_HIGH_SHARE: Final = 0.5
_GENERIC_SHARE: Final = 0.05


@dataclass(frozen=True, slots=True)
class Band:
    """An interval of BM25 scores, both ends in it."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise SettingsError(f"the band ends at {self.high}, below its start {self.low}")

    def holds(self, score: float) -> bool:
        """Tell whether a score lies in the band."""
        return self.low <= score <= self.high


@dataclass(frozen=True, slots=True)
class Proximity:
    """How near candidates are to the core."""

    scores: Mapping[str, float]
    """Best score against a core document, by candidate."""
    band: Band
    """Unless another is given: from the least near tenth of the candidates to where half of the
    core documents are as near to another core document."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """What was added, and what could not be asked any more."""

    band: Band
    scores: Mapping[str, float]
    """Proximity of each document that was added, by name."""
    outside: int
    """Candidates outside the band."""
    leaking: Mapping[str, tuple[str, ...]]
    """Candidates of the band that were left out, with the conditions they satisfy or may."""
    generic: tuple[str, ...]
    """Conditions that too many candidates satisfy: every question with one of them is dropped."""


def proximities(core: Sequence[Source], candidates: Sequence[Source]) -> Proximity:
    """Return how near each candidate is to the core, and the band that follows."""
    from rank_bm25 import BM25Okapi

    index = BM25Okapi([words(each.text) for each in core])
    scores = {each.name: float(max(index.get_scores(_query(each)))) for each in candidates}
    within = []
    for at in range(0, len(core), max(1, len(core) // _CORE_QUERIES)):
        own = np.array(index.get_scores(_query(core[at])))
        within.append(float(np.delete(own, at).max(initial=0)))
    low = float(np.quantile(list(scores.values()), _LOW_SHARE))
    return Proximity(scores, Band(low, max(low, float(np.quantile(within, _HIGH_SHARE)))))


def expand(
    proximity: Proximity,
    conditions: Sequence[Mined],
    annotations: Sequence[Annotation],
    band: Band | None = None,
) -> Expansion:
    """Choose the documents to add, so that no answer changes.

    A condition that more than 5 % of the band's documents satisfy, or may, is generic: its
    questions are dropped. A document that satisfies one of the others, or may, is left out.

    Args:
        proximity: of the candidates.
        conditions: all that questions ask for.
        annotations: of the candidates.
        band: instead of the proximity's own.

    Raises:
        SettingsError: no candidate lies in the band.
    """
    band = band or proximity.band
    inside = {name for name, score in proximity.scores.items() if band.holds(score)}
    if not inside:
        raise SettingsError(
            f"no document of the expansion scores from {band.low:.1f} to {band.high:.1f}: choose "
            "another --band, or another folder"
        )
    satisfied = {
        each.id: {one.document for one in annotations if one.condition == each.id} & inside
        for each in conditions
    }
    most = _GENERIC_SHARE * len(inside)
    generic = {each for each, found in satisfied.items() if len(found) > most}
    leaking = {
        name: tuple(sorted(each for each in satisfied.keys() - generic if name in satisfied[each]))
        for name in sorted(inside)
    }
    return Expansion(
        band=band,
        scores={name: proximity.scores[name] for name in sorted(inside) if not leaking[name]},
        outside=len(proximity.scores) - len(inside),
        leaking={name: found for name, found in leaking.items() if found},
        generic=tuple(sorted(generic)),
    )


def lasting(queries: Mapping[int, Query], generic: Iterable[str]) -> dict[int, Query]:
    """Return the queries, by number, that no generic condition is part of."""
    dropped = set(generic)
    return {
        number: each
        for number, each in queries.items()
        if not dropped & {part.id for part in each.conditions}
    }


def _query(source: Source) -> list[str]:
    return sorted(set(words(source.text)[:_QUERY_WORDS]))
