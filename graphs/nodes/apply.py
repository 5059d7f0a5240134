"""plan: choose the next filter call; apply: carry it out; observe: keep it, undo it, or stop."""

from langgraph.runtime import Runtime
from pyroaring import BitMap

import prompts
from agent.coverage import Coverage
from agent.errors import (
    LimitReached,
    ModelError,
    ProviderError,
    ProviderForbade,
    QuestionError,
    ToolArgumentError,
)
from agent.history import Snapshot, Step
from agent.prompt_values import ObserveValues, PlanValues
from agent.question import atoms
from agent.reasoner import ToolCall
from agent.replies import ObserveReply
from agent.state import State, Update
from graphs.asking import SERVES_NOTHING, ask, trace_prompt
from graphs.context import Context
from graphs.scope import asked_in, keeping, ledger, open_conditions, scope
from graphs.search.cost_model import filter_steps, unfiltered
from tools.filters.filter_calls import preview, same_call, sample
from tools.filters.registry import RollbackArguments, UnionArguments, arguments_of, specs
from tools.passage_windows import passages

FINISH = "finish"


def plan(state: State, runtime: Runtime[Context]) -> Update:
    """Let the reasoner choose the next call; nothing is asked where no filter can pay.

    Raises ProviderError: the server will serve no request.
    """
    context = runtime.context
    if pointless := _pointless(state, context):
        return {"call": _finish(pointless)}
    made = {each.id: each for each in context.store.snapshots(scope(state))}
    tools = specs(context.corpus.languages)
    prompt = prompts.plan(
        PlanValues(
            interpretation=state.interpreted,
            conditions=open_conditions(state),
            history=state.history,
            snapshot=made.get(state.snapshot) or _whole(state.snapshot, context),
            corpus=context.corpus,
            decided=[atom.id for atom in atoms(state.interpreted.conditions) if atom.by_code],
            tools=[tool.name for tool in tools],
        )
    )
    trace_prompt(runtime, prompt)
    try:
        call = context.reasoner.choose(prompt, tools)
    except LimitReached as limit:
        return {"call": _finish(f"the budget is spent: {limit}"), "stopped": str(limit)}
    except (ModelError, ProviderError) as error:
        if type(error) in {*SERVES_NOTHING, ProviderForbade}:
            raise
        told = f"no usable filter call was chosen, so all candidates are read: {error}"
        return {"call": _finish(told), "warnings": (*state.warnings, told)}
    return {"call": call}


def _finish(why: str) -> ToolCall:
    return ToolCall(tool=FINISH, arguments={}, why=why)


def _whole(name: str, context: Context) -> Snapshot:
    size = len(context.store.ids(name))
    return Snapshot(id=name, parent=None, tool="", arguments={}, kept=size, discarded=0)


def _pointless(state: State, context: Context) -> str:
    texts = open_conditions(state)
    if not texts:
        return "no condition is left for reading"
    if all(each.terms for each in texts):
        return "only mentions are left: code has found where their words stand"
    if state.earlier is not None:
        return "the earlier run filtered"
    why = context.components.unfiltered or unfiltered
    return "" if filter_steps(state) else why(state, context)


def apply(state: State, runtime: Runtime[Context]) -> Update:
    """Carry out the call; its effect is previewed before it is committed."""
    call = state.call
    if call is None:
        raise QuestionError("nothing to apply: no call was planned")
    if call.tool == FINISH:
        step = _step(call, state, verdict="enough", why=call.why)
        return {"history": (*state.history, step), "call": None}
    repeated = same_call(state.history, call, state.snapshot)
    if repeated is not None:
        kept = f"it kept {repeated.kept} and discarded {repeated.discarded} ({repeated.verdict})"
        told = f"round {repeated.round} was the same call: {repeated.refused or kept}"
        return _refuse(told, call, state)
    try:
        chunks, lost, hint = _carried_out(call, state, runtime.context)
    except ToolArgumentError as error:
        return _refuse(str(error), call, state)
    look = runtime.context.components.foreseen or _foreseen
    if foreseen := look(chunks, hint, state, runtime.context):
        return _refuse(foreseen, call, state)
    return _commit(call, chunks, lost, state, runtime.context)


def _foreseen(kept: BitMap, hint: str, state: State, context: Context) -> str:
    """Say why the call is not worth committing; empty where it is."""
    if not kept:
        return f"it would keep nothing. {hint}".strip()
    if kept == context.store.ids(state.snapshot):
        return "it would change nothing: the candidates are these already"
    return ""


def _carried_out(call: ToolCall, state: State, context: Context) -> tuple[BitMap, int, str]:
    """Return what the call keeps, how many known positives it loses, and a hint."""
    arguments = arguments_of(call)
    if isinstance(arguments, UnionArguments):
        known = (_known_ids(name, state, context) for name in arguments.snapshots)
        return BitMap.union(*known), 0, ""
    if isinstance(arguments, RollbackArguments):
        return _known_ids(arguments.snapshot, state, context), 0, ""
    book, candidates = ledger(state, context), context.store.ids(state.snapshot)
    positives = BitMap().union(*(book.ids(each.id, "yes") for each in open_conditions(state)))
    kept, hint = preview(context.corpus, candidates, call)
    return kept, len((candidates - kept) & positives), hint


