"""A single agent with our filters as tools: it narrows, and what it discards is gone."""

from typing import Final, Literal

from langgraph.graph import END
from langgraph.runtime import Runtime
from pyroaring import BitMap

from agent.errors import ToolArgumentError
from agent.history import Snapshot, Step
from agent.reasoner import ToolCall, ToolSpec
from evals.baselines import prompts
from evals.baselines.acting import FINISH, ITERATIONS, choose, finish, step_of
from evals.baselines.concluding import conclude
from evals.baselines.fitting import SEARCHING, affordable
from evals.baselines.reading import read
from evals.baselines.retrieving import begin
from evals.baselines.state import BaselineState, BaselineUpdate
from evals.baselines.step import BaselineGraph, baseline_graph
from graphs.context import Context
from tools.filters.filter_calls import same_call
from tools.filters.registry import FILTERS, apply
from tools.retrieval import by_words

__all__ = ("after_narrow", "narrow", "order", "tool_agent")

_NOTHING: Final = "it would keep nothing"
_ALL: Final = "it would change nothing: the candidates are these already"


def tool_agent() -> BaselineGraph:
    """Build begin → narrow → narrow … → order → read → conclude."""
    builder = baseline_graph(begin, narrow, order, read, conclude)
    builder.add_edge("begin", "narrow")
    builder.add_conditional_edges("narrow", after_narrow)
    builder.add_edge("order", "read")
    builder.add_edge("read", "conclude")
    builder.add_edge("conclude", END)
    return builder


def narrow(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Have a filter chosen and carry it out on what is left; there is no way back."""
    context = runtime.context
    left = context.store.ids(state.candidates) if state.candidates else _everything(context)
    tools = _offered()
    prompt = prompts.act(
        question=state.question,
        history=state.history,
        snapshot=_standing(left, context),
        found=(),
        corpus=context.corpus,
        tools=[tool.name for tool in tools],
    )
    chosen = choose(runtime, prompt, tools, affordable(state, SEARCHING))
    update: BaselineUpdate = {
        "finished": chosen.call.tool == FINISH,
        "stopped": state.stopped or chosen.stopped,
        "warnings": (*state.warnings, *chosen.warnings),
        "candidates": context.store.put_ids(left),
    }
    if update["finished"]:
        return update
    step = _carried_out(state, chosen.call, left, context)
    return update | {"history": (*state.history, step), "candidates": step.after}


def after_narrow(state: BaselineState) -> Literal["narrow", "order"]:
    """Go on until the model finishes, at most ten times."""
    spent = state.stopped or state.finished or len(state.history) >= ITERATIONS
    return "order" if spent else "narrow"


def order(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Rank what is left by the question's words, so that the best is read where not all fits."""
    context = runtime.context
    left = context.store.ids(state.candidates)
    ranking = by_words(context.corpus.lexical, state.question, len(context.corpus))
    best = [chunk for chunk in ranking if chunk in left]
    return {"chunks": (*best, *(left - BitMap(best)))}


def _carried_out(state: BaselineState, call: ToolCall, left: BitMap, context: Context) -> Step:
    before = context.store.put_ids(left)
    if same_call(state.history, call, before) is not None:
        return step_of(state, call, before=before, refused="this call was made before")
    try:
        kept = apply(context.corpus, left, call)
    except ToolArgumentError as error:
        return step_of(state, call, before=before, refused=str(error))
    if not kept or kept == left:
        return step_of(state, call, before=before, refused=_ALL if kept else _NOTHING)
    return step_of(
        state,
        call,
        before=before,
        after=context.store.put_ids(kept),
        kept=len(kept),
        discarded=len(left) - len(kept),
    )


def _offered() -> list[ToolSpec]:
    filters = [
        ToolSpec(name=name, description=tool.description, arguments=tool.arguments)
        for name, tool in FILTERS.items()
    ]
    return [*filters, finish()]


def _everything(context: Context) -> BitMap:
    return BitMap(range(len(context.corpus)))


def _standing(left: BitMap, context: Context) -> Snapshot:
    return Snapshot(
        id=context.store.put_ids(left),
        parent=None,
        tool="",
        arguments={},
        kept=len(left),
        discarded=len(context.corpus) - len(left),
    )
