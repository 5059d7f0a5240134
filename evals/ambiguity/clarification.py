"""Four ways to deal with ambiguity, on the same questions and with the same users.

`none` asks nothing and takes the question as it is interpreted; `direct` puts one open question and
rewrites from the reply; `guided` classifies and asks about all that was found; `weighed` asks only
where the readings have different results.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Final, get_args

from pydantic import JsonValue

from agent.policy import Disambiguation, Policy
from evals.annotated.interpreting import is_annotated
from evals.questions import Record
from evals.readers import by_annotation, check_annotated
from evals.scopes import Corpora, scope_of
from evals.scores import Estimate, estimate
from evals.simulated_users import Trial, asker_of, user_named
from evals.tables import difference, markdown, number

STRATEGIES: tuple[Disambiguation, ...] = get_args(Disambiguation)
_COMPARED: Final[tuple[tuple[Disambiguation, Disambiguation], ...]] = (
    ("direct", "none"),
    ("guided", "direct"),
    ("weighed", "guided"),
)
"""Each beside the one it is to better."""
_FIGURES: Final = {
    "right": "rewriting accuracy",
    "nace": "NACE",
    "questions": "questions asked",
    "turns": "turns",
    "calls": "calls",
    "errors": "errors",
}
"""What is told of a strategy, by name; `right` is how often the user gets what was meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablated:
    """One question under every strategy."""

    record: Record
    trials: Mapping[Disambiguation, tuple[Trial, ...]]
    """Each of its readings, wanted by a user, in the same order under every strategy."""


def answerable(records: Sequence[Record], reasoner: str) -> list[Record]:
    """Leave out what the annotation is to answer, but cannot.

    Raises:
        QuestionError: nothing is left.
    """
    if not by_annotation(reasoner):
        return [*records]
    known = [each for each in records if is_annotated(each)]
    check_annotated(reasoner, known)
    return known


def asking(
    records: Sequence[Record],
    documents: Path,
    reasoner: str,
    user: tuple[str, str],
    place: Path,
    say: Callable[[str], None],
) -> Iterator[Ablated]:
    """Ask every question under every strategy; one without a known answer is left out.

    Args:
        records: what is asked.
        documents: what is asked over.
        reasoner: who reads.
        user: the name of who replies, and of the model that may play it.
        place: where indexes and replies are kept.
        say: told what is indexed.

    Raises:
        HeadcountError: the documents, the reasoner or the user cannot be used.
    """
    asker = asker_of(reasoner, place, user_named(*user, place))
    corpora = Corpora(place, say)
    policy = asker.settings.policy()
    for record in records:
        if any(meant.number is not None for meant in record.readings):
            corpus = corpora.over(scope_of(record, documents))
            trials = {
                strategy: tuple(asker.tries(record, corpus, _under(policy, strategy)))
                for strategy in STRATEGIES
            }
            yield Ablated(record=record, trials=trials)


def progress(each: Ablated) -> str:
    """Say in a line how many readings were got under each strategy."""
    right = ", ".join(
        f"{strategy} {sum(trial.right for trial in trials)}"
        for strategy, trials in each.trials.items()
    )
    return f"{each.record.id}: of {len(each.record.readings)} readings {right}"


def _under(policy: Policy, strategy: Disambiguation) -> Policy:
    return policy.model_copy(
        update={"disambiguation": strategy, "gate": "off", "on_ambiguity": "ask"}
    )


def report(
    asked: Sequence[Ablated], reasoner: str, user: str, left_out: int
) -> dict[str, JsonValue]:
    """Return `{"questions": […], "summary": {…}}`.

    The summary holds `strategies` and `differences` over all questions, and in `by` the same over
    `ambiguous` ones, of these over those whose readings have different answers (`matters`) and the
    same (`idle`), and over `controls`. `left_out` counts the questions that the annotation cannot
    answer. Means are over the readings of a question and then over
    questions; a difference is a strategy minus the one before it, paired by question.
    """
    by: dict[str, JsonValue] = {name: _summary(found) for name, found in _groups(asked).items()}
    return {
        "questions": [_question(each) for each in asked],
        "summary": {
            "n": len(asked),
            "reasoner": reasoner,
            "user": user,
            **_summary(asked),
            "by": by,
            "left_out": left_out,
        },
    }


