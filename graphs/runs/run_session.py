"""What the sessions of every graph share: checkpoints, locks, the bill, the trace of a run."""

import contextlib
import shlex
import sqlite3
from abc import abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Generic, Literal, TypeVar

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.base import id as checkpoint_ids
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StateSnapshot, StreamPart

from agent.answer import Answer
from agent.cost import Cost
from agent.errors import (
    CorpusDamaged,
    CorpusError,
    CorpusUnreachable,
    HeadcountError,
    LimitReached,
    QuestionError,
    RunError,
)
from agent.private_database import Closing
from agent.reasoner import Reasoner
from agent.reasoners.ledger import Bill, charged_to
from agent.records.analysis import AnalystState
from agent.state import State
from graphs.context import Context
from graphs.runs.run_entry import graph_version, runs_of
from tools.runs.store import RunStatus

ANALYSIS = ".analysis"
"""What the name of an analysis's own checkpoints ends in."""
Command = Literal["ask", "analyse"]

Event = dict[str, Any]
"""One line of the trace: `kind` is node, prompt, update or waiting; the rest depends on it."""


S = TypeVar("S", bound=State | AnalystState)


class RunSession(Closing, Generic[S]):
    """One corpus, one reasoner, one place of checkpoints; any number of runs of one graph."""

    command: ClassVar[Command]

    def __init__(self, context: Context, saver: BaseCheckpointSaver[Any] | None = None) -> None:
        self.context = context
        self.place = runs_of(context)
        self._saver = saver or self.place.saver()
        self.graph = self._built(self._saver)

    def close(self) -> None:
        """Close what was opened for runs and checkpoints; a saver that was given stays open."""
        self.context.store.close()
        self.place.close()

    def take(self, reasoner: Reasoner) -> None:
        """Let another reasoner work on what is asked from now on."""
        self.context.store.close()
        self.context = replace(self.context, reasoner=reasoner)

    @abstractmethod
    def _built(self, saver: BaseCheckpointSaver[Any] | None) -> CompiledStateGraph[Any, Context]:
        """Build the graph."""

    @abstractmethod
    def _restored(self, values: Mapping[str, Any]) -> S:
        """Return the state that a checkpoint's values are."""

    def _thread(self, run: str) -> str:
        return run

    def outcome(self, run: str) -> Answer:
        """Return the run's answer; raises RunError where it was interrupted, and can be resumed."""
        answer = self.context.store.answer(run)
        if answer is None or self._snapshot(run).tasks:
            raise RunError(f"run {run!r} is not finished; continue with --resume {run}")
        return answer

    def unfinished(self, run: str) -> bool:
        """Return whether a run has steps left that `resume` can do."""
        return bool(self._snapshot(run).tasks)

    def state(self, run: str) -> S:
        """Return the run's state as last checkpointed; raises CorpusDamaged as it can.

        What a step spent that ended just before an interruption is in its cost already; what one
        spent that did not end is not, but stands on the run's bill.
        """
        snapshot = self._snapshot(run)
        values = {"question": "", "run": run, **snapshot.values}
        for task in snapshot.tasks:
            if isinstance(task.result, dict):
                values["cost"] = task.result.get("cost", values.get("cost", Cost()))
        return self._restored(values)

    def forget(self, run: str) -> None:
        """Take back all that a run did, so that it can be started anew."""
        self._saver.delete_thread(self._thread(run))
        self.context.store.drop(run)

    def _forked(self, run: str, before: Mapping[str, str]) -> RunnableConfig:
        """Fork the run at the last step before its limit; what was spent since stays counted.

        `before` has the nodes at which it can be forked, each with one that leads to it.
        """
        spent = self.state(run).cost
        for earlier in self.graph.get_state_history(self._config(run)):
            node = before.get(earlier.next[0]) if earlier.next else None
            if node and not earlier.values.get("stopped"):
                return self.graph.update_state(earlier.config, {"cost": spent}, as_node=node)
        raise RunError(f"run {run!r} cannot be resumed after its limit: ask the question again")

    def _config(self, run: str) -> RunnableConfig:
        return {"configurable": {"thread_id": self._thread(run)}}

    def _snapshot(self, run: str) -> StateSnapshot:
        """Return the last checkpoint; raise CorpusDamaged where it cannot be read."""
        try:
            snapshot = self.graph.get_state(self._config(run))
        except (sqlite3.DatabaseError, ValueError, TypeError, EOFError) as error:
            raise CorpusDamaged(
                f"the checkpoints of run {run!r} are damaged ({error}): ask the question again, "
                "its finished model replies are still cached"
            ) from error
        _count_on_from(snapshot.config["configurable"].get("checkpoint_id"))
        return snapshot

    def _check(self, run: str) -> None:
        """Raise RunError if a run cannot be resumed here: another graph's, corpus's or model's."""
        info = self.context.store.info(run)
        config: RunnableConfig = {"configurable": {"thread_id": run + ANALYSIS}}
        began: Command = "ask" if self._saver.get_tuple(config) is None else "analyse"
        if began != self.command:
            corpus = shlex.quote(str(self.context.corpus.path))
            raise RunError(
                f"run {run!r} was started by `headcount {began}`: resume it with `headcount "
                f"{began} {corpus} --resume {run}`"
            )
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

    def _stream(
        self,
        given: object,
        run: str,
        config: RunnableConfig | None = None,
        *,
        before: Sequence[str] = (),
    ) -> Iterator[Event]:
        """Go on with a run, to its end or until one of the nodes `before` which it is to wait."""
        self._mark(run, "running")
        bill = self._bill(run)
        try:
            parts = self._parts(given, config or self._config(run), before)
            for part in charged_to(bill, parts):
                if part["type"] == "updates":
                    bill.since = _cost_after(part["data"]) or bill.since
                yield from self._events(part, run)
        except sqlite3.Error as error:
            raise CorpusError(
                f"the checkpoints cannot be written ({error}): check the disk and try again"
            ) from error
        except LimitReached:
            self._mark(run, "partial")
            raise
        except CorpusUnreachable:  # interrupted: its status cannot be recorded
            raise
        except HeadcountError as error:
            is_declined = isinstance(error, QuestionError)
            self._mark(run, "declined" if is_declined else "failed", str(error) * is_declined)
            raise

    def _parts(
        self, given: Any, config: RunnableConfig, before: Sequence[str]
    ) -> Generator[StreamPart[Any, Any], None, None]:
        yield from self.graph.stream(
            given,
            config,
            context=self.context,
            interrupt_before=[*before],
            stream_mode=["custom", "updates"],
            durability="sync",
            version="v2",
        )

    def _bill(self, run: str) -> Bill:
        return self.place.bill(run, self.state(run).cost)

    def _events(self, part: StreamPart[Any, Any], run: str) -> Iterator[Event]:
        if part["type"] == "custom":
            yield part["data"]
        elif part["type"] == "updates":
            for name, update in part["data"].items():
                if name == "__interrupt__":
                    self.context.store.set_status(run, "paused")
                    asked = update[0].value if update else {"kind": "criteria"}
                    yield {"kind": "waiting", "asked": asked}
                else:
                    yield {"kind": "update", "node": name, "update": update or {}}

    def _mark(self, run: str, status: RunStatus, told: str = "") -> None:
        """Record a run's status and why it is so, if the run is on record yet."""
        with contextlib.suppress(RunError):
            self.context.store.set_status(run, status, told)


def _count_on_from(last: str | None) -> None:
    """Have later checkpoints come behind the last one, also where the clock was set back since.

    LangGraph takes the one whose id has the latest time for the last, and keeps these times rising
    in one process only: by a clock that is behind, a run would never end.
    """
    if last is not None:
        clock = vars(checkpoint_ids)  # there is no public way to set it
        before = clock.get("_last_v6_timestamp") or 0
        clock["_last_v6_timestamp"] = max(checkpoint_ids.UUID(last).time, before)


def _cost_after(updates: Mapping[str, Any]) -> Cost | None:
    costs = [each["cost"] for each in updates.values() if isinstance(each, dict) and "cost" in each]
    return costs[-1] if costs else None
