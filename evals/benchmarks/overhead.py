"""What Headcount itself takes: to start, for a model call, for a graph's step."""

import json
import multiprocessing
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from statistics import median
from typing import Any, TypedDict
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph
from pydantic import BaseModel

from agent.prompt_values import PlanValues
from agent.reasoner import Prompt, PromptValues, ToolCall, ToolSpec
from agent.reasoners import chat_reasoner
from agent.state import Question
from evals.ablation import Ablation, context_under
from evals.annotated.skill_reasoner import SkillReasoner
from evals.benchmarks.figures import LARGE, Aim, Figure, Row, Unequal, compared, medians
from evals.benchmarks.real_text import drawn_words
from evals.questions import GoldCondition, Record
from graphs.headcount import build_graph
from graphs.runs.beside import serializer
from tools.corpus.corpus import Corpus

_CALLS = 30
_MODEL = "instant"
_ASK = "Which firm, and how many?"
_PROMPT = Prompt(name="firm", digest="firm", text=_ASK, values=PromptValues())


class _Firm(BaseModel, extra="forbid"):
    """A firm."""

    name: str
    count: int


def calls(rounds: int) -> Row:
    """Ask a server that answers at once, one call after another, both for the same reply."""
    with serving() as url:
        reasoner, peer = chat_reasoner(_MODEL, base_url=url, max_retries=0), _client(url)
        if reasoner.ask(_PROMPT, _Firm) != peer():
            raise Unequal("the reasoner and the client read different replies")
        row = compared(
            "a model call at 0 ms latency",
            ("ChatReasoner.ask", lambda: [reasoner.ask(_PROMPT, _Firm) for _ in range(_CALLS)]),
            ("openai client", lambda: [peer() for _ in range(_CALLS)]),
            rounds,
            parts=_CALLS,
            aim=Aim("at most", 4),
            note="one after another; schema, validation, ledger, budget and retries included",
        )
        sent, asked = reasoner.spent().model_calls, 1 + (rounds + 1) * _CALLS
        if sent != asked:
            raise Unequal(f"the reasoner sent {sent} requests for {asked} questions")
    return row


def _client(url: str) -> Callable[[], _Firm]:
    from openai import OpenAI

    client = OpenAI(base_url=url, api_key="none", max_retries=0)

    def ask() -> _Firm:
        done = client.chat.completions.create(
            model=_MODEL, messages=[{"role": "user", "content": _ASK}]
        )
        return _Firm.model_validate_json(done.choices[0].message.content or "")

    return ask


@contextmanager
def serving() -> Iterator[str]:
    """Run the server in a process of its own, on loopback; yield its address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        process = multiprocessing.get_context("spawn").Process(target=serve, args=(listening,))
        process.start()
    try:
        yield address
    finally:
        process.kill()
        process.join()


_SAID = {"role": "assistant", "content": json.dumps({"name": "acme", "count": 3})}
_COMPLETION = {
    "id": "c1",
    "object": "chat.completion",
    "created": 1,
    "model": _MODEL,
    "choices": [{"index": 0, "finish_reason": "stop", "message": _SAID}],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}


def serve(listening: socket.socket) -> None:
    """Answer every request on a socket alike and at once, until the process is killed."""
    import uvicorn
    from fastapi import FastAPI, Request
    from fastapi.responses import JSONResponse

    async def complete(_: Request) -> JSONResponse:
        return JSONResponse(_COMPLETION)

    app = FastAPI()
    app.add_route("/v1/chat/completions", complete, methods=["POST"])
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listening])


_OPENED = (
    "import sys; from graphs import build_graph, open_corpus; "
    "build_graph(); open_corpus(sys.argv[1])"
)
_ASKED = "from graphs.apps.cli import main; main()"
_LOADED = "import polars, numpy, langgraph.graph, langchain_core.tools"


def starting(corpus: Corpus, rounds: int) -> list[Row]:
    """Open the corpus, and answer a question by `headcount ask`, in new processes; runs stay there.

    The peer is Python importing the libraries that the product is built on, and nothing else.
    """
    (word,) = drawn_words(corpus.lexical, 1)
    question = f"Which documents mention {word!r}?"
    asked = ("ask", str(corpus.path), question, "--model", "lexical", "--on-ambiguity", "assume")
    opened, whole = "build_graph, open_corpus", "headcount ask --model lexical"
    peer = f"python -c '{_LOADED}'"
    ways = {
        opened: partial(_seconds, _OPENED, str(corpus.path)),
        whole: partial(_seconds, _ASKED, *asked),
        peer: partial(_seconds, _LOADED),
    }
    taken = {name: Figure(name, each) for name, each in medians(ways, rounds).items()}
    told = {
        opened: ("importing the graph and opening the corpus", Aim("at most", 3)),
        whole: ("a whole question offline, its process included", None),
    }
    note = f"a new process, {len(corpus):,} chunks"
    return [
        Row(what=what, unit="s", ours=taken[name], peer=taken[peer], aim=aim, note=note)
        for name, (what, aim) in told.items()
    ]


def _seconds(code: str, *given: str) -> float:
    """Return the seconds that a program takes; raise CalledProcessError where it fails."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-P", "-c", code, *given]
    began = time.perf_counter()
    subprocess.run(command, capture_output=True, env=kept, check=True)  # noqa: S603 - our own
    return time.perf_counter() - began


