"""The trace as it happens: what an event tells a person, a line or a few."""

from collections.abc import Callable, Mapping
from typing import Any

from agent.cost import Cost
from agent.history import Step
from agent.question import Condition, Interpretation, atoms
from agent.value import counted
from graphs.apps.analysed import extracted, outlined
from graphs.apps.predicates import predicate_text
from graphs.apps.records_history import trace_line
from graphs.sessions import Event

__all__ = ("call_text", "cost_text", "criteria", "told")

_VALUE = 100


def told(event: Event) -> str:
    """Say an event in words; empty where it tells a person nothing."""
    match event["kind"]:
        case "update":
            return _update(event["node"], event["update"])
        case "waiting":
            problem = event["asked"].get("problem")
            return f"ask: {problem}" if problem else "ask: waiting for a reply"
        case "node" if "filled" in event:
            return trace_line(event)
        case _:
            return ""


def _update(node: str, update: Mapping[str, Any]) -> str:
    tell = _TELLERS.get(node)
    text = tell(update) if tell else ""
    return f"{node}: {text}" if text else ""


def _read(reading: Interpretation) -> str:
    conditions = [
        f"  {condition.id}: {condition.text}{criteria(condition)}"
        for condition in atoms(reading.conditions)
    ]
    return "\n".join([reading.text, *conditions])


def criteria(condition: Condition) -> str:
    """Say what counts as a condition and what does not, or which field decides it."""
    if condition.predicate is not None:
        test = predicate_text(condition.predicate.model_dump())
        same = test.replace("'", "").casefold() == condition.text.casefold()
        return "" if same else f" [field: {test}]"
    parts = (
        ("mention of", condition.terms),
        ("counts", condition.counts),
        ("does not count", condition.excludes),
    )
    said = [f"{name}: {', '.join(words)}" for name, words in parts if words]
    return f" [{'; '.join(said)}]" if said else ""


def _classified(update: Mapping[str, Any]) -> str:
    found = update.get("ambiguities") or ()
    if not found:
        return "clear"
    return "; ".join(f"{each.code} “{each.span}”: {each.why}" for each in found)


def _step(step: Step) -> str:
    if step.refused:
        return f"{call_text(step.call.tool, step.call.arguments)}: refused, {step.refused}"
    if step.verdict == "enough":
        return f"{step.call.tool}: {step.why}" if step.why else step.call.tool
    lost = f", {step.lost} known positives lost" if step.lost else ""
    effect = f"kept {step.kept}, discarded {step.discarded}{lost}"
    return f"{call_text(step.call.tool, step.call.arguments)}: {effect}"


def call_text(tool: str, arguments: Mapping[str, object]) -> str:
    """Say a tool call with the arguments that are set, long ones cut."""
    told = ", ".join(
        f"{name}={_short(value)}" for name, value in arguments.items() if value is not None
    )
    return f"{tool}({told})"


def _short(value: object) -> str:
    """Write an argument as Python would, predicates in words, and cut what is long."""
    text = repr(value)
    if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
        text = "[" + "; ".join(predicate_text(each) for each in value) + "]"
    return text if len(text) <= _VALUE else text[: _VALUE - 1] + "…"


def _verdict(step: Step) -> str:
    said = (step.verdict or "no verdict", step.why, step.summary)
    return " ".join(f"{part.rstrip('.')}." for part in said if part)


def _chosen(update: Mapping[str, Any]) -> str:
    """Say what the last round of reading brought, and what is read next or why nothing is."""
    step = update["history"][-1] if update.get("history") else None
    told = "" if step is None else _round(step)
    rounds = update.get("rounds") or ()
    if rounds and rounds[-1].hits is None:
        told += (
            f"{'; ' if told else ''}read {counted(rounds[-1].size, 'chunk')} next: {rounds[-1].why}"
        )
    return told


def _round(step: Step) -> str:
    if step.call.tool == "feedback":
        return f"{counted(step.discarded, 'candidate')} not read: {step.why}"
    among = step.kept + step.discarded
    read = f"{step.kept} of {counted(among, 'chunk')} {'was' if among == 1 else 'were'} relevant"
    return f"{read}; {step.why}" if step.call.tool == "audit" else read


def _batched(update: Mapping[str, Any]) -> str:
    return f"{counted(update['batches'], 'request')} to judge" if update["batches"] else ""


def _judged(update: Mapping[str, Any]) -> str:
    coverage = update["coverage"]
    bad = coverage.failed + coverage.unparsable
    trouble = f", {bad} without a verdict" if bad else ""
    limit = f"; stopped: {update['stopped']}" if update.get("stopped") else ""
    return (
        f"{counted(coverage.judged, 'chunk')} judged, {coverage.unseen} to go, "
        f"{coverage.matched} matched{trouble}, {cost_text(update['cost'])}{limit}"
    )


def cost_text(cost: Cost) -> str:
    """Say calls, and tokens and money where there are any."""
    cached = f" and {cost.cached_calls} from the cache" if cost.cached_calls else ""
    tokens = ""
    if cost.input_tokens or cost.output_tokens:
        tokens = f", {cost.input_tokens} + {cost.output_tokens} tokens"
    money = "" if cost.usd is None else f", ${cost.usd:.4f}"
    return f"{counted(cost.model_calls, 'call')}{cached}{tokens}{money}"


def _routed(update: Mapping[str, Any]) -> str:
    """Say which way was chosen, and why; where an earlier choice was given up, why that."""
    route = update.get("route")
    if route is None:
        return ""
    given_up = f"{route.left}; now " if route.left else ""
    return f"{given_up}{route.path}: {route.why}"


def _queried(update: Mapping[str, Any]) -> str:
    """Say what was asked of the records, or which way is left."""
    return _called(update) or _routed(update)


def _reading(update: Mapping[str, Any]) -> str:
    return _read(update["interpretation"])


def _called(update: Mapping[str, Any]) -> str:
    return _step(update["history"][-1]) if update.get("history") else ""


def _observed(update: Mapping[str, Any]) -> str:
    return _verdict(update["history"][-1]) if update.get("history") else ""


def _weighed(update: Mapping[str, Any]) -> str:
    """Say what the readings of what is open came to."""
    told = (
        f"“{ambiguity.span}”: "
        + " | ".join(
            f"{reading.label}: {reading.estimate.in_words}"
            for reading in ambiguity.readings
            if reading.estimate is not None
        )
        for ambiguity in update.get("ambiguities", ())
        if any(reading.estimate is not None for reading in ambiguity.readings)
    )
    return "; ".join(told)


_TELLERS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "outline": outlined,
    "extract": extracted,
    "interpret": _reading,
    "rewrite": _reading,
    "reread": _reading,
    "classify": _classified,
    "weigh": _weighed,
    "assume": lambda update: "; ".join(update["interpretation"].granted),
    "route": _routed,
    "records": _queried,
    "decide": _called,
    "narrow": _called,
    "apply": _called,
    "observe": _observed,
    "feedback": _chosen,
    "audit": _chosen,
    "batch": _batched,
    "judge": _judged,
}
