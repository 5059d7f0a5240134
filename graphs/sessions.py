"""A session drives the graph for a person or a program: start, reply, resume, stream."""

import contextlib
import sqlite3
from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.types import Command, StateSnapshot, StreamPart

from agent.ambiguity import Reply
from agent.answer import Answer, Completeness
from agent.conversation import Turn
from agent.cost import Cost
from agent.coverage import Coverage
from agent.errors import CorpusDamaged, CorpusError, HeadcountError, LimitReached, RunError
from agent.reasoner import Reasoner
from agent.reasoners.bill import Bill, charged_to
from agent.state import Question, State
from graphs.answers import read_as, waiting
from graphs.checkpoints import checkpointer
from graphs.context import Context
from graphs.headcount import build_graph
from graphs.run_lock import working_on
from graphs.version import graph_version
from tools.runs.run import RunStatus

__all__ = ("Event", "Session")

Event = dict[str, Any]
"""One line of the trace: `kind` is node, prompt, update or waiting; the rest depends on it."""

_BEFORE = {
    "classify": "interpret",
    "weigh": "ground",
    "plan": "decide",
    "observe": "apply",
    "judge": "batch",
    "verify": "audit",
    "align": "verify",
}
"""The nodes at which a limit can end a search, each with one that leads to it: always, or by the
state alone where no limit was reached before."""


