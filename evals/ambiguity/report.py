"""How well ambiguity is found, as JSON; other programs read its keys."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from pydantic import JsonValue

from agent.ambiguity import Exchange
from agent.cost import Cost
from evals.ambiguity.gates import GATES
from evals.ambiguity.run import Examined
from evals.ambiguity.scores import Marked, code_scores, covers, macro_f1
from evals.ambiguity.skips import skips
from evals.bootstrap import estimate
from evals.latency import percentiles
from evals.trials import Trial

__all__ = ("replied", "report", "summary")


def report(examined: Sequence[Examined], total: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return `{"questions": […], "summary": {…}}`, the summary as `summary` returns it."""
    return {"questions": [_question(each) for each in examined], "summary": dict(total)}


def summary(
    examined: Sequence[Examined], reasoner: str, left_out: Mapping[str, int]
) -> dict[str, JsonValue]:
    """Return the figures over all questions.

    `accuracy` and those of `codes` are right if the codes found cover the gold ones (AGGBench,
    A.6.2), over ambiguous questions; `false_alarms` are controls in which a code was found,
    `asked_controls` those whose asker was asked back. `rewriting` is over the readings whose answer
    is known, each wanted by a user: null where that was not tried. `gates` are the questions that
    each gate would take for clear, whichever the run went by.
    """
    marked = [_marked(each) for each in examined]
    scores = code_scores(marked)
    ambiguous = [each for each in marked if each.gold]
    controls = [each for each in examined if each.case.control]
    alarms = [each for each in controls if each.found.codes]
    cost = sum((each.found.cost for each in examined), Cost())
    return {
        "n": len(examined),
        "reasoner": reasoner,
        "ambiguous": len(ambiguous),
        "accuracy": _share([covers(each) for each in ambiguous]),
        "codes": {code: asdict(score) for code, score in scores.items()},
        "macro_f1": macro_f1(list(scores.values())),
        "asked": sum(_asked(each) for each in examined),
        "controls": len(controls),
        "false_alarms": len(alarms),
        "false_alarm_rate": _share([bool(each.found.codes) for each in controls]),
        "asked_controls": sum(_asked(each) for each in controls),
        "gates": {name: dict(counts) for name, counts in skips(examined).items()},
        "rewriting": _rewriting(examined),
        "calls": cost.model_calls,
        "cached_calls": cost.cached_calls,
        "input_tokens": cost.input_tokens,
        "output_tokens": cost.output_tokens,
        "tokens_per_question": (cost.input_tokens + cost.output_tokens) / max(1, len(examined)),
        "latency": asdict(percentiles([each.found.seconds for each in examined])),
        "left_out": dict(left_out),
        "errors": {each.case.id: each.found.error for each in examined if each.found.error},
    }


def replied(exchange: Exchange) -> str:
    """Return what the user said, in words.

    An option is told by its number and label.
    """
    choice, options = exchange.reply.choice, exchange.asked.options
    if choice is None:
        return exchange.reply.text
    return f"{choice}. {options[choice - 1].label}"


def _question(each: Examined) -> dict[str, JsonValue]:
    found, case = each.found, each.case
    return {
        "id": case.id,
        "question": case.question,
        "codes": list(found.codes),
        "gold_codes": list(case.codes),
        "asked": _asked(each),
        "readings": [
            {
                "code": ambiguity.code,
                "span": ambiguity.span,
                "label": reading.label,
                "question": reading.question,
                "estimate": reading.estimate.in_words if reading.estimate else None,
            }
            for ambiguity in found.ambiguities
            for reading in ambiguity.readings
        ],
        "skipped_by": [gate for gate in GATES if gate in found.skips],
        "clarification": found.asked.question if found.asked else None,
        "rewriting": [_trial(trial) for trial in each.trials],
        "calls": found.cost.model_calls,
        "cached_calls": found.cost.cached_calls,
        "input_tokens": found.cost.input_tokens,
        "output_tokens": found.cost.output_tokens,
        "seconds": found.seconds,
        "error": found.error or None,
    }


def _trial(trial: Trial) -> dict[str, JsonValue]:
    return {
        "meant": trial.meant,
        "expected": trial.expected,
        "value": trial.value,
        "right": trial.right,
        "offered": trial.offered,
        "replies": [replied(each) for each in trial.exchanges],
        "calls": trial.cost.model_calls,
        "error": trial.error or None,
    }


def _rewriting(examined: Sequence[Examined]) -> JsonValue:
    """Return the share of readings that a user who wants them gets, with its interval.

    `offered` counts those that came from options alone.
    """
    trials = [trial for each in examined for trial in each.trials]
    if not trials:
        return None
    return {
        "readings": len(trials),
        "accuracy": asdict(estimate([float(trial.right) for trial in trials])),
        "offered": sum(trial.offered for trial in trials) / len(trials),
        "nace_mean": sum(trial.nace for trial in trials) / len(trials),
        "questions_asked": sum(trial.questions for trial in trials),
        "calls": sum(trial.cost.model_calls for trial in trials),
        "errors": sum(bool(trial.error) for trial in trials),
    }


def _marked(each: Examined) -> Marked:
    return Marked(frozenset(each.found.codes), frozenset(each.case.codes))


def _asked(each: Examined) -> bool:
    return each.found.asked is not None


def _share(right: Sequence[bool]) -> float | None:
    return sum(right) / len(right) if right else None
