"""plan: choose the next filter call."""

from langgraph.runtime import Runtime

import prompts
from agent.errors import LimitReached, ModelError, ProviderError
from agent.history import Snapshot
from agent.prompt_values import PlanValues
from agent.question import atoms
from agent.reasoner import ToolCall
from agent.state import State, Update
from graphs.asking import trace_prompt
from graphs.context import Context
from graphs.scope import open_conditions, scope
from graphs.search.cost_model import filter_steps, unfiltered
from tools.filters.registry import specs

FINISH = "finish"


def plan(state: State, runtime: Runtime[Context]) -> Update:
    """Let the reasoner choose the next call; nothing is asked where no filter can pay."""
    context = runtime.context
    snapshot = current_snapshot(state, context)
    pointless = _pointless(state, context)
    if pointless:
        return {"call": _finish(pointless)}
    tools = specs()
    decided = [atom.id for atom in atoms(state.interpreted.conditions) if atom.predicate]
    prompt = prompts.plan(
        PlanValues(
            interpretation=state.interpreted,
            conditions=open_conditions(state),
            history=state.history,
            snapshot=snapshot,
            corpus=context.corpus,
            decided=decided,
            tools=[tool.name for tool in tools],
        )
    )
    trace_prompt(runtime, prompt)
    try:
        call = context.reasoner.choose(prompt, tools)
    except LimitReached as limit:
        return {"call": _finish(f"the budget is spent: {limit}"), "stopped": str(limit)}
    except (ModelError, ProviderError) as error:
        told = f"no usable filter call was chosen, so all candidates are read: {error}"
        return {"call": _finish(told), "warnings": (*state.warnings, told)}
    return {"call": call}


def _finish(why: str) -> ToolCall:
    return ToolCall(tool=FINISH, arguments={}, why=why)


def current_snapshot(state: State, context: Context) -> Snapshot:
    """Return the current candidates' snapshot; the whole corpus has no parent."""
    for snapshot in reversed(context.store.snapshots(scope(state))):
        if snapshot.id == state.snapshot:
            return snapshot
    size = len(context.store.ids(state.snapshot))
    return Snapshot(id=state.snapshot, parent=None, tool="", arguments={}, kept=size, discarded=0)


def _pointless(state: State, context: Context) -> str:
    texts = open_conditions(state)
    if not texts:
        return "no condition is left for reading"
    if all(each.terms for each in texts):
        return "only mentions are left: code has found where their words stand"
    why = context.components.unfiltered or unfiltered
    return "" if filter_steps(state) else why(state, context)
