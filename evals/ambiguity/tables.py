"""How well ambiguity is found, as Markdown tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from evals.ambiguity.gates import GATES
from evals.ambiguity.run import Examined
from evals.tables import markdown

__all__ = ("codes_table", "gates_table", "questions_table", "total_table")

_ROWS = 60


def questions_table(examined: Sequence[Examined]) -> str:
    """Return a row a question: what was found, and what users got; long files are cut."""
    head = ("question", "codes", "gold", "asked", "readings right")
    rows = [
        (
            each.case.id,
            "+".join(each.found.codes) or "-",
            "+".join(each.case.codes) or "-",
            "error" if each.found.error else "yes" if each.found.asked else "no",
            _right(each),
        )
        for each in examined[:_ROWS]
    ]
    left = len(examined) - len(rows)
    return markdown(head, rows) + (f"\n\nand {left} more: see --json" if left else "")


def codes_table(summary: Mapping[str, Any]) -> str:
    """Return a row a code."""
    head = ("code", "questions", "found", "accuracy", "precision", "recall", "f1")
    rows = [
        (
            code,
            str(score["n"]),
            str(score["found"]),
            *(_told(score[name]) for name in ("accuracy", "precision", "recall", "f1")),
        )
        for code, score in summary["codes"].items()
    ]
    return markdown(head, rows)


def gates_table(summary: Mapping[str, Any]) -> str:
    """Return a row a code: how many of its questions each gate would take for clear."""
    rows = [
        (name, str(counts["n"]), *(str(counts[gate]) for gate in GATES))
        for name, counts in summary["gates"].items()
    ]
    return markdown(("taken for clear by", "questions", *GATES), rows)


def total_table(summary: Mapping[str, Any]) -> str:
    """Return a row a figure over all questions."""
    rows: list[tuple[str, str]] = [
        ("questions", str(summary["n"])),
        ("every gold code found", _told(summary["accuracy"])),
        ("macro F1", _told(summary["macro_f1"])),
        ("asked back", str(summary["asked"])),
        ("false alarms", f"{summary['false_alarms']} of {summary['controls']} controls"),
        ("controls asked", f"{summary['asked_controls']} of {summary['controls']} controls"),
        *_rewriting(summary["rewriting"]),
        ("calls", str(summary["calls"])),
        ("tokens a question", _told(summary["tokens_per_question"])),
        *((f"seconds, {name}", _told(value)) for name, value in summary["latency"].items()),
        *((f"left out: {why}", str(number)) for why, number in summary["left_out"].items()),
        ("errors", str(len(summary["errors"]))),
    ]
    return markdown(("over all questions", "value"), rows)


def _rewriting(told: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    if told is None:
        return []
    share = told["accuracy"]
    interval = f"{_told(share['low'])} to {_told(share['high'])}"
    return [
        (
            "rewriting accuracy",
            f"{_told(share['value'])} ({interval}, {told['readings']} readings)",
        ),
        ("of these from options alone", _told(told["offered"])),
    ]


def _right(each: Examined) -> str:
    if not each.trials:
        return "-"
    return f"{sum(trial.right for trial in each.trials)} of {len(each.trials)}"


def _told(value: JsonValue) -> str:
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
