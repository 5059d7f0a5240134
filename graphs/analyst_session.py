"""A session of the analyst: start, resume, stream, as with the main graph."""

from collections.abc import Iterator, Mapping
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph

from agent.answer import Answer, Completeness
from agent.coverage import Coverage
from agent.errors import LimitReached, RunError
from agent.records.analysis import AnalystQuestion, AnalystState
from agent.value import counted
from graphs.analyst import build_analyst_graph, with_records
from graphs.context import Context
from graphs.runs.run_session import ANALYSIS, Event, RunSession

_BEFORE = {"extract": "outline", "compute": "extract"}


class AnalystSession(RunSession[AnalystState]):
    """One corpus, one reasoner, one file of checkpoints; any number of analyses."""

    command = "analyse"

    def start(self, question: str, *, run: str) -> Iterator[Event]:
        """Ask a question, yielding the trace; afterwards `outcome` tells how it ended."""
        with self._working(run):
            yield from self._stream(AnalystQuestion(question=question, run=run), run)

    def resume(self, run: str) -> Iterator[Event]:
        """Go on with an analysis that was interrupted or that a limit ended.

        Documents that were read stay read, except where another machine has their records: here
        they are read again, from the replies that were kept. One that is finished yields nothing.

        Raises:
            RunError: the run cannot be resumed, is no analysis, or another process works on it.
        """
        with self._working(run):
            self._check(run)
            redone = self._redone(run)
            if redone:
                yield from self._stream(None, run, self._before(run, redone))
            elif self._snapshot(run).tasks:
                yield from self._stream(None, run)

    def unread(self, question: str, run: str, limit: LimitReached) -> Answer:
        """Return the partial answer of an analysis whose limit came before the computation."""
        chunks = len(self.context.corpus)
        state = self.state(run)
        filled, analysis = state.filled, state.analysis
        read = 0 if filled is None else filled.current + filled.read
        among = len(self.context.corpus.documents if analysis is None else analysis.documents)
        told = f"{read} of {counted(among, 'document')} {'was' if among == 1 else 'were'} read"
        return Answer(
            question=question,
            status="partial",
            completeness=Completeness(
                method=f"no bound: {told} into records, and nothing was computed from them"
            ),
            coverage=Coverage(chunks=chunks, unseen=chunks),
            cost=state.cost + self._bill(run).owed,
            warnings=(*state.warnings, f"a limit was reached: {limit}; nothing was computed"),
            run=run,
        )

    def _built(self, saver: BaseCheckpointSaver[Any] | None) -> CompiledStateGraph[Any, Context]:
        return build_analyst_graph(saver)

    def _restored(self, values: Mapping[str, Any]) -> AnalystState:
        return AnalystState(**{name: each for name, each in values.items() if name != "answer"})

    def _thread(self, run: str) -> str:
        """Name the analysis's checkpoints apart from those of the main graph's part in it."""
        return run + ANALYSIS

    def _redone(self, run: str) -> str:
        """Return the step to go back to although it ended; empty where there is none.

        A limit cut it short, or the records that the rest is computed from are not on this
        machine: a server keeps an analysis's checkpoints, not the file of its records.
        """
        state = self.state(run)
        if state.filled is not None and state.filled.stopped:
            return "extract"
        answer = self.context.store.answer(run)
        unfinished = self.unfinished(run)
        partial = answer is not None and answer.status == "partial" and not unfinished
        if (partial or unfinished) and state.filled is not None and not self._at_hand(state):
            return "extract"
        return "compute" if partial else ""

    def _at_hand(self, state: AnalystState) -> bool:
        """Tell whether the records of an analysis are on this machine."""
        place = with_records(state, self.context).records
        return place is not None and place.path.exists()

    def _before(self, run: str, step: str) -> RunnableConfig:
        """Fork the run before a step; what was spent since stays counted."""
        spent = self.state(run).cost
        for earlier in self.graph.get_state_history(self._config(run)):
            if earlier.next == (step,):
                return self.graph.update_state(
                    earlier.config, {"cost": spent}, as_node=_BEFORE[step]
                )
        raise RunError(f"run {run!r} cannot be resumed after its limit: ask the question again")
