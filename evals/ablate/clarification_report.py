"""Four ways to deal with ambiguity, side by side: as JSON and as tables."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from pydantic import JsonValue

from evals.ablate.clarification import STRATEGIES, Ablated, Standing, compared, standing
from evals.ambiguity.report import replied
from evals.bootstrap import Estimate
from evals.tables import markdown
from evals.trials import Trial

__all__ = ("differences_table", "report", "standings_table")


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
