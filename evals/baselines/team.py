"""Several agents: a planner shares the question out, workers search and note, it merges."""

from dataclasses import dataclass
from typing import Final, Literal

from langgraph.graph import END
from langgraph.runtime import Runtime

from agent.adf import Retrieval
from evals.baselines import prompts
from evals.baselines.asking import ask_each, fitted
from evals.baselines.concluding import conclude
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
    waiting = any(each.query for each in state.tasks)
    return "work" if waiting and not state.stopped and state.rounds < _ROUNDS else "merge"


@dataclass(frozen=True, slots=True)
class _Desk:
    """A worker's task with what its search brought."""

    task: Task
    chunks: tuple[int, ...]


def _working(k: int, mode: Retrieval) -> BaselineNode:
    """Return the node in which all workers search and take notes, side by side."""

    def work(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
        context = runtime.context
        desks = [
            _Desk(each, tuple(ranked(context.corpus, each.query, k, mode=mode)))
            for each in state.tasks
            if each.query
        ]
        queries = (*state.queries, *(desk.task.query for desk in desks))
        shown = [fitted(desk.chunks, context) for desk in desks]
        sent = [
            (
                prompts.note(
                    question=state.question,
                    task=desk.task.text,
                    queries=queries,
                    notes=state.items,
                    passages=seen.passages,
                ),
                seen,
            )
            for desk, seen in zip(desks, shown, strict=True)
        ]
        received = ask_each(state, runtime, sent, NoteReply)
        notes = list(state.items)
        next_queries: dict[str, str] = {}
        for desk, seen, reply in zip(desks, shown, received.replies, strict=True):
            if reply is not None:
                notes += proven(reply.items, seen.passages)
                next_queries[desk.task.text] = (reply.query or "").strip()
        return received.update | {
            "items": tuple(dict.fromkeys(notes)),
            "tasks": _onward(state.tasks, next_queries),
            "queries": queries,
            "chunks": tuple(
                dict.fromkeys([*state.chunks, *(each for desk in desks for each in desk.chunks)])
            ),
            "rounds": state.rounds + 1,
        }

    return work


def _onward(tasks: tuple[Task, ...], queries: dict[str, str]) -> tuple[Task, ...]:
    """Return the tasks with their next queries; what two workers ask for, the first searches."""
    seen: set[str] = set()
    onward = []
    for task in tasks:
        query = queries.get(task.text, "")
        onward.append(task.model_copy(update={"query": "" if query in seen else query}))
        seen.add(query)
    return tuple(onward)
