"""A session drives the graph for a person or a program: start, reply, resume, stream."""

from collections.abc import Iterator
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.types import Command, StreamPart

from agent.ambiguity import Reply
from agent.answer import Answer
from agent.conversation import Turn
from agent.errors import RunError
from agent.state import Question, State
from graphs.answers import waiting
from graphs.checkpoints import checkpointer
from graphs.context import Context
from graphs.headcount import build_graph
from graphs.version import graph_version

__all__ = ("Event", "Session")

Event = dict[str, Any]
"""One line of the trace: `kind` is node, prompt or progress; the rest depends on it."""


class Session:
    """One corpus, one reasoner, one file of checkpoints; any number of runs."""

    def __init__(self, context: Context, saver: BaseCheckpointSaver[Any] | None = None) -> None:
        self.context = context
        self.saver = saver or checkpointer(context.corpus.runs)
        self.graph = build_graph(self.saver)

    def start(
        self, question: str, *, run: str, conversation: tuple[Turn, ...] = ()
    ) -> Iterator[Event]:
        """Ask a question, yielding the trace; afterwards `outcome` tells how it ended."""
        given = Question(question=question, run=run, conversation=conversation)
        yield from self._stream(given, run)

    def reply(self, run: str, reply: Reply) -> Iterator[Event]:
        """Answer the clarification that a run waits for, and go on.

        Raises:
            RunError: the run does not wait for a clarification.
        """
        self._check(run)
        interrupts = self.graph.get_state(self._config(run)).interrupts
        if not interrupts:
            raise RunError(f"run {run!r} does not wait for a reply")
        given = {interrupts[0].id: reply.model_dump(mode="json")}
        yield from self._stream(Command(resume=given), run)

    def resume(self, run: str) -> Iterator[Event]:
        """Go on with a run that was interrupted; a finished or a waiting one yields nothing."""
        self._check(run)
        snapshot = self.graph.get_state(self._config(run))
        if snapshot.next and not snapshot.interrupts:
            yield from self._stream(None, run)

    def outcome(self, run: str) -> Answer:
        """Return the run's answer, or what it waits for.

        Raises:
            RunError: the run has neither: it was interrupted and can be resumed.
        """
        snapshot = self.graph.get_state(self._config(run))
        if snapshot.interrupts:
            return waiting(self.state(run))
        answer = self.context.store.answer(run)
        if answer is None or snapshot.next:
            raise RunError(f"run {run!r} is not finished; go on with --resume {run}")
        return answer

    def state(self, run: str) -> State:
        """Return the run's state as last checkpointed."""
        return State(**self.graph.get_state(self._config(run)).values)

    def spent_before(self, run: str) -> State | None:
        """Return the state of a run that was started earlier, None where there is none."""
        values = self.graph.get_state(self._config(run)).values
        return State(**values) if values else None

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

    def _stream(self, given: Question | Command[Any] | None, run: str) -> Iterator[Event]:
        for event in self.graph.stream(
            given,
            self._config(run),
            context=self.context,
            stream_mode=["custom", "updates"],
            durability="sync",
            version="v2",
        ):
            yield from self._told(event, run)

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

    def _config(self, run: str) -> RunnableConfig:
        return {"configurable": {"thread_id": run}}