class Session:
    """One corpus, one reasoner, one file of checkpoints; any number of runs."""

    def __init__(self, context: Context, saver: BaseCheckpointSaver[Any] | None = None) -> None:
        self.context = context
        self._own = None if saver else checkpointer(context.corpus.runs)
        self.graph = build_graph(saver or self._own)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the files of runs and checkpoints; a saver that was given stays open."""
        self.context.store.close()
        if self._own is not None:
            self._own.conn.close()

    def take(self, reasoner: Reasoner) -> None:
        """Let another reasoner work on what is asked from now on."""
        self.context.store.close()
        self.context = replace(self.context, reasoner=reasoner)

    def start(
        self, question: str, *, run: str, conversation: tuple[Turn, ...] = ()
    ) -> Iterator[Event]:
        """Ask a question, yielding the trace; afterwards `outcome` tells how it ended."""
        given = Question(question=question, run=run, conversation=conversation)
        with self._working(run):
            yield from self._stream(given, run)

    def reply(self, run: str, reply: Reply) -> Iterator[Event]:
        """Answer the clarification that a run waits for, and go on.

        Raises:
            RunError: the run does not wait for a clarification.
        """
        with self._working(run):
            self._check(run)
            interrupts = self._snapshot(run).interrupts
            if not interrupts:
                raise RunError(f"run {run!r} does not wait for a reply")
            given = {interrupts[0].id: reply.model_dump(mode="json")}
            yield from self._stream(Command(resume=given), run)

    def resume(self, run: str) -> Iterator[Event]:
        """Go on with a run that was interrupted or that a limit ended.

        A run that is finished, or waits for a reply, yields nothing.

        Raises:
            RunError: the run cannot go on, or another process works on it.
        """
        with self._working(run):
            self._check(run)
            snapshot = self._snapshot(run)
            if not snapshot.tasks and snapshot.values.get("stopped"):
                yield from self._stream(None, run, self._before_the_limit(run))
            elif snapshot.tasks and not snapshot.interrupts:
                yield from self._stream(None, run)

    def outcome(self, run: str) -> Answer:
        """Return the run's answer, or what it waits for.

        Raises:
            RunError: the run has neither: it was interrupted and can be resumed.
        """
        snapshot = self._snapshot(run)
        if snapshot.interrupts:
            return waiting(self.state(run))
        answer = self.context.store.answer(run)
        if answer is None or snapshot.tasks:
            raise RunError(f"run {run!r} is not finished; go on with --resume {run}")
        return answer

    def unread(self, question: str, run: str, limit: LimitReached) -> Answer:
        """Return the partial answer of a run whose limit left nothing read."""
        chunks = len(self.context.corpus)
        state = self.state(run)
        cost = state.cost + self._bill(run).owed
        return Answer(
            question=question,
            status="partial",
            interpretation=read_as(state.interpretation) if state.interpretation else None,
            completeness=Completeness(method="no bound: nothing was searched"),
            coverage=Coverage(chunks=chunks, unseen=chunks),
            cost=cost,
            warnings=(*state.warnings, f"a limit was reached: {limit}; nothing was read"),
            run=run,
        )

    def unfinished(self, run: str) -> bool:
        """Tell whether a run has steps left that `resume` goes on with."""
        return bool(self._snapshot(run).tasks)

    def state(self, run: str) -> State:
        """Return the run's state as last checkpointed; raises CorpusDamaged as it can.

        What a step spent that ended just before an interruption is in its cost already; what one
        spent that did not end is not, but stands on the run's bill.
        """
        snapshot = self._snapshot(run)
        values = {"question": "", "run": run, **snapshot.values}
        for task in snapshot.tasks:
            if isinstance(task.result, dict):
                values["cost"] = task.result.get("cost", values.get("cost", Cost()))
        return State(**values)

    def _working(self, run: str) -> contextlib.AbstractContextManager[None]:
        return working_on(run, self.context.corpus.runs)

    def _snapshot(self, run: str) -> StateSnapshot:
        """Return the last checkpoint; raise CorpusDamaged where it cannot be read.

        Its `tasks` tell what is left to do; `next` leaves out a step whose result is saved but
        was not taken over before an interruption.
        """
        try:
            return self.graph.get_state(_config(run))
        except (sqlite3.DatabaseError, ValueError, TypeError, EOFError) as error:
            raise CorpusDamaged(
                f"the checkpoints of run {run!r} are damaged ({error}): ask the question again, "
                "its finished model replies are still cached"
            ) from error

    def _check(self, run: str) -> None:
        info = self.context.store.info(run)
        if info.graph_version != graph_version():
            raise RunError(
                f"run {run!r} was made by graph {info.graph_version}, this is {graph_version()}: "
                "ask the question again, its finished model replies are still cached"
            )
        if info.corpus_digest != self.context.corpus.digest:
            raise RunError(
                f"the corpus has changed since run {run!r} started: ask the question again"
            )
        if info.model != self.context.reasoner.name:
            raise RunError(f"run {run!r} was started with another model: add --model {info.model}")

    def _before_the_limit(self, run: str) -> RunnableConfig:
        """Fork the run at the last step before its limit; what was spent since stays counted."""
        spent = self.state(run).cost
        for earlier in self.graph.get_state_history(_config(run)):
            node = _BEFORE.get(earlier.next[0]) if earlier.next else None
            if node and not earlier.values.get("stopped"):
                return self.graph.update_state(earlier.config, {"cost": spent}, as_node=node)
        raise RunError(f"run {run!r} cannot go on from its limit: ask the question again")

    def _stream(
        self,
        given: Question | Command[Any] | None,
        run: str,
        config: RunnableConfig | None = None,
    ) -> Iterator[Event]:
        self._mark(run, "running")
        bill = self._bill(run)
        try:
            for part in charged_to(bill, self._parts(given, config or _config(run))):
                if part["type"] == "updates":
                    bill.since = _cost_after(part["data"]) or bill.since
                yield from self._told(part, run)
        except sqlite3.Error as error:
            raise CorpusError(
                f"the checkpoints cannot be written ({error}): check the disk and try again"
            ) from error
        except LimitReached:
            self._mark(run, "partial")
            raise
        except HeadcountError:
            self._mark(run, "failed")
            raise

    def _parts(
        self, given: Question | Command[Any] | None, config: RunnableConfig
    ) -> Generator[StreamPart[Any, Any], None, None]:
        yield from self.graph.stream(
            given,
            config,
            context=self.context,
            stream_mode=["custom", "updates"],
            durability="sync",
            version="v2",
        )

    def _bill(self, run: str) -> Bill:
        """Open the run's bill where its last checkpoint left it."""
        return Bill(self.context.corpus.runs / "bills" / f"{run}.jsonl", self.state(run).cost)

    def _told(self, part: StreamPart[Any, Any], run: str) -> Iterator[Event]:
        """Put LangGraph's stream into the trace's own form."""
        if part["type"] == "custom":
            yield part["data"]
        elif part["type"] == "updates":
            for name, told in part["data"].items():
                if name == "__interrupt__":
                    self.context.store.set_status(run, "paused")
                    yield {"kind": "waiting", "asked": told[0].value}
                else:
                    yield {"kind": "update", "node": name, "update": told or {}}

    def _mark(self, run: str, status: RunStatus) -> None:
        """Record how far the run has come; one that was not opened yet is not on record."""
        with contextlib.suppress(RunError):
            self.context.store.set_status(run, status)


def _cost_after(updates: Mapping[str, Any]) -> Cost | None:
    """Return what the run had spent at the end of the step that made these updates."""
    costs = [told["cost"] for told in updates.values() if isinstance(told, dict) and "cost" in told]
    return costs[-1] if costs else None


def _config(run: str) -> RunnableConfig:
    return {"configurable": {"thread_id": run}}
