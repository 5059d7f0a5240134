"""Do the stated bounds hold, and how loose are they? Searches over real labels, many times."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from pydantic import JsonValue

from evals.compare.bounds_case import Case
from evals.compare.bounds_search import Judge
from evals.compare.bounds_trial import Said, Trial, run_trial
from evals.tables import markdown

__all__ = ("RARE", "Validity", "by_prevalence", "report", "simulate", "table", "validity")

RARE = 0.0085
"""Up to this share of relevant chunks, a question's positives are called rare."""
_PREVALENCES: Mapping[str, Callable[[Trial], bool]] = {
    "all": lambda trial: True,  # noqa: ARG005 - every group takes a trial
    "rare": lambda trial: trial.share <= RARE,
    "common": lambda trial: trial.share > RARE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Validity:
    """How often the bounds of some searches held, and how loose they were. All are shares."""

    runs: int
    held: float
    """Searches in which the bound on chunks held after every look."""
    worst_question: float
    """The same of the question with the smallest share."""
    documents_held: float
    """Searches in which the bound on documents held after every look."""
    truth_held: float
    """Searches whose last bound, which is about this judge's verdicts, also held of the truth."""
    corrected_held: float
    """Searches in which the bound corrected by a second opinion held of the truth."""
    counted: float
    """Searches in which the second opinion's interval held the true number among the judged."""
    first_recall: float
    """The median recall after the first look, by the judge's own verdicts."""
    first_bound: float
    """The median bound then."""
    last_recall: float
    last_bound: float
    last_looseness: float
    """The median of recall minus bound after the last look."""
    documents_looseness: float
    """The same of documents."""
    corrected_looseness: float
    """The same of the corrected bound and the true recall."""
    looks: float
    """The mean number of looks."""
    judged: float
    """The mean share of the corpus that was judged in the end."""


def simulate(
    cases: Sequence[Case],
    judge: Judge,
    sizes: Sequence[int],
    seeds: int,
    say: Callable[[str], None],
) -> dict[int, list[Trial]]:
    """Search every question with every seed and audit size."""
    found: dict[int, list[Trial]] = {}
    for size in sizes:
        say(f"{len(cases):,} questions, {seeds:,} seeds, audits of {size:,} chunks")
        found[size] = [
            run_trial(case, judge, size, seed) for case in cases for seed in range(seeds)
        ]
    return found


def by_prevalence(trials: Sequence[Trial]) -> Iterator[tuple[str, Validity]]:
    """Yield the figures of all searches, of those for rare and of those for common positives."""
    for name, belongs in _PREVALENCES.items():
        members = [trial for trial in trials if trial.chunks and belongs(trial)]
        if members:
            yield name, validity(members)


def validity(trials: Sequence[Trial]) -> Validity:
    """Summarise searches with at least one look each."""
    first, last = [t.chunks[0] for t in trials], [t.chunks[-1] for t in trials]
    return Validity(
        runs=len(trials),
        held=_share([_all_held(t.chunks) for t in trials]),
        worst_question=min(_by_question(trials)),
        documents_held=_share([_all_held(t.documents) for t in trials]),
        truth_held=_share([t.truth.held for t in trials]),
        corrected_held=_share([t.corrected.held for t in trials]),
        counted=_share([t.counted for t in trials]),
        first_recall=_median([said.recall for said in first]),
        first_bound=_median([said.bound for said in first]),
        last_recall=_median([said.recall for said in last]),
        last_bound=_median([said.bound for said in last]),
        last_looseness=_looseness(last),
        documents_looseness=_looseness([t.documents[-1] for t in trials]),
        corrected_looseness=_looseness([t.corrected for t in trials]),
        looks=float(np.mean([len(t.chunks) for t in trials])),
        judged=float(np.mean([t.judged for t in trials])),
    )


def report(found: Mapping[int, Sequence[Trial]]) -> dict[str, JsonValue]:
    """Return `{"<audit size>": {"all" | "rare" | "common": figures}}`."""
    return {
        str(size): {name: asdict(figures) for name, figures in by_prevalence(trials)}
        for size, trials in found.items()
    }


def table(found: Mapping[int, Sequence[Trial]]) -> str:
    """Lay the figures out: a row a figure, a column an audit size and prevalence."""
    columns = {
        f"{size:,} {name}": figures
        for size, trials in found.items()
        for name, figures in by_prevalence(trials)
    }
    rows = [
        [name, *(_cell(getattr(figures, name)) for figures in columns.values())]
        for name in Validity.__dataclass_fields__
    ]
    return markdown(("audit of chunks", *columns), rows)


def _cell(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"


def _by_question(trials: Sequence[Trial]) -> list[float]:
    held: dict[str, list[bool]] = {}
    for trial in trials:
        held.setdefault(trial.question, []).append(_all_held(trial.chunks))
    return [_share(each) for each in held.values()]


def _all_held(said: Sequence[Said]) -> bool:
    return all(each.held for each in said)


def _looseness(said: Sequence[Said]) -> float:
    return _median([each.recall - each.bound for each in said])


def _median(values: Sequence[float]) -> float:
    return float(np.median(values))


def _share(values: Sequence[bool]) -> float:
    return float(np.mean(values))
