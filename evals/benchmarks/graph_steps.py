"""What a step of the graph costs besides its node, over a small and a large corpus."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count, pairwise
from pathlib import Path
from statistics import median
from typing import Any, TypedDict
from uuid import UUID

import numpy as np
from langchain_core.callbacks import BaseCallbackHandler
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph
from numpy.typing import NDArray

from agent.state import Question
from evals.benchmarks.rows import LARGE, Aim, Figure, Row, medians_told
from evals.benchmarks.scripted_run import POLICY, QUESTION, scripted
from graphs.context import Context
from graphs.headcount import build_graph
from graphs.runs.beside import serializer
from tools.corpus.corpus import Corpus

__all__ = ("NodeTime", "stepping")


class NodeTime(BaseCallbackHandler):
    """Adds up the time between the start and the end of each node: on the clock, of processors."""

    def __init__(self) -> None:
        self.runs: list[float] = []
        """Seconds on the clock that the nodes of each run took."""
        self.computing: list[float] = []
        """Seconds of processor time that each run took besides its nodes."""
        self._begun: dict[UUID, NDArray[np.float64]] = {}
        self._taken = np.zeros(2)

    def aside(self, run: Callable[[], object]) -> float:
        """Return the seconds on the clock that a run took besides its nodes."""
        self._taken = np.zeros(2)
        began = _now()
        run()
        clock, computing = _now() - began - self._taken
        self.runs.append(float(self._taken[0]))
        self.computing.append(float(computing))
        return float(clock)

    def on_chain_start(
        self, *_: Any, run_id: UUID, metadata: dict[str, Any] | None = None, **told: Any
    ) -> None:
        """Remember when a node began; what runs inside a node is a part of it."""
        if told.get("name") is not None and told["name"] == (metadata or {}).get("langgraph_node"):
            self._begun[run_id] = _now()

    def on_chain_end(self, *_: Any, run_id: UUID, **__: Any) -> None:
        """Add what a node took."""
        if run_id in self._begun:
            self._taken += _now() - self._begun.pop(run_id)


def _now() -> NDArray[np.float64]:
    """Return the clock and the process's processor time, of all threads, in seconds."""
    return np.array([time.perf_counter(), time.process_time()])


_TIME = Aim("at most", 5)
_SIZE = Aim("at most", 10)
_STEPS = 12
"""Of the peer: about as many as ours takes."""


@dataclass(frozen=True, slots=True)
class _Steps:
    """What a step took."""

    name: str
    overhead: float
    """Milliseconds besides what the nodes do."""
    computing: float
    """Milliseconds of processor time besides the nodes."""
    nodes: float
    """Milliseconds of the nodes themselves."""
    size: float
    """kB of checkpoint and writes."""


def stepping(small: Corpus, large: Corpus, place: Path, rounds: int) -> list[Row]:
    """Run a scripted question over both and tell time and bytes a step; `place` holds checkpoints.

    The peer keeps the texts in its state, and its nodes do nothing. Over a large corpus it would
    write a gigabyte a step: there the peer is ours over the small one.
    """
    first = _ours(small, place, rounds)
    rows = _rows(small, first, _inline(small, place, rounds))
    second = _ours(large, place, rounds)
    return rows + _rows(
        large, second, first if len(large) > LARGE else _inline(large, place, rounds)
    )


def _rows(corpus: Corpus, ours: _Steps, peer: _Steps) -> list[Row]:
    return [
        Row(
            what=f"overhead of a graph step over {len(corpus):,} chunks",
            unit="ms",
            ours=Figure(ours.name, ours.overhead),
            peer=Figure(peer.name, peer.overhead),
            aim=_TIME,
            note=f"SqliteSaver, durability sync; {ours.computing:.1f} ms of processor time; our "
            f"nodes themselves took {ours.nodes:.1f} ms",
        ),
        Row(
            what=f"checkpoint of a step over {len(corpus):,} chunks",
            unit="kB",
            ours=Figure(ours.name, ours.size),
            peer=Figure(peer.name, peer.size),
            aim=_SIZE,
            note="checkpoints and writes",
        ),
    ]


def _ours(corpus: Corpus, place: Path, rounds: int) -> _Steps:
    """Run the question in new threads."""
    with _saver(place / f"ours-{len(corpus)}.sqlite") as saver:
        graph, threads, nodes = build_graph(saver), count(), NodeTime()
        context = Context(corpus=corpus, reasoner=scripted(), policy=POLICY)
        steps: list[int] = []

        def run() -> None:
            thread = {"thread_id": f"t{next(threads)}"}
            config: Any = {"configurable": thread, "callbacks": [nodes]}
            asked = Question(question=QUESTION)
            streamed = graph.stream(asked, config, context=context, durability="sync")
            steps.append(len(list(streamed)))

        overhead = medians_told({"ours": lambda: nodes.aside(run)}, rounds)["ours"]
        name = f"headcount over {len(corpus):,} chunks, {steps[-1]} steps"
        each = 1000 / steps[-1]
        size = _bytes(saver) / steps[-1] / 1000
        spent = median(nodes.computing) * each, median(nodes.runs) * each
        return _Steps(name, overhead * each, *spent, size)


class _Inline(TypedDict):
    texts: list[str]
    step: int


def _inline(corpus: Corpus, place: Path, rounds: int) -> _Steps:
    """Run steps that do nothing, with the texts in their state."""
    builder = StateGraph(_Inline)
    names = [START, *(f"step{number}" for number in range(_STEPS))]
    for before, name in pairwise(names):
        builder.add_node(name, lambda state: {"step": state["step"] + 1})
        builder.add_edge(before, name)
    given: _Inline = {"texts": corpus.texts.to_list(), "step": 0}
    with _saver(place / f"inline-{len(corpus)}.sqlite") as saver:
        graph, nodes = builder.compile(checkpointer=saver), NodeTime()

        def run() -> None:
            saver.delete_thread("t")
            config: Any = {"configurable": {"thread_id": "t"}, "callbacks": [nodes]}
            list(graph.stream(given, config, durability="sync"))

        overhead = medians_told({"peer": lambda: nodes.aside(run)}, rounds)["peer"]
        size = _bytes(saver) / _STEPS / 1000
    each = 1000 / _STEPS
    return _Steps(
        "LangGraph, texts in the state", overhead * each, median(nodes.computing) * each, 0.0, size
    )


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