def standings_table(asked: Sequence[Ablated]) -> str:
    """Return a row a strategy, for each group of questions."""
    rows = [
        (name, strategy, *(number(told.value) for told in _standing(found, strategy).values()))
        for name, found in _groups(asked).items()
        for strategy in STRATEGIES
    ]
    return markdown(("questions", "strategy", *_FIGURES.values()), rows)


def differences_table(asked: Sequence[Ablated]) -> str:
    """Return a row a comparison, with its interval, over all questions and for each group."""
    rows = [
        (
            name,
            f"{strategy} minus {minus}",
            *(difference(told) for told in _difference(found, strategy, minus).values()),
        )
        for name, found in {"all": asked, **_groups(asked)}.items()
        for strategy, minus in _COMPARED
    ]
    return markdown(("questions", "strategy", *_FIGURES.values()), rows)


def _groups(asked: Sequence[Ablated]) -> dict[str, list[Ablated]]:
    """Part the questions; where no ambiguity is idle, those that matter are all ambiguous ones."""
    ambiguous = [each for each in asked if each.record.ambiguity]
    same = [each for each in ambiguous if idle(each.record)]
    groups = {
        "ambiguous": ambiguous,
        "matters": [each for each in ambiguous if each not in same] if same else [],
        "idle": same,
        "controls": [each for each in asked if not each.record.ambiguity],
    }
    return {name: found for name, found in groups.items() if found}


def idle(record: Record) -> bool:
    """Say whether its known readings, of which there are several, all have the same answer."""
    known = [each for each in record.readings if each.number is not None]
    numbers = {each.number for each in known}
    found = {frozenset(each.documents) for each in known if each.documents is not None}
    return len(known) > 1 and max(len(numbers), len(found)) == 1


def _summary(asked: Sequence[Ablated]) -> dict[str, JsonValue]:
    return {
        "strategies": {each: _json(_standing(asked, each)) for each in STRATEGIES},
        "differences": [
            {"strategy": one, "minus": other, **_json(_difference(asked, one, other))}
            for one, other in _COMPARED
        ],
    }


def _json(told: Mapping[str, Estimate]) -> dict[str, JsonValue]:
    return {name: asdict(figure) for name, figure in told.items()}


def _standing(asked: Sequence[Ablated], strategy: Disambiguation) -> dict[str, Estimate]:
    return {name: estimate(_means(asked, strategy, name)) for name in _FIGURES}


def _difference(
    asked: Sequence[Ablated], strategy: Disambiguation, minus: Disambiguation
) -> dict[str, Estimate]:
    paired = {
        name: zip(_means(asked, strategy, name), _means(asked, minus, name), strict=True)
        for name in _FIGURES
    }
    return {name: estimate([one - other for one, other in each]) for name, each in paired.items()}


def _means(asked: Sequence[Ablated], strategy: Disambiguation, name: str) -> list[float]:
    """Return a figure's mean over the readings of each question."""
    return [fmean(_figure(trial, name) for trial in each.trials[strategy]) for each in asked]


def _figure(trial: Trial, name: str) -> float:
    return float(bool(trial.error) if name == "errors" else getattr(trial, name))


def _question(each: Ablated) -> dict[str, JsonValue]:
    return {
        "id": each.record.id,
        "question": each.record.question,
        "gold_codes": list(each.record.ambiguity),
        "readings": {
            strategy: [trial.in_json() for trial in trials]
            for strategy, trials in each.trials.items()
        },
    }