def _known_ids(name: str, state: State, context: Context) -> BitMap:
    known = known_snapshots(state)
    if name not in known:
        raise ToolArgumentError(f"there is no snapshot {name!r}; known are {', '.join(known)}")
    return context.store.ids(name)


def known_snapshots(state: State) -> tuple[str, ...]:
    """Return the ids of all snapshots of this search, oldest first, each once."""
    steps = [each for step in state.history for each in (step.before, step.after)]
    return tuple(dict.fromkeys([*steps, state.snapshot]))


def _commit(call: ToolCall, kept: BitMap, lost: int, state: State, context: Context) -> Update:
    told = {"lost": lost, "verdict": "keep" if call.tool in {"union", "rollback"} else None}
    round_ = len(state.history) + 1
    step = keeping(kept, state.snapshot, call, round_, state, context, **told)
    return {
        "history": (*state.history, step),
        "snapshot": step.after,
        "call": None,
        "coverage": _settle(kept, round_, state, context),
    }


def _settle(candidates: BitMap, round_: int, state: State, context: Context) -> Coverage:
    """Book the new candidates: what left them is pruned by this round, what came back reverted."""
    book = ledger(state, context)
    for each, chunks in asked_in(state, context).items():
        book.restore(candidates & chunks, conditions=[each], step=round_)
        book.prune(round_, BitMap(range(len(context.corpus))) - candidates, conditions=[each])
    return book.coverage()


def _refuse(why: str, call: ToolCall, state: State) -> Update:
    step = _step(call, state, verdict="again", refused=why)
    return {"history": (*state.history, step), "call": None}


def _step(call: ToolCall, state: State, **told: object) -> Step:
    """Return a step that changes nothing."""
    base = {"before": state.snapshot, "after": state.snapshot, **told}
    return Step.model_validate({"round": len(state.history) + 1, "call": call, **base})


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
        if type(error) in SERVES_NOTHING:
            raise
        why = f"undone, because no usable verdict came: {error}"
        reply = ObserveReply(summary="", why=why, verdict="again", rollback_to=None)
        warnings = (*warnings, f"filter call {step.round} was {why}")
    told = looked.model_copy(
        update={"verdict": reply.verdict, "why": reply.why, "summary": reply.summary}
    )
    update: Update = {"history": (*state.history[:-1], told), "warnings": warnings}
    if (target := _target(reply, step, state)) is not None:
        store = runtime.context.store
        update |= {
            "snapshot": target,
            "coverage": _settle(store.ids(target), told.round, state, runtime.context),
        }
        store.set_outcome(scope(state), told.round, "rolled_back", told.why)
    return update


def _looked_at(step: Step, state: State, context: Context) -> Step:
    """Sample both sides of a call: what it discarded half by rank, where a mistake shows first."""
    kept = context.store.ids(step.after)
    most = context.policy.samples
    lost = _discarded(step, context) - _held(step, state, context)
    question = state.interpreted.text
    return step.model_copy(
        update={
            "kept_sample": sample(context.corpus, kept, question, most, nearest=most // 3),
            "discarded_sample": sample(
                context.corpus, lost, question, most, nearest=(most + 1) // 2
            ),
        }
    )


def _discarded(step: Step, context: Context) -> BitMap:
    return context.store.ids(step.before) - context.store.ids(step.after)


def _held(step: Step, state: State, context: Context) -> BitMap:
    """Return what other filter calls kept, which a union can bring back.

    A snapshot that the step narrowed down, or one that holds all of it, is no branch beside it.
    """
    before = context.store.ids(step.before)
    kept = (context.store.ids(e.after) for e in state.history[:-1] if e.verdict == "keep")
    return BitMap().union(*(each for each in kept if not before <= each))


def _verdict(step: Step, state: State, runtime: Runtime[Context]) -> ObserveReply:
    context = runtime.context
    held = _held(step, state, context) & _discarded(step, context)
    made = [shot for shot in context.store.snapshots(scope(state)) if shot.id != state.snapshot]
    values = ObserveValues(
        interpretation=state.interpreted,
        conditions=open_conditions(state),
        step=step,
        kept=passages(context.corpus, step.kept_sample),
        discarded=passages(context.corpus, step.discarded_sample),
        held=len(held),
        snapshots=[_whole(state.history[0].before, context), *made],  # to go back to
    )
    if context.components.observed is not None:
        values = context.components.observed(values)
    return ask(runtime, prompts.observe(values), ObserveReply, lambda reply: reply)


def _target(reply: ObserveReply, step: Step, state: State) -> str | None:
    """Return the snapshot to go back to, if any; an unknown one means only this step is undone."""
    if reply.verdict == "again":
        return step.before
    if reply.verdict != "rollback":
        return None
    known = known_snapshots(state)
    return reply.rollback_to if reply.rollback_to in known else step.before
