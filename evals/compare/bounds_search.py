"""A simulated search: a filter, a cheap ranking, audits, and reading on where an audit leaked."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evals.compare.bounds_case import Case
from tools.audit.audit_sample import (
    Drawn,
    Look,
    Stratum,
    draw,
    least_stratum,
    look_at_chunks,
    look_at_documents,
    stratify,
)
from tools.audit.filter_leaks import leak

__all__ = ("Judge", "Search", "begin")

_PRUNED = "pruned"
"""Why the filter's discarded chunks were not judged."""
_KEPT = (0.01, 0.02, 0.05, 0.1, 0.2)
"""The shares of the corpus that a filter keeps, one a run: some lose much and some little."""
_RAISED = 0.9
"""The share of the relevant chunks that an informed ranking puts before all others."""
_REACHED = 0.95
"""The share of what the filter kept that is judged; the rest waits, as when a budget ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """How often a judge errs."""

    misses: float
    """The share of relevant chunks that it calls not relevant."""
    alarms: float
    """The share of the other chunks that it calls relevant."""


@dataclass(kw_only=True)
class Search:
    """A search under way, by a judge that says the same of a chunk whenever it reads it."""

    case: Case
    informed: bool
    """Whether the ranking puts most relevant chunks first."""
    scores: NDArray[np.float64]
    """The ranking, (N,)."""
    says: NDArray[np.bool_]
    """Whether the judge calls each chunk relevant once it reads it, (N,)."""
    read: NDArray[np.bool_]
    """Whether each chunk was judged, (N,)."""
    kept: NDArray[np.bool_]
    """Whether the filter kept each chunk, (N,)."""
    looks: list[Look] = field(default_factory=list)
    document_looks: list[Look] = field(default_factory=list)

    @property
    def found(self) -> int:
        """How many chunks were judged relevant."""
        return int((self.says & self.read).sum())

    def documents_of(self, chunks: NDArray[np.bool_]) -> set[int]:
        """Return the documents of the chunks in a mask."""
        return {self.case.document[chunk] for chunk in np.flatnonzero(chunks)}

    def strata(self, n: int) -> tuple[Stratum, ...]:
        """Return what was never judged, in strata for an audit of n chunks."""
        unread = ~self.read
        reasons = {_PRUNED: unread & ~self.kept, "not reached": unread & self.kept}
        return stratify(
            {reason: np.flatnonzero(mask) for reason, mask in reasons.items()},
            self.scores,
            least=least_stratum(int(unread.sum()), n),
        )

    def audit(self, n: int, seed: int) -> None:
        """Judge n random chunks and, where some were hits, the n best of what they lead to."""
        drawn = draw(self.strata(n), n, seed=seed, look=len(self.looks))
        sample = np.concatenate([each.sample for each in drawn])
        hits = sample[self.says[sample]].tolist()
        self.looks.append(look_at_chunks(drawn, hits=hits, failed=(), found=self.found))
        matched = self.documents_of(self.says & self.read)
        self.document_looks.append(
            look_at_documents(
                drawn, hits=hits, failed=(), document=self.case.document, matched=matched
            )
        )
        self.read[sample] = True
        self._read_on(drawn, n)

    def _read_on(self, drawn: Sequence[Drawn], n: int) -> None:
        """Read on where the filter is to blame for the hits, else among everything unread."""
        if not self.looks[-1].hits:
            return
        calls = ["filter" if each.stratum.reasons == (_PRUNED,) else None for each in drawn]
        found = leak(self.looks[-1], calls)
        places = range(len(drawn)) if found is None else found.strata
        among = np.concatenate([drawn[place].stratum.chunks for place in places])
        left = among[~self.read[among]]
        self.read[left[np.argsort(-self.scores[left], kind="stable")[:n]]] = True


def begin(case: Case, judge: Judge, generator: np.random.Generator) -> Search:
    """Filter by a ranking, by words alone or, in every other run, a better informed one."""
    chunks = len(case.relevant)
    errs = generator.random(chunks) < np.where(case.relevant, judge.misses, judge.alarms)
    informed = bool(generator.random() < 0.5)
    raised = case.relevant & (generator.random(chunks) < _RAISED) & informed
    scores = case.scores + raised * (case.scores.max() + 1)
    kept = np.zeros(chunks, dtype=bool)
    best = np.argsort(-scores, kind="stable")
    kept[best[: max(1, round(generator.choice(_KEPT) * chunks))]] = True
    return Search(
        case=case,
        informed=informed,
        scores=scores,
        says=case.relevant ^ errs,
        read=kept & (generator.random(chunks) < _REACHED),
        kept=kept,
    )
