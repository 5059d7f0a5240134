"""Several agents: a planner shares the question out, workers search and note, it merges."""

from collections.abc import Sequence
from typing import Final, Literal

from langgraph.graph import END
from langgraph.runtime import Runtime

from agent.adf_state import Retrieval
from agent.reasoner import Prompt
from evals.baselines import prompts
from evals.baselines.asking import ask_each
from evals.baselines.concluding import conclude
from evals.baselines.fitting import NOTING, Fitted, affordable, fitted
from evals.baselines.merging import merge
from evals.baselines.reading import proven
from evals.baselines.replies import DelegateReply, NoteReply
from evals.baselines.retrieving import begin
from evals.baselines.state import BaselineState, BaselineUpdate, Task
from evals.baselines.step import BaselineGraph, BaselineNode, baseline_graph
from graphs.context import Context
from tools.retrieval import retrieve as ranked

__all__ = ("after_work", "delegate", "team")

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
    prompt = prompts.delegate(question=state.question, corpus=runtime.context.corpus)
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
            (_prompt(task, seen, queries, state), seen)
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


def _prompt(task: Task, seen: Fitted, queries: Sequence[str], state: BaselineState) -> Prompt:
    return prompts.note(
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
