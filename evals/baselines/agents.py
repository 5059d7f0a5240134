"""Having a model choose a tool call, and entering what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from langgraph.graph import END
from langgraph.runtime import Runtime
from pyroaring import BitMap

from agent.adf_state import Retrieval
from agent.errors import (
    LimitReached,
    ModelError,
    ProviderError,
    ProviderRejected,
    ToolArgumentError,
)
from agent.history import Snapshot, Step
from agent.reasoner import Prompt, ToolCall, ToolSpec
from evals.baselines import baseline_prompts as asks
from evals.baselines.baseline_replies import DelegateReply, NoteReply
from evals.baselines.baseline_state import (
    BaselineGraph,
    BaselineNode,
    BaselineState,
    BaselineUpdate,
    Task,
    baseline_graph,
)
from evals.baselines.concluding import (
    NOTING,
    SEARCHING,
    Fitted,
    affordable,
    ask_each,
    billed,
    conclude,
    fitted,
    merge,
    proven,
    read,
)
from evals.baselines.retrieval_graphs import begin, found
from graphs.context import Context
from tools.filters.arguments import Arguments, Words
from tools.filters.filter_calls import same_call
from tools.filters.registry import CONTROLS, FILTERS, apply
from tools.retrieval import by_words
from tools.retrieval import retrieve as ranked

__all__ = (
    "FINISH",
    "ITERATIONS",
    "Choice",
    "SearchArguments",
    "after_narrow",
    "after_search",
    "after_work",
    "choose",
    "delegate",
    "finish",
    "narrow",
    "order",
    "react",
    "step_of",
    "team",
    "tool_agent",
)

FINISH: Final = "finish"
ITERATIONS: Final = 10
"""Calls at most (DFA, appendix A.7.1)."""
_SPENT: Final = "what the budget keeps for searching is spent"


@dataclass(frozen=True, slots=True)
class Choice:
    """A call, or why there is none."""

    call: ToolCall
    stopped: str = ""
    """The limit that was reached."""
    warnings: tuple[str, ...] = ()


def choose(
    runtime: Runtime[Context],
    prompt: Prompt,
    tools: Sequence[ToolSpec],
    budget: int | None = None,
) -> Choice:
    """Ask for the next call; without a usable one, or beyond the budget, finish.

    Raises:
        ProviderRejected: the server will not serve the request as it is.
    """
    if budget is not None and billed(prompt.text) > budget:
        return Choice(_finish(_SPENT), stopped=_SPENT)
    try:
        return Choice(runtime.context.reasoner.choose(prompt, tools))
    except LimitReached as limit:
        return Choice(_finish(str(limit)), stopped=str(limit))
    except ProviderRejected:
        raise
    except (ModelError, ProviderError) as error:
        told = f"no usable call was chosen: {error}"
        return Choice(_finish(told), warnings=(told,))


def finish() -> ToolSpec:
    """Return the tool that ends the search, as it is offered."""
    return ToolSpec(
        name=FINISH,
        description="Stop searching and answer from what was found. {}",
        arguments=CONTROLS[FINISH].arguments,
    )


def step_of(
    state: BaselineState, call: ToolCall, *, before: str, after: str = "", refused: str = "",
    kept: int = 0, discarded: int = 0,
) -> Step:  # fmt: skip
    """Return the step of the history that tells of a call."""
    return Step(
        round=len(state.history) + 1,
        call=call,
        before=before,
        after=after or before,
        kept=kept,
        discarded=discarded,
        refused=refused,
        verdict=None if refused else "keep",
    )


def _finish(why: str) -> ToolCall:
    return ToolCall(tool=FINISH, arguments={}, why=why)


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
    return asks.act(
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
    prompt = asks.act(
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
    step = _carried_out_tool_agent(state, chosen.call, left, context)
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


def _carried_out_tool_agent(
    state: BaselineState, call: ToolCall, left: BitMap, context: Context
) -> Step:
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


_ROUNDS: Final = 2
"""Searches of a worker at most."""
_WORKERS: Final = 4


def team(k: int, mode: Retrieval) -> BaselineGraph:
    """Build begin → delegate → work → work … → merge → conclude, k chunks a worker's search."""
    builder = baseline_graph(begin, delegate, _working(k, mode), merge, conclude)
    builder.add_edge("begin", "delegate")
    builder.add_edge("delegate", "work")
    builder.add_conditional_edges("work", after_work)
    builder.add_edge("merge", "conclude")
    builder.add_edge("conclude", END)
    return builder


def delegate(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Have the question shared out; without a usable plan one worker gets all of it."""
    prompt = asks.delegate(question=state.question, corpus=runtime.context.corpus)
    received = ask_each(state, runtime, [(prompt, None)], DelegateReply)
    (reply,) = received.replies
    told = [each.strip() for each in reply.tasks if each.strip()] if reply else []
    tasks = list(dict.fromkeys(told))[:_WORKERS] or [state.question]
    return received.update | {"tasks": tuple(Task(text=each, query=each) for each in tasks)}


def after_work(state: BaselineState) -> Literal["work", "merge"]:
    """Go on while a worker has a query left, at most twice."""
    return "work" if state.tasks and not state.stopped and state.rounds < _ROUNDS else "merge"


def _working(k: int, mode: Retrieval) -> BaselineNode:
    """Return the node in which all workers search and take notes, side by side."""

    def work(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
        queries = (*state.queries, *(each.query for each in state.tasks))
        corpus = runtime.context.corpus
        found = [ranked(corpus, each.query, k, mode=mode) for each in state.tasks]
        budget, noted = affordable(state, NOTING), "\n".join([*queries, *_quotes(state)])
        each = None if budget is None else budget // len(found)
        shown = [fitted(chunks, runtime.context, besides=noted, budget=each) for chunks in found]
        sent = [
            (_prompt_team(task, seen, queries, state), seen)
            for task, seen in zip(state.tasks, shown, strict=True)
        ]
        received = ask_each(state, runtime, sent, NoteReply)
        notes = [
            note
            for reply, seen in zip(received.replies, shown, strict=True)
            if reply is not None
            for note in proven(reply.items, seen.passages)
        ]
        every = dict.fromkeys([*state.chunks, *(chunk for chunks in found for chunk in chunks)])
        return received.update | {
            "items": tuple(dict.fromkeys([*state.items, *notes])),
            "tasks": _onward(state.tasks, received.replies),
            "queries": queries,
            "chunks": tuple(every),
            "rounds": state.rounds + 1,
        }

    return work


def _prompt_team(task: Task, seen: Fitted, queries: Sequence[str], state: BaselineState) -> Prompt:
    return asks.note(
        question=state.question,
        task=task.text,
        queries=queries,
        notes=state.items,
        passages=seen.passages,
    )


def _quotes(state: BaselineState) -> list[str]:
    return [each.quote for note in state.items for each in note.evidence]


def _onward(tasks: Sequence[Task], replies: Sequence[NoteReply | None]) -> tuple[Task, ...]:
    """Return the tasks with a next query; what two workers ask for, the first searches."""
    onward: dict[str, Task] = {}
    for task, reply in zip(tasks, replies, strict=True):
        query = (reply.query or "").strip() if reply else ""
        if query:
            onward.setdefault(query, task.model_copy(update={"query": query}))
    return tuple(onward.values())
