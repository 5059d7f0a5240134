"""Do the stated bounds hold? Searches, and a person's checks, over real labels, many times."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from evals.names import DocumentNames
from evals.questions import Record
from evals.scopes import Corpora
from evals.spans import gold_chunks
from tools.audit import (
    Group,
    Look,
    bound,
    chances,
    draw,
    least_stratum,
    likely_missed,
    look_at,
    stratify,
    together,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Case:
    """One question as a search sees it: chunks, a cheap score of each, and which are relevant."""

    relevant: NDArray[np.bool_]
    """The truth, (N,)."""
    scores: NDArray[np.float64]
    """BM25 of the question and its conditions, (N,)."""
    document: tuple[int, ...]


def cases(records: Sequence[Record], documents: Path, corpora: Corpora) -> Iterator[Case]:
    """Yield the questions asked over `documents` or a part of it that have a relevant chunk."""
    for record, corpus in corpora.asked(records, documents):
        relevant = np.zeros(corpus.chunk_count, dtype=bool)
        relevant[[gold.chunk for gold in gold_chunks(record, corpus) if gold.chunk >= 0]] = True
        if relevant.any():
            told = " ".join([record.question, *(each.text for each in record.conditions)])
            yield Case(
                relevant=relevant,
                scores=corpus.lexical.bm25(told),
                document=tuple(corpus.chunk_document.tolist()),
            )


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
    scores: NDArray[np.float64]
    """The ranking, (N,)."""
    says: NDArray[np.bool_]
    """Whether the judge calls each chunk relevant once it reads it, (N,)."""
    read: NDArray[np.bool_]
    kept: NDArray[np.bool_]
    looks: list[Look] = field(default_factory=list)
    document_looks: list[Look] = field(default_factory=list)

    def documents_of(self, chunks: NDArray[np.bool_]) -> set[int]:
        """Return the documents of the chunks in a mask."""
        return {self.case.document[chunk] for chunk in np.flatnonzero(chunks)}

    def audit(self, n: int, seed: int) -> None:
        """Judge n random chunks and, where some were hits, the n best of all that are unread."""
        unread = ~self.read
        reasons = {"pruned": unread & ~self.kept, "not reached": unread & self.kept}
        strata = stratify(
            {reason: np.flatnonzero(mask) for reason, mask in reasons.items()},
            self.scores,
            least=least_stratum(int(unread.sum()), n),
        )
        drawn = draw(strata, n, seed=seed, look=len(self.looks))
        sample = np.concatenate([each.sample for each in drawn])
        hits = sample[self.says[sample]].tolist()
        found, told = self.says & self.read, {"hits": hits, "failed": ()}
        self.looks.append(look_at(drawn, known=np.flatnonzero(found).tolist(), **told))
        matched = self.documents_of(found)
        self.document_looks.append(
            look_at(drawn, known=matched, document=self.case.document, **told)
        )
        self.read[sample] = True
        if hits:
            left = np.flatnonzero(~self.read)
            self.read[left[np.argsort(-self.scores[left], kind="stable")[:n]]] = True

    def of_chunks(self) -> tuple[float, bool]:
        """Return the bound on the recall of chunks that this judge calls relevant; does it hold?"""
        unread, total = int((~self.read).sum()), int(self.says.sum())
        return _bounded(self.looks, int((self.says & self.read).sum()), unread, total)

    def of_documents(self) -> tuple[float, bool]:
        """Return the bound on the recall of documents with such a chunk, and whether it holds."""
        matched, total = self.documents_of(self.says & self.read), self.documents_of(self.says)
        unread = len(self.documents_of(~self.read) - matched)
        return _bounded(self.document_looks, len(matched), unread, len(total))


def _bounded(looks: Sequence[Look], found: int, unread: int, total: int) -> tuple[float, bool]:
    low = bound(looks, found=found, unread=unread).recall
    return low, (found / total if total else 1.0) >= low - 1e-12


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
        scores=scores,
        says=case.relevant ^ errs,
        read=kept & (generator.random(chunks) < _REACHED),
        kept=kept,
    )


LOOKS = 4
TARGET = 0.9
"""The recall at which a search stops, once it is proven."""


def run_trial(
    case: Case, judge: Judge, n: int, seed: int
) -> tuple[Sequence[float], Mapping[str, float]]:
    """Search, and audit n chunks a time until the target is proven or the looks are used up.

    Return the bounds on the recall of the chunks that this judge calls relevant, after each look;
    and as 0 or 1 whether they were `held` each time, those on documents with such a chunk too
    (`documents_held`), and whether no more documents were missed than was likely (`likely_held`),
    which is `likely_width`.
    """
    generator = np.random.default_rng([seed, n])
    search = begin(case, judge, generator)
    seed_of_audits = int(generator.integers(2**31))
    bounds: list[float] = []
    held = documents_held = True
    while len(bounds) < LOOKS and not search.read.all():
        if bounds and bounds[-1] >= TARGET:
            break
        search.audit(n, seed_of_audits)
        low, holds = search.of_chunks()
        bounds.append(low)
        held &= holds
        documents_held &= search.of_documents()[1]
    missed = search.documents_of(search.says) - search.documents_of(search.says & search.read)
    likely = _likely(search)
    return bounds, {
        "held": held,
        "documents_held": documents_held,
        "likely_held": len(missed) <= likely,
        "likely_width": likely,
    }


def _likely(search: Search) -> int:
    """Return how many documents were likely missed, at most, by the ranking and the last look."""
    unread = np.flatnonzero(~search.read)
    if not search.looks or not unread.size:
        return 0
    matched, read = search.documents_of(search.says & search.read), np.flatnonzero(search.read)
    told = zip(search.scores[read].tolist(), search.says[read].tolist(), strict=True)
    absent: dict[int, float] = {}
    for chunk, chance in zip(unread, chances(list(told), search.scores[unread]), strict=True):
        document = search.case.document[chunk]
        if document not in matched:
            absent[document] = absent.get(document, 1.0) * (1 - float(chance))
    look = search.document_looks[-1]
    expected = sum(1 - each for each in absent.values())
    sampled = {"drawn": look.drawn, "hits": look.hits}
    return likely_missed(expected, unread=len(unread), most=len(absent), **sampled)


def simulate(
    cases: Sequence[Case],
    judge: Judge,
    sizes: Sequence[int],
    seeds: int,
    say: Callable[[str], None],
) -> dict[str, dict[str, float]]:
    """Search every question with every seed; return by audit size the `runs` and their means.

    A search that left nothing to audit has no bounds; a size of which all are so is left out.
    """
    found: dict[str, dict[str, float]] = {}
    for size in sizes:
        say(f"{len(cases):,} questions, {seeds:,} seeds, audits of {size:,} chunks")
        trials = [run_trial(case, judge, size, seed) for case in cases for seed in range(seeds)]
        told = [figures for bounds, figures in trials if bounds]
        if told:
            means = {name: fmean(each[name] for each in told) for name in told[0]}
            found[str(size)] = {"runs": len(told), **means}
    return found


_NORMAL = 1.96
"""The quantile of a 95 % interval."""
_LITTLE = 1e-9


def answers(
    records: Sequence[Record], documents: Path, corpora: Corpora
) -> Iterator[NDArray[np.bool_]]:
    """Yield which documents are the answer, (N,), of questions over `documents` or a part of it."""
    answered = [each for each in records if each.gold_documents]
    for record, corpus in corpora.asked(answered, documents):
        true = np.zeros(len(corpus.documents), dtype=np.bool_)
        true[sorted(DocumentNames(corpus.documents).indices(record.gold_documents))] = True
        yield true


Interval = tuple[float, float]
"""What the number of documents is stated to be: at least and at most."""


def check(true: NDArray[np.bool_], said: NDArray[np.bool_], size: int, seed: int) -> Interval:
    """Check as `headcount review RUN` does: a sample of what was found, another of the rest."""
    generator = np.random.default_rng([seed, size])
    groups = []
    for part in (np.flatnonzero(said), np.flatnonzero(~said)):
        drawn = generator.permutation(part)[:size]
        groups.append(Group(size=len(part), drawn=len(drawn), yes=int(true[drawn].sum())))
    return together(groups)


def prediction_powered(
    true: NDArray[np.bool_], said: NDArray[np.bool_], size: int, seed: int
) -> Interval:
    """State the interval of Angelopoulos et al. (2023) for a mean, from as many verdicts.

    All documents are alike to it: the model's verdicts on all, and the person's on a uniform sample
    correct their mean, with a normal interval and the finite population's correction.
    """
    generator = np.random.default_rng([seed, size, 1])
    number = min(2 * size, len(true))
    drawn = generator.permutation(len(true))[:number]
    errors = true[drawn].astype(float) - said[drawn]
    left = 1 - number / len(true)
    width = _NORMAL * len(true) * sqrt(errors.var(ddof=1) / number * left) if number > 1 else 0.0
    middle = said.sum() + len(true) * errors.mean()
    return float(middle - width), float(middle + width)


def simulate_checks(
    asked: Sequence[NDArray[np.bool_]],
    *,
    misses: float,
    alarms: float,
    sizes: Sequence[int],
    seeds: int,
) -> dict[str, Mapping[str, float]]:
    """Return by sample size how often each interval held, and how wide it was on average."""
    found: dict[str, Mapping[str, float]] = {}
    for size in sizes:
        rows = []
        for number, true in enumerate(asked):
            for seed in range(seeds):
                chance = np.random.default_rng([seed, number, size]).random(len(true))
                said = true ^ (chance < np.where(true, misses, alarms))
                ours, theirs = (way(true, said, size, seed) for way in (check, prediction_powered))
                rows.append((int(true.sum()), *ours, *theirs))
        truth, low, high, normal_low, normal_high = np.array(rows).T
        found[str(size)] = {
            "held": _held(truth, low, high),
            "width": float((high - low).mean()),
            "normal held": _held(truth, normal_low, normal_high),
            "normal width": float((normal_high - normal_low).mean()),
        }
    return found


def _held(truth: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]) -> float:
    """Return how often the truth lay in an interval."""
    return float(((low - _LITTLE <= truth) & (truth <= high + _LITTLE)).mean())
