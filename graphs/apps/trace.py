"""The trace on a screen: a line or a few per event."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from rich.console import Console

from agent.history import Step
from agent.question import Interpretation, atoms
from agent.records.analysis import Analysis
from agent.records.record import Filled
from agent.value import counted
from graphs.apps.in_words import (
    call_text,
    cost_text,
    criteria,
    filled_text,
    predicate_text,
    some_names,
)
from graphs.apps.terminal import say
from graphs.runs.run_session import Event


def print_event(event: Event, console: Console) -> None:
    """Print an event, if it has a text."""
    if text := event_text(event):
        say(console, text, "dim")


def event_text(event: Event) -> str:
    """Format an event of a session; empty if there is nothing to show."""
    match event["kind"]:
        case "update":
            node, format_ = event["node"], _FORMATS.get(event["node"])
            text = format_(event["update"]) if format_ else ""
            return f"{node}: {text.removeprefix(f'{node}: ')}" if text else ""
        case "waiting":
            problem = event["asked"].get("problem")
            return f"ask: {problem}" if problem else "ask: waiting for a reply"
        case "node" if "filled" in event:
            return records_text(event)
        case _:
            return ""


def records_text(event: Mapping[str, Any]) -> str:
    """Format an event of the graphs of records; empty if there is nothing to show.

    >>> drawn = {"group": 1, "round": 2, "kinds": {"hotel": 5}}
    >>> records_text({"kind": "node", "node": "draw", "drawn": drawn})
    'group 1, round 2: hotel (5 attributes)'
    """
    if event.get("kind") != "node":
        return ""
    if drawn := event.get("drawn"):
        kinds = (f"{name} ({counted(held, 'attribute')})" for name, held in drawn["kinds"].items())
        return f"group {drawn['group']}, round {drawn['round']}: {', '.join(kinds)}"
    filled = event.get("filled")
    if event["node"] == "survey" and filled:
        return f"to be read: {filled['left']} of {counted(filled['documents'], 'document')}"
    if event["node"] == "keep" and filled:
        found = counted(filled["records"], "record")
        return f"{filled['read']} read, {filled['left']} left, {found}"
    return ""


def _format_interpreted(update: Mapping[str, Any]) -> str:
    interpretation: Interpretation = update["interpretation"]
    conditions = [
        f"  {condition.id}: {condition.text}{criteria(condition)}"
        for condition in atoms(interpretation.conditions)
    ]
    return "\n".join([interpretation.text, *conditions])


def _format_classified(update: Mapping[str, Any]) -> str:
    found = update.get("ambiguities") or ()
    return "; ".join(f"{each.code} “{each.span}”: {each.why}" for each in found) or "clear"


def _format_weighed(update: Mapping[str, Any]) -> str:
    parts = (
        f"“{ambiguity.span}”: "
        + " | ".join(
            f"{reading.label}: {reading.estimate.in_words}"
            for reading in ambiguity.readings
            if reading.estimate is not None
        )
        for ambiguity in update.get("ambiguities", ())
        if any(reading.estimate is not None for reading in ambiguity.readings)
    )
    return "; ".join(parts)


def _format_route(update: Mapping[str, Any]) -> str:
    """Format what answers and why, where there are records; if another way was given up, why."""
    route = update.get("route")
    if route is None or not (route.why or route.left):
        return ""
    given_up = "" if route.left in route.why else f"{route.left}; now "
    return f"{given_up}{_ROUTES[route.path]}: {route.why}"


def _format_called(update: Mapping[str, Any]) -> str:
    return _step(update["history"][-1]) if update.get("history") else ""


def _step(step: Step) -> str:
    if step.refused:
        return f"{call_text(step.call.tool, step.call.arguments)} (refused: {step.refused})"
    if step.verdict == "enough":
        return f"{step.call.tool}: {step.why}" if step.why else step.call.tool
    lost = f", {step.lost} known positives lost" if step.lost else ""
    effect = f"kept {step.kept} of {counted(step.kept + step.discarded, 'chunk')}{lost}"
    return f"{call_text(step.call.tool, step.call.arguments)} ({effect})"


def _format_observed(update: Mapping[str, Any]) -> str:
    if not update.get("history"):
        return ""
    step: Step = update["history"][-1]
    parts = (step.verdict or "no verdict", step.why, step.summary)
    return " ".join(f"{part.rstrip('.')}." for part in parts if part)


def _format_chosen(update: Mapping[str, Any]) -> str:
    """Format the result of the last judging round, and what is judged next or why nothing is."""
    step = update["history"][-1] if update.get("history") else None
    parts = [] if step is None else [_round(step)]
    rounds = update.get("rounds") or ()
    if rounds and rounds[-1].hits is None:
        parts.append(f"judge {counted(rounds[-1].size, 'chunk')} next: {rounds[-1].why}")
    return "; ".join(parts)


def _round(step: Step) -> str:
    if step.call.tool == "feedback":
        return f"{counted(step.discarded, 'candidate')} not judged: {step.why}"
    among = step.kept + step.discarded
    judged = f"{step.kept} of {counted(among, 'chunk')} {'was' if among == 1 else 'were'} relevant"
    return f"{judged}; {step.why}" if step.call.tool == "audit" else judged


def _format_judged(update: Mapping[str, Any]) -> str:
    coverage = update["coverage"]
    bad = coverage.failed + coverage.unparsable
    trouble = f", {bad} without a verdict" if bad else ""
    limit = f"; stopped: {update['stopped']}" if update.get("stopped") else ""
    return (
        f"{counted(coverage.judged, 'chunk')} judged, {coverage.unseen} to go, "
        f"{coverage.matched} matched{trouble}, {cost_text(update['cost'])}{limit}"
    )


def _format_outline(update: Mapping[str, Any]) -> str:
    analysis: Analysis = update["analysis"]
    tests = " and ".join(predicate_text(each.model_dump()) for each in analysis.restrictions)
    chosen = f"{counted(len(analysis.documents), 'document')}{f' with {tests}' if tests else ''}"
    columns = "; ".join(
        f"{kind.name}: {some_names([each.name for each in kind.attributes])}"
        for kind in analysis.copied.kinds
    )
    return f"{chosen}. {analysis.why.strip()}\n  of each {columns}".replace("..", ".")


def _format_extracted(update: Mapping[str, Any]) -> str:
    filled: Filled = update["filled"]
    parts = [filled_text(filled)]
    if filled.failed:
        parts.append(f"{len(filled.failed)} could not be read: {some_names(filled.failed)}")
    if filled.refused:
        parts.append(f"{counted(filled.refused, 'value')} refused")
    if filled.stopped:
        parts.append(f"stopped: {filled.stopped} {filled.left} not read")
    return "; ".join(parts)


_ROUTES: Final = {
    "records": "from the records",
    "hybrid": "from the records and the texts",
    "text": "from the texts",
}
_FORMATS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "outline": _format_outline,
    "extract": _format_extracted,
    "interpret": _format_interpreted,
    "rewrite": _format_interpreted,
    "reread": _format_interpreted,
    "classify": _format_classified,
    "weigh": _format_weighed,
    "assume": lambda update: "; ".join(update["interpretation"].granted),
    "route": _format_route,
    "records": lambda update: _format_called(update) or _format_route(update),
    "decide": lambda update: "; then ".join(map(_step, update.get("history") or ())),
    "narrow": _format_called,
    "rank": _format_called,
    "apply": _format_called,
    "observe": _format_observed,
    "feedback": _format_chosen,
    "audit": _format_chosen,
    "batch": lambda update: (
        f"{counted(update['batches'], 'request')} to judge" if update["batches"] else ""
    ),
    "judge": _format_judged,
}
