"""ReAct with a retriever: the model searches step by step and sees all that it found."""

from collections.abc import Sequence
from typing import Final, Literal

from langgraph.graph import END
from langgraph.runtime import Runtime
from pyroaring import BitMap

from agent.adf_state import Retrieval
from agent.history import Snapshot
from agent.reasoner import Prompt, ToolCall, ToolSpec
from evals.baselines import prompts
from evals.baselines.acting import FINISH, ITERATIONS, choose, finish, step_of
from evals.baselines.concluding import conclude
from evals.baselines.fitting import SEARCHING, Fitted, affordable, fitted
from evals.baselines.reading import read
from evals.baselines.retrieving import begin, found
from evals.baselines.state import BaselineState, BaselineUpdate
from evals.baselines.step import BaselineGraph, BaselineNode, baseline_graph
from graphs.context import Context
from tools.filters.arguments import Arguments, Words
from tools.retrieval import retrieve as ranked

__all__ = ("SearchArguments", "after_search", "react")

_SEARCH: Final = "search"


class SearchArguments(Arguments):
    """A query."""

    query: Words
    """What to search for, in words that documents would use."""


def react(k: int, mode: Retrieval) -> BaselineGraph:
    """Build begin → search → search … → read → conclude, k chunks a search."""
    builder = baseline_graph(begin, _searching(k, mode), read, conclude)
    builder.add_edge("begin", "search")
    builder.add_conditional_edges("search", after_search)
    builder.add_edge("read", "conclude")
    builder.add_edge("conclude", END)
    return builder


def after_search(state: BaselineState) -> Literal["search", "read"]:
    """Go on until the model finishes, at most ten times."""
    spent = state.stopped or state.finished or len(state.history) >= ITERATIONS
    return "read" if spent else "search"


def _searching(k: int, mode: Retrieval) -> BaselineNode:
    """Return the node that has a call chosen and carries it out."""
    tools = [
        ToolSpec(
            name=_SEARCH,
            description=f'Find the {k} passages that are most like a query: {{"query": "…"}}.',
            arguments=SearchArguments,
        ),
        finish(),
    ]

    def search(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
        budget = affordable(state, SEARCHING)
        shown = fitted(state.chunks, runtime.context, budget=budget)
        if shown.stopped:
            return {"finished": True, "stopped": shown.stopped}
        prompt = _prompt(state, shown, runtime.context, tools)
        chosen = choose(runtime, prompt, tools, budget)
        update: BaselineUpdate = {
            "finished": chosen.call.tool == FINISH,
            "stopped": state.stopped or chosen.stopped,
            "warnings": (*state.warnings, *chosen.warnings),
            "shown": state.shown.union(each.chunk for each in shown.passages),
        }
        if update["finished"]:
            return update
        return update | _carried_out(state, chosen.call, runtime.context, k, mode)

    return search


def _prompt(
    state: BaselineState, shown: Fitted, context: Context, tools: Sequence[ToolSpec]
) -> Prompt:
    return prompts.act(
        question=state.question,
        history=state.history,
        snapshot=_taken(state, context),
        found=shown.passages,
        corpus=context.corpus,
        tools=[tool.name for tool in tools],
    )


def _carried_out(
    state: BaselineState, call: ToolCall, context: Context, k: int, mode: Retrieval
) -> BaselineUpdate:
    """Return what a search changes; a repeated one is refused."""
    query = SearchArguments.model_validate(call.arguments).query
    before = context.store.put_ids(BitMap(state.chunks))
    if query in state.queries:
        step = step_of(state, call, before=before, refused="this was searched for")
        return {"history": (*state.history, step)}
    update = found(state, query, ranked(context.corpus, query, k, mode=mode))
    kept = len(update["chunks"]) - len(state.chunks)
    after = context.store.put_ids(BitMap(update["chunks"]))
    step = step_of(state, call, before=before, after=after, kept=kept)
    return update | {"history": (*state.history, step)}


def _taken(state: BaselineState, context: Context) -> Snapshot:
    chunks = BitMap(state.chunks)
    return Snapshot(
        id=context.store.put_ids(chunks),
        parent=None,
        tool=_SEARCH,
        arguments={},
        kept=len(chunks),
        discarded=len(context.corpus) - len(chunks),
    )
