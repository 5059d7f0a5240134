"""Four ways to deal with ambiguity, on the same questions and with the same users.

`none` asks nothing and takes the question as it is read; `direct` puts one open question and
rewrites from the reply; `guided` classifies and asks about all that was found; `weighed` asks only
where the readings come to different results.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import get_args

from agent.policy import Disambiguation, Policy
from evals.ambiguity.case import Case
from evals.ambiguity.places import Places
from evals.bootstrap import Estimate, estimate
from evals.trials import Trial, Trier

__all__ = ("STRATEGIES", "Ablated", "Compared", "Standing", "ablate", "compared", "standing")

STRATEGIES: tuple[Disambiguation, ...] = get_args(Disambiguation)
COMPARED: tuple[tuple[Disambiguation, Disambiguation], ...] = (
    ("direct", "none"),
    ("guided", "direct"),
    ("weighed", "guided"),
)
"""Each beside the one it is to better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablated:
    """One question under every strategy."""

    case: Case
    trials: Mapping[Disambiguation, tuple[Trial, ...]]
    """Each of its readings, wanted by a user, in the same order under every strategy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One strategy over some questions.

    Shares and means are over readings, those of a question weighing one together; intervals are
    over questions.
    """

    readings: int
    accuracy: Estimate
    """How often the answer is the one of the reading that the user wants."""
    nace_mean: Estimate
    nace_median: Estimate
    questions: Estimate
    """Questions asked back for one answer."""
    turns: Estimate
    calls: Estimate
    errors: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One strategy minus another, question by question: the interval is of a paired bootstrap."""

    strategy: Disambiguation
    minus: Disambiguation
    accuracy: Estimate
    nace_mean: Estimate
    questions: Estimate
    calls: Estimate


def ablate(
    cases: Sequence[Case], places: Places, trier: Trier, policy: Policy
) -> Iterator[Ablated]:
    """Ask every question under every strategy; one without a known answer is left out.

    Raises:
        HeadcountError: the documents of a question cannot be found or indexed.
    """
    for case in cases:
        if any(meant.answered for meant in case.intended):
            corpus = places.of(case)
            trials = {
                strategy: tuple(trier.tries(case, corpus, _under(policy, strategy)))
                for strategy in STRATEGIES
            }
            yield Ablated(case=case, trials=trials)


def standing(asked: Sequence[Ablated], strategy: Disambiguation) -> Standing:
    """Return how a strategy did."""
    trials = [trial for each in asked for trial in each.trials[strategy]]
    told = {name: estimate(_means(asked, strategy, name)) for name in _FIGURES}
    return Standing(
        readings=len(trials),
        accuracy=told["right"],
        nace_mean=told["nace"],
        nace_median=estimate([trial.nace for trial in trials], "median"),
        questions=told["questions"],
        turns=told["turns"],
        calls=told["calls"],
        errors=sum(bool(trial.error) for trial in trials),
    )


def compared(asked: Sequence[Ablated]) -> list[Compared]:
    """Return each strategy beside the one before it."""
    return [
        Compared(
            strategy=strategy,
            minus=minus,
            accuracy=_difference(asked, strategy, minus, "right"),
            nace_mean=_difference(asked, strategy, minus, "nace"),
            questions=_difference(asked, strategy, minus, "questions"),
            calls=_difference(asked, strategy, minus, "calls"),
        )
        for strategy, minus in COMPARED
    ]


_FIGURES = ("right", "nace", "questions", "turns", "calls")


def _under(policy: Policy, strategy: Disambiguation) -> Policy:
    return policy.model_copy(
        update={"disambiguation": strategy, "gate": "off", "on_ambiguity": "ask"}
    )


def _difference(
    asked: Sequence[Ablated], strategy: Disambiguation, minus: Disambiguation, figure: str
) -> Estimate:
    ours, theirs = _means(asked, strategy, figure), _means(asked, minus, figure)
    return estimate([one - other for one, other in zip(ours, theirs, strict=True)])


def _means(asked: Sequence[Ablated], strategy: Disambiguation, figure: str) -> list[float]:
    """Return a figure's mean over the readings of each question."""
    return [fmean(_figure(trial, figure) for trial in each.trials[strategy]) for each in asked]


def _figure(trial: Trial, name: str) -> float:
    if name == "calls":
        return float(trial.cost.model_calls + trial.cost.cached_calls)
    return float(getattr(trial, name))
