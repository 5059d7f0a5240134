"""Which node comes next: pure functions of the state."""

from itertools import takewhile
from typing import Literal

from langgraph.runtime import Runtime

from agent.history import Step
from agent.policy import Policy
from agent.state import State
from graphs.context import Context
from graphs.scope import open_conditions


def after_weigh(
    state: State, runtime: Runtime[Context]
) -> Literal["clarify", "assume", "branch", "route"]:
    """Ask, assume, answer every reading, or go on with a clear question.

    What is open when the turns are used up is assumed. After a limit nothing is asked.
    """
    policy = runtime.context.policy
    asked = len(state.exchanges)
    if state.stopped:
        return "route"
    if policy.on_ambiguity == "ask" and policy.disambiguation == "direct" and not asked:
        return "clarify"
    if not state.ambiguities:
        return "route"
    if policy.on_ambiguity == "branch":
        return "branch"
    return "clarify" if policy.on_ambiguity == "ask" and asked < policy.max_turns else "assume"


def after_branch(state: State) -> Literal["reread", "route"]:
    """Answer the readings, or what was read where a limit left none."""
    return "reread" if state.readings else "route"


def after_route(state: State) -> Literal["records", "decide"]:
    """Query the records, or begin with the texts."""
    return "records" if _path(state) == "records" else "decide"


def after_records(state: State) -> Literal["answer", "decide"]:
    """Answer by the records; begin with the texts where they turned out not to fit."""
    return "answer" if _path(state) == "records" else "decide"


def after_decide(
    state: State, runtime: Runtime[Context]
) -> Literal["align", "rank", "narrow", "plan"]:
    """Answer what code decided; rank what nobody can judge; else search and judge."""
    if not open_conditions(state):
        return "align"
    if "judge" not in runtime.context.reasoner.abilities:
        return "rank"
    return "narrow" if _path(state) == "hybrid" else "plan"


def after_observe(state: State, runtime: Runtime[Context]) -> Literal["plan", "feedback"]:
    """Filter on, or begin to read."""
    return "feedback" if end_of_filtering(state, runtime.context.policy) else "plan"


def after_feedback(state: State) -> Literal["batch", "audit"]:
    """Read what was chosen; where nothing was, look at what nobody read."""
    return "batch" if _chosen(state) else "audit"


def after_judge(state: State) -> Literal["judge", "feedback", "audit", "align"]:
    """Send the next wave until all batches are sent or a limit is reached; then learn from it."""
    if state.stopped:
        return "align"
    if state.judged_batches < state.batches:
        return "judge"
    return "audit" if state.rounds[-1].purpose == "audit" else "feedback"


def after_audit(state: State) -> Literal["batch", "feedback", "align"]:
    """Read the sample; go back to reading where the last one leaked; else be done."""
    if _chosen(state):
        return "batch"
    leaked = bool(state.audits) and state.audits[-1].outcome == "leaked"
    return "feedback" if leaked and state.rounds[-1].purpose == "audit" else "align"


def after_answer(state: State) -> Literal["reread", "__end__"]:
    """Answer the next reading, if the question is answered under every reading."""
    return "reread" if state.answered < len(state.readings) else "__end__"


def _path(state: State) -> str:
    return state.route.path if state.route is not None else "text"


def _chosen(state: State) -> bool:
    """Tell whether chunks were chosen that are still to be read."""
    return bool(state.rounds) and state.rounds[-1].hits is None


def end_of_filtering(state: State, policy: Policy) -> str:
    """Say why filtering ends here; empty while it goes on."""
    rounds = [step for step in state.history if not step.certain]
    if state.stopped:
        return f"limit: {state.stopped}"
    if not rounds:
        return ""
    last = rounds[-1]
    if last.verdict == "enough":
        return last.why or "enough"
    if _within_budget(rounds, policy):
        return f"candidate budget: {last.kept} candidates are few enough to read them all"
    if len(rounds) >= policy.max_rounds:
        return f"limit: {policy.max_rounds} rounds"
    idle = _idle(rounds) >= policy.max_idle_rounds
    return f"limit: {policy.max_idle_rounds} rounds without progress" if idle else ""


def _within_budget(rounds: list[Step], policy: Policy) -> bool:
    """Tell whether what the last call left is few enough to be read.

    A call on the candidates that filtering began with may be one branch of a union to come, so
    that only a union, or a call on what another call left, ends filtering.
    """
    last = rounds[-1]
    refines = last.call.tool == "union" or (
        last.call.tool != "rollback" and last.before != rounds[0].before
    )
    return last.verdict == "keep" and refines and last.kept <= policy.few_candidates


def _idle(rounds: list[Step]) -> int:
    """Count the last rounds that changed nothing: refused, undone or without effect."""
    idle = takewhile(
        lambda step: (
            step.refused or step.verdict in {"again", "rollback"} or step.after == step.before
        ),
        reversed(rounds),
    )
    return len([*idle])
