"""A step of the graph with its checkpoint, against a graph that keeps the texts in its state."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count, pairwise
from pathlib import Path
from typing import Any, TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph

from agent.state import Question
from evals.benchmarks.rounds import medians
from evals.benchmarks.row import Figure, Row
from evals.benchmarks.script import POLICY, QUESTION, scripted
from graphs.context import Context
from graphs.headcount import build_graph
from graphs.runs.checkpoints import serializer
from tools.corpus.corpus import Corpus

__all__ = ("stepping",)


def stepping(corpus: Corpus, texts: list[str], place: Path, rounds: int) -> list[Row]:
    """Run a scripted question and count time and bytes a step; `place` holds the checkpoints.

    The peer's nodes do nothing: its time is LangGraph's and the serialising of the texts.
    """
    with _saver(place / "ours.sqlite") as ours, _saver(place / "peer.sqlite") as peer:
        run, bare = _run(corpus, ours), _run(corpus, None)
        steps = run()
        inline = _run_inline(texts, peer, steps)
        taken = medians({"ours": run, "bare": bare, "peer": inline}, rounds)
        sizes = (_bytes(ours) / steps, _bytes(peer) / steps)
    ours_ms, bare_ms = (taken[name] * 1000 / steps for name in ("ours", "bare"))
    names = (f"headcount, {steps} steps", "LangGraph, texts in the state")
    return [
        Row(
            what=f"a graph step over {len(corpus):,} chunks",
            unit="ms",
            ours=Figure(names[0], ours_ms),
            peer=Figure(names[1], taken["peer"] * 1000 / steps),
            note=f"SqliteSaver, durability sync; ours without a checkpointer {bare_ms:.1f} ms; "
            "the peer's nodes do nothing",
        ),
        Row(
            what=f"checkpoint of a step over {len(corpus):,} chunks",
            unit="kB",
            ours=Figure(names[0], sizes[0] / 1000),
            peer=Figure(names[1], sizes[1] / 1000),
            note="checkpoints and writes",
        ),
    ]


def _run(corpus: Corpus, saver: SqliteSaver | None) -> Callable[[], int]:
    """Return what runs the question once in a new thread and returns the number of steps."""
    graph, threads = build_graph(saver), count()
    context = Context(corpus=corpus, reasoner=scripted(), policy=POLICY)
    asked = Question(question=QUESTION)

    def run() -> int:
        config: Any = {"configurable": {"thread_id": f"t{next(threads)}"}}
        durable: Any = {"durability": "sync"} if saver else {}
        return len(list(graph.stream(asked, config, context=context, **durable)))

    return run


class _Inline(TypedDict):
    texts: list[str]
    step: int


def _run_inline(texts: list[str], saver: SqliteSaver, steps: int) -> Callable[[], int]:
    """Return what runs as many steps with the texts in their state and returns their number."""
    builder = StateGraph(_Inline)
    names = [START, *(f"step{number}" for number in range(steps))]
    for before, name in pairwise(names):
        builder.add_node(name, lambda state: {"step": state["step"] + 1})
        builder.add_edge(before, name)
    graph = builder.compile(checkpointer=saver)

    def run() -> int:
        saver.delete_thread("t")
        config: Any = {"configurable": {"thread_id": "t"}}
        given: _Inline = {"texts": texts, "step": 0}
        return len(list(graph.stream(given, config, durability="sync")))

    return run


@contextmanager
def _saver(path: Path) -> Iterator[SqliteSaver]:
    with closing(sqlite3.connect(path, check_same_thread=False)) as connection:
        saver = SqliteSaver(connection, serde=serializer())
        saver.setup()
        yield saver


def _bytes(saver: SqliteSaver) -> float:
    """Return the bytes that one run's checkpoints and writes take, as the mean over the runs."""
    kept = "SELECT sum(length(checkpoint) + length(metadata)) FROM checkpoints"
    written = "SELECT coalesce(sum(length(value)), 0) FROM writes"
    runs = "SELECT count(DISTINCT thread_id) FROM checkpoints"
    one = [saver.conn.execute(query).fetchone()[0] for query in (kept, written, runs)]
    return float(one[0] + one[1]) / float(one[2])