class NodeTime(BaseCallbackHandler):
    """Adds up the seconds between the start and the end of each node."""

    def __init__(self) -> None:
        self.runs: list[float] = []
        self._begun: dict[UUID, float] = {}
        self._taken = 0.0

    def aside(self, run: Callable[[], object]) -> float:
        """Return the seconds that a run took besides its nodes."""
        self._taken = 0.0
        began = time.perf_counter()
        run()
        seconds = time.perf_counter() - began
        self.runs.append(self._taken)
        return seconds - self._taken

    def on_chain_start(
        self, *_: Any, run_id: UUID, metadata: dict[str, Any] | None = None, **told: Any
    ) -> None:
        """Remember when a node began; what runs inside a node is a part of it."""
        if told.get("name") is not None and told["name"] == (metadata or {}).get("langgraph_node"):
            self._begun[run_id] = time.perf_counter()

    def on_chain_end(self, *_: Any, run_id: UUID, **__: Any) -> None:
        """Add what a node took."""
        if run_id in self._begun:
            self._taken += time.perf_counter() - self._begun.pop(run_id)


_Steps = tuple[Figure, Figure, str]
"""What a step took: ms besides what the nodes do, kB of checkpoint and writes, and a note."""


def stepping(small: Corpus, large: Corpus, place: Path, rounds: int) -> list[Row]:
    """Run a scripted question over both; tell time and bytes a step; `place` holds checkpoints.

    The peer keeps the texts in its state, and its nodes do nothing. Over a large corpus it would
    write a gigabyte a step: there the peer is ours over the small one.
    """
    first = _ours(small, place, rounds)
    rows = _rows(small, first, _inline(small, place, rounds))
    second = _ours(large, place, rounds)
    peer = first if len(large) > LARGE else _inline(large, place, rounds)
    return rows + _rows(large, second, peer)


def _rows(corpus: Corpus, ours: _Steps, peer: _Steps) -> list[Row]:
    return [
        Row(
            what=f"overhead of a graph step over {len(corpus):,} chunks",
            unit="ms",
            ours=ours[0],
            peer=peer[0],
            aim=Aim("at most", 5),
            note=f"SqliteSaver, durability sync; {ours[2]}",
        ),
        Row(
            what=f"checkpoint of a step over {len(corpus):,} chunks",
            unit="kB",
            ours=ours[1],
            peer=peer[1],
            aim=Aim("at most", 10),
            note="checkpoints and writes",
        ),
    ]


_WORD = "installation"
_KEPT = 40
_POLICY = Ablation(few_candidates=0, feedback=False, audit=0)


class _FixedPlan(SkillReasoner):
    """Judges by labels what one filter call keeps, the same on every corpus."""

    def _chosen(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:  # noqa: ARG002
        if prompt.values_as(PlanValues).history:
            return ToolCall(tool="finish", arguments={})
        return ToolCall(tool="bm25", arguments={"query": _WORD, "best": _KEPT})


def _ours(corpus: Corpus, place: Path, rounds: int) -> _Steps:
    """Ask for the documents about a word, of which none is labelled, in new threads."""
    record = Record(
        id="steps",
        question=f"How many documents are about {_WORD}?",
        aggregation="count",
        conditions=(GoldCondition(text=f"are about {_WORD}"),),
        answer_count=0,
    )
    with _saver(place / f"ours-{len(corpus)}.sqlite") as saver:
        graph, threads, nodes = build_graph(saver), count(), NodeTime()
        context = context_under(_POLICY, corpus, _FixedPlan(record, corpus))
        steps: list[int] = []

        def run() -> None:
            thread = {"thread_id": f"t{next(threads)}"}
            config: Any = {"configurable": thread, "callbacks": [nodes]}
            asked = Question(question=record.question)
            streamed = graph.stream(asked, config, context=context, durability="sync")
            steps.append(len(list(streamed)))

        overhead = medians({"ours": lambda: nodes.aside(run)}, rounds)["ours"]
        each = 1000 / steps[-1]
        name = f"headcount over {len(corpus):,} chunks, {steps[-1]} steps"
        size = _bytes(saver) / steps[-1] / 1000
        note = f"our nodes themselves took {median(nodes.runs) * each:.1f} ms"
        return Figure(name, overhead * each), Figure(name, size), note


_STEPS = 12
"""Of the peer: about as many as ours takes."""


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

        overhead = medians({"peer": lambda: nodes.aside(run)}, rounds)["peer"]
        size = _bytes(saver) / _STEPS / 1000
    name = "LangGraph, texts in the state"
    return Figure(name, overhead * 1000 / _STEPS), Figure(name, size), ""


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
