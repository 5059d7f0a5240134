"""The trace as it happens, a line an event, on stderr."""

from typing import Any

from agent.history import Step
from graphs.sessions import Event

__all__ = ("told",)


def told(event: Event) -> str | None:
    """Say an event in one line; None where it tells a person nothing."""
    match event["kind"]:
        case "update":
            return _update(event["node"], event["update"])
        case "waiting":
            return "waiting for a reply"
        case _:
            return None


def _update(node: str, update: dict[str, Any]) -> str | None:
    line = None
    match node:
        case "interpret" | "rewrite" | "reread":
            line = update["interpretation"].text
        case "classify":
            line = ", ".join(update["codes"]) or "clear"
        case "decide" | "apply" if update.get("history"):
            line = step_line(update["history"][-1])
        case "observe" if update.get("history"):
            step = update["history"][-1]
            line = f"{step.verdict}. {step.why}"
        case "batch":
            line = f"{update['batches']} requests"
        case "judge":
            line = _judged(update)
    return None if line is None else f"{node}: {line}"


def _judged(update: dict[str, Any]) -> str:
    coverage, cost = update["coverage"], update["cost"]
    return (
        f"{coverage.judged} chunks judged, {coverage.matched} matched, "
        f"{update['found']} findings, {cost.model_calls} calls"
    )


def step_line(step: Step) -> str:
    """Say a filter call and its effect in one line."""
    arguments = ", ".join(f"{name}={_short(value)}" for name, value in step.call.arguments.items())
    effect = step.refused or f"kept {step.kept}, discarded {step.discarded}"
    return f"{step.call.tool}({arguments}): {effect}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "…"
