"""Four ways to deal with ambiguity, on the same questions and with the same users.

`none` asks nothing and takes the question as it is read; `direct` puts one open question and
rewrites from the reply; `guided` classifies and asks about all that was found; `weighed` asks only
where the readings come to different results.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import get_args

from pydantic import JsonValue

from agent.policy import Disambiguation, Policy
from evals.ambiguity.cases import Case
from evals.ambiguity.examined import replied
from evals.ambiguity.rendered import Places
from evals.scores import Estimate, estimate
from evals.simulated_users import Trial, Trier
from evals.tables import markdown

__all__ = (
    "STRATEGIES",
    "Ablated",
    "Compared",
    "Standing",
    "ablate",
    "compared",
    "differences_table",
    "report",
    "standing",
    "standings_table",
)

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


def report(
    asked: Sequence[Ablated], reasoner: str, user: str, left_out: Mapping[str, int]
) -> dict[str, JsonValue]:
    """Return `{"questions": […], "summary": {…}}`.

    The summary holds `strategies`, over all questions, and `by`: the same over `ambiguous` ones,
    of these over those whose readings have different answers (`matters`) and the same (`idle`), and
    over `controls`; `differences`, each strategy minus the one before it, paired by question, and
    `differences_by` for each group.
    """
    groups = _groups(asked)
    by: dict[str, JsonValue] = {name: _standings(found) for name, found in groups.items()}
    return {
        "questions": [_question(each) for each in asked],
        "summary": {
            "n": len(asked),
            "reasoner": reasoner,
            "user": user,
            "strategies": _standings(asked),
            "by": by,
            "differences": _differences(asked),
            "differences_by": {name: _differences(found) for name, found in groups.items()},
            "left_out": dict(left_out),
        },
    }


def standings_table(asked: Sequence[Ablated]) -> str:
    """Return a row a strategy, for each group of questions."""
    head = (
        "questions",
        "strategy",
        "readings",
        "rewriting accuracy",
        "NACE mean",
        "NACE median",
        "questions asked",
        "turns",
        "calls",
        "errors",
    )
    rows = [
        (name, strategy, *_row(standing(found, strategy)))
        for name, found in _groups(asked).items()
        for strategy in STRATEGIES
    ]
    return markdown(head, rows)


def differences_table(asked: Sequence[Ablated]) -> str:
    """Return a row a comparison, with its interval, over all questions and for each group."""
    head = ("questions", "strategy", "rewriting accuracy", "NACE mean", "questions asked", "calls")
    rows = [
        (
            name,
            f"{each.strategy} minus {each.minus}",
            *(
                _between(figure)
                for figure in (each.accuracy, each.nace_mean, each.questions, each.calls)
            ),
        )
        for name, found in {"all": asked, **_groups(asked)}.items()
        for each in compared(found)
    ]
    return markdown(head, rows)


def _groups(asked: Sequence[Ablated]) -> dict[str, list[Ablated]]:
    """Part the questions; where no ambiguity is idle, those that matter are all ambiguous ones."""
    ambiguous = [each for each in asked if not each.case.control]
    idle = [each for each in ambiguous if each.case.idle]
    groups = {
        "ambiguous": ambiguous,
        "matters": [each for each in ambiguous if not each.case.idle] if idle else [],
        "idle": idle,
        "controls": [each for each in asked if each.case.control],
    }
    return {name: found for name, found in groups.items() if found}


def _differences(asked: Sequence[Ablated]) -> JsonValue:
    return [asdict(each) for each in compared(asked)]


def _standings(asked: Sequence[Ablated]) -> JsonValue:
    return {strategy: asdict(standing(asked, strategy)) for strategy in STRATEGIES}


def _question(each: Ablated) -> dict[str, JsonValue]:
    return {
        "id": each.case.id,
        "question": each.case.question,
        "gold_codes": list(each.case.codes),
        "readings": {
            strategy: [_trial(trial) for trial in trials]
            for strategy, trials in each.trials.items()
        },
    }


def _trial(trial: Trial) -> dict[str, JsonValue]:
    return {
        "meant": trial.meant,
        "expected": trial.expected,
        "value": trial.value,
        "right": trial.right,
        "nace": trial.nace,
        "asked": [
            {"code": each.asked.code, "question": each.asked.question, "reply": replied(each)}
            for each in trial.exchanges
        ],
        "questions": trial.questions,
        "turns": trial.turns,
        "calls": trial.cost.model_calls,
        "cached_calls": trial.cost.cached_calls,
        "seconds": trial.seconds,
        "error": trial.error or None,
    }


def _row(told: Standing) -> tuple[str, ...]:
    figures = (
        told.nace_mean,
        told.nace_median,
        told.questions,
        told.turns,
        told.calls,
    )
    return (
        str(told.readings),
        _between(told.accuracy),
        *(_plain(each) for each in figures),
        str(told.errors),
    )


def _plain(figure: Estimate) -> str:
    return "-" if figure.value is None else f"{figure.value:.3f}"


def _between(figure: Estimate) -> str:
    if figure.value is None:
        return "-"
    return f"{figure.value:.3f} ({figure.low:.3f} to {figure.high:.3f})"
