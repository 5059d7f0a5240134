"""Does a number that a person corrected hold? Checks of a model's answers over real labels."""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.names import DocumentNames
from evals.questions import Record
from evals.scopes import Corpora
from tools.audit import Group, together

_NORMAL = 1.96
"""The quantile of a 95 % interval."""
_LITTLE = 1e-9
Floats = NDArray[np.float64]


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
    found = together(groups)
    return found.low, found.high


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


def _held(truth: Floats, low: Floats, high: Floats) -> float:
    """Return how often the truth lay in an interval."""
    return float(((low - _LITTLE <= truth) & (truth <= high + _LITTLE)).mean())
