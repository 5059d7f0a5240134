"""Does a number that a person corrected hold? Checks of a model's answers over real labels."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from evals.names import DocumentNames
from evals.questions import Record
from evals.scopes import Corpora
from tools.audit.judge_error import Group, together

_NORMAL = 1.96
"""The quantile of a 95 % interval."""


def answers(
    records: Sequence[Record], documents: Path, corpora: Corpora
) -> Iterator[NDArray[np.bool_]]:
    """Yield which documents are the answer, (N,), of questions over `documents` or a part of it."""
    answered = [each for each in records if each.gold_documents]
    for record, corpus in corpora.asked(answered, documents):
        true = np.zeros(len(corpus.documents), dtype=np.bool_)
        true[sorted(DocumentNames(corpus.documents).indices(record.gold_documents))] = True
        yield true


@dataclass(frozen=True, slots=True)
class Stated:
    """An interval that was stated, and the truth."""

    low: float
    high: float
    truth: int

    @property
    def held(self) -> bool:
        """Whether the truth lies in it."""
        return self.low - 1e-9 <= self.truth <= self.high + 1e-9


def check(true: NDArray[np.bool_], said: NDArray[np.bool_], size: int, seed: int) -> Stated:
    """Check as `headcount review RUN` does: a sample of what was found, another of the rest."""
    generator = np.random.default_rng([seed, size])
    groups = []
    for part in (np.flatnonzero(said), np.flatnonzero(~said)):
        drawn = generator.permutation(part)[:size]
        groups.append(Group(size=len(part), drawn=len(drawn), yes=int(true[drawn].sum())))
    found = together(groups)
    return Stated(found.low, found.high, int(true.sum()))


def prediction_powered(
    true: NDArray[np.bool_], said: NDArray[np.bool_], size: int, seed: int
) -> Stated:
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
    return Stated(float(middle - width), float(middle + width), int(true.sum()))


def simulate(
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
        ours, theirs = list[Stated](), list[Stated]()
        for number, true in enumerate(asked):
            for seed in range(seeds):
                chance = np.random.default_rng([seed, number, size]).random(len(true))
                said = true ^ (chance < np.where(true, misses, alarms))
                ours.append(check(true, said, size, seed))
                theirs.append(prediction_powered(true, said, size, seed))
        found[str(size)] = {
            "held": fmean(each.held for each in ours),
            "width": fmean(each.high - each.low for each in ours),
            "normal held": fmean(each.held for each in theirs),
            "normal width": fmean(each.high - each.low for each in theirs),
        }
    return found
