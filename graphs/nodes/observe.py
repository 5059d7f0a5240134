"""observe: look at kept and discarded passages alike; keep, undo, roll back, or stop."""

from langgraph.runtime import Runtime
from pyroaring import BitMap

import prompts
from agent.errors import LimitReached, ModelError, ProviderError
from agent.history import Snapshot, Step
from agent.prompt_values import ObserveValues
from agent.replies import ObserveReply
from agent.state import State, Update
from graphs.asking import ask
from graphs.context import Context
from graphs.nodes.apply import known_snapshots, settle
from graphs.scope import open_conditions, scope
from tools.filters.filter_calls import sample_discarded, sample_kept
from tools.passage_windows import passages


def observe(state: State, runtime: Runtime[Context]) -> Update:
    """Judge the last step; a step that was refused or undone by the graph is not asked about."""
    step = state.history[-1]
    if step.verdict is not None:
        return {}
    looked = _looked_at(step, state, runtime.context)
    warnings = state.warnings
    try:
        reply = _verdict(looked, state, runtime)
    except LimitReached as limit:
        told = looked.model_copy(update={"verdict": "enough", "why": f"budget: {limit}"})
        return {"history": (*state.history[:-1], told), "stopped": str(limit)}
    except (ModelError, ProviderError) as error:
        why = f"undone, because no usable verdict came: {error}"
        reply = ObserveReply(summary="", why=why, verdict="again", rollback_to=None)
        warnings = (*warnings, f"filter call {step.round} was {why}")
    told = looked.model_copy(
        update={"verdict": reply.verdict, "why": reply.why, "summary": reply.summary}
    )
    update: Update = {"history": (*state.history[:-1], told), "warnings": warnings}
    target = _target(reply, step, state)
    if target is not None:
        update |= _back(target, told, state, runtime.context)
    return update


def _looked_at(step: Step, state: State, context: Context) -> Step:
    kept = context.store.ids(step.after)
    most = context.policy.samples
    lost = _discarded(step, context) - _held(step, state, context)
    question = state.interpreted.text
    return step.model_copy(
        update={
            "kept_sample": sample_kept(context.corpus, kept, question, most),
            "discarded_sample": sample_discarded(context.corpus, lost, question, most),
        }
    )


def _discarded(step: Step, context: Context) -> BitMap:
    return context.store.ids(step.before) - context.store.ids(step.after)


def _held(step: Step, state: State, context: Context) -> BitMap:
    """Return what other filter calls kept, which a union can bring back.

    A snapshot that the step narrowed down, or an earlier one that holds all of it, is no branch
    beside it: what such a snapshot holds is what the step discarded.
    """
    before = context.store.ids(step.before)
    held = BitMap()
    for earlier in state.history[:-1]:
        kept = context.store.ids(earlier.after)
        if earlier.verdict == "keep" and not before <= kept:
            held |= kept
    return held


def _verdict(step: Step, state: State, runtime: Runtime[Context]) -> ObserveReply:
    context = runtime.context
    held = _held(step, state, context) & _discarded(step, context)
    values = ObserveValues(
        interpretation=state.interpreted,
        conditions=open_conditions(state),
        step=step,
        kept=passages(context.corpus, step.kept_sample),
        discarded=passages(context.corpus, step.discarded_sample),
        held=len(held),
        snapshots=_earlier(state, context),
        corpus=context.corpus,
    )
    if context.components.observed is not None:
        values = context.components.observed(values)
    prompt = prompts.observe(values)
    return ask(runtime, prompt, ObserveReply, lambda reply: reply)


def _earlier(state: State, context: Context) -> list[Snapshot]:
    """Return the snapshots to go back to, the whole collection first."""
    made = [shot for shot in context.store.snapshots(scope(state)) if shot.id != state.snapshot]
    first = state.history[0].before
    size = len(context.store.ids(first))
    whole = Snapshot(id=first, parent=None, tool="", arguments={}, kept=size, discarded=0)
    return [whole, *made]


def _target(reply: ObserveReply, step: Step, state: State) -> str | None:
    """Return the snapshot to go back to, if any; an unknown one means only this step is undone."""
    if reply.verdict == "again":
        return step.before
    if reply.verdict != "rollback":
        return None
    known = known_snapshots(state)
    return reply.rollback_to if reply.rollback_to in known else step.before


def _back(target: str, step: Step, state: State, context: Context) -> Update:
    coverage = settle(context.store.ids(target), step.round, state, context)
    context.store.set_outcome(scope(state), step.round, "rolled_back", step.why)
    return {"snapshot": target, "coverage": coverage}
