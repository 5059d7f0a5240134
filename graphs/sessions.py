"""A session drives the graph for a person or a program: start, reply, resume, stream."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from agent.ambiguity import Reply, Turn
from agent.answer import Answer, Completeness
from agent.coverage import Coverage
from agent.criteria import EDITED, edit_of
from agent.errors import LimitReached, MalformedReply, RunError
from agent.interpretation import alike, order_of
from agent.question import Interpretation
from agent.replies import InterpretReply
from agent.state import Earlier, Question, State
from graphs.answering.answers import answer_of, waiting
from graphs.context import Context
from graphs.conversation import RunState
from graphs.disambiguation import assuming, carried, given_criteria, usable
from graphs.headcount import build_graph
from graphs.runs.run_session import Event, RunSession
from graphs.scope import open_conditions

_ROUTE = "route"
"""The node before which a run can wait to be confirmed: how its question is read is settled."""
_BEFORE = {
    "classify": "interpret",
    "weigh": "ground",
    "route": "assume",
    "records": "route",
    "plan": "narrow",
    "observe": "apply",
    "judge": "batch",
    "align": "audit",
}
"""The nodes at which a limit can end a search, each with one that leads to it: always, or by the
state alone where no limit was reached before."""


class Session(RunSession[State]):
    """One corpus, one reasoner, one file of checkpoints; any number of runs."""

    command = "ask"

    def start(
        self,
        question: str,
        *,
        run: str,
        conversation: tuple[Turn, ...] = (),
        criteria: InterpretReply | None = None,
        confirm: bool = False,
    ) -> Iterator[Event]:
        """Ask a question, yielding the trace; afterwards `outcome` tells how it ended.

        With criteria, the question is read as they say, and no model is asked how. To be confirmed,
        the run waits once it is read: `resume` goes on, `confirm` with other criteria.

        Raises QuestionError: the corpus has no field that the criteria name.
        """
        read = None if criteria is None else given_criteria(criteria, self.context)
        given = Question(question=question, run=run, conversation=conversation, criteria=read)
        with self.place.working_on(run):
            yield from self._stream(given, run, before=(_ROUTE,) if confirm else ())

    def confirm(self, run: str, criteria: InterpretReply) -> Iterator[Event]:
        """Go on with a run that waits for criteria, by these; raises RunError where it does not."""
        with self.place.working_on(run):
            self._check(run)
            if not self.unconfirmed(run):
                raise RunError(
                    f"run {run!r} does not wait for its criteria: with --again, its question is "
                    "asked by others"
                )
            edited = self._edited(self.state(run).interpreted, criteria)
            went_on = self.graph.update_state(
                self._config(run), {"interpretation": edited, "ambiguities": ()}, as_node="assume"
            )
            yield from self._stream(None, run, went_on)

    def unconfirmed(self, run: str) -> bool:
        """Tell whether a run waits until a person has seen how its question is read."""
        snapshot = self._snapshot(run)
        paused = self.context.store.info(run).status == "paused" if snapshot.next else False
        return paused and snapshot.next == (_ROUTE,) and not snapshot.interrupts

    def again(
        self,
        earlier: str,
        *,
        run: str,
        criteria: InterpretReply | None = None,
        estimate: bool = False,
    ) -> Iterator[Event]:
        """Ask an earlier run's question, as it was read, of what is new or changed since.

        With criteria, what these may change is judged again: what was found, where they may exclude
        some of it; the nearest of all else, where they may include some. People's verdicts stand.
        To be estimated, the run stops before the first request; `resume` goes on.

        Raises:
            RunError: the run has no one answer from the texts, its interpretation names fields that
                the corpus has no more, or it is another model's or an earlier version's.
            QuestionError: the criteria ask another question.
        """
        context, info, state = self.context, self.context.store.info(earlier), self.state(earlier)
        if info.model != context.reasoner.name:
            own = f"is by another model: add --model {info.model}"
            if info.model == "person":
                own = (
                    "is a person's: ask its question with `headcount review`, which keeps verdicts"
                )
            raise RunError(f"run {earlier!r} {own}")
        by_texts = state.snapshot and (state.route is None or state.route.path == "text")
        reads = open_conditions(state) and "judge" in context.reasoner.abilities
        known = not reads or context.store.passages(info.corpus_digest)
        if not (context.store.answer(earlier) and by_texts and known) or state.readings:
            told = "has no one answer from the texts, or is an earlier version's"
            raise RunError(f"run {earlier!r} {told}: ask the question anew")
        try:
            reading = usable(order_of(state.interpreted), context)
        except MalformedReply as error:
            told = f"the interpretation of run {earlier!r} cannot be taken over: {error}"
            raise RunError(f"{told}; ask the question anew") from error
        reading = reading.model_copy(update={"settled": state.interpreted.settled})
        before = reading
        if criteria is not None:
            reading = self._edited(before, criteria)
        narrowed, widened = edit_of(before, reading)
        left = (each for each in state.history if not each.certain and each.call.tool != "read")
        same = Earlier(
            run=earlier,
            rounds=tuple(each.round for each in left),
            narrowed=narrowed,
            widened=widened,
        )
        given = Question(question=info.question, run=run, earlier=same, criteria=reading)
        with self.place.working_on(run):
            yield from self._stream(given, run, before=("batch",) if estimate else ())

    def _edited(self, before: Interpretation, criteria: InterpretReply) -> Interpretation:
        """Return the interpretation by the criteria, with what was settled before."""
        edited = carried(before, given_criteria(criteria, self.context))
        return edited if alike(before, edited) else assuming(edited, EDITED)

    def reply(self, run: str, reply: Reply | str, *, confirm: bool = False) -> Iterator[Event]:
        """Answer what a run asks, and continue; raises RunError where it asks nothing.

        Of a reply that cannot be used, the run waits again, and says why as `problem`.
        To be confirmed, the run waits again where nothing more is asked, as `start` has it.
        """
        with self.place.working_on(run):
            self._check(run)
            interrupts = self._snapshot(run).interrupts
            if not interrupts:
                raise RunError(f"run {run!r} does not wait for a reply")
            said = reply if isinstance(reply, str) else reply.model_dump(mode="json")
            given = {interrupts[0].id: said}
            before = (_ROUTE,) if confirm else ()
            yield from self._stream(Command(resume=given), run, before=before)

    def resume(self, run: str, *, confirm: bool = False) -> Iterator[Event]:
        """Resume a run that was interrupted or that a limit ended.

        To be confirmed, it waits as `start` has it, or goes on waiting. A finished run goes on
        where its policy allows a larger audit than it had and its target is not proven; else it
        yields nothing, as one does that waits for a reply.

        Raises RunError: the run cannot be resumed, or another process works on it.
        """
        with self.place.working_on(run):
            self._check(run)
            snapshot = self._snapshot(run)
            if not snapshot.tasks and snapshot.values.get("stopped"):
                yield from self._stream(None, run, self._forked(run, _BEFORE))
            elif confirm and self.unconfirmed(run):
                return
            elif snapshot.tasks and not snapshot.interrupts:
                yield from self._stream(None, run, before=(_ROUTE,) if confirm else ())
            elif not snapshot.tasks and self._audits_more(self.state(run)):
                audits = len(self.state(run).audits) + 1
                policy = self.context.policy.model_copy(update={"max_audits": audits})
                self.context = replace(self.context, policy=policy)
                again = self.graph.update_state(
                    self._config(run), {"answered": 0}, as_node="feedback"
                )
                yield from self._stream(None, run, again)

    def _audits_more(self, state: State) -> bool:
        """Tell whether the policy allows a larger audit than a finished run had, and one is due."""
        drawn = [each.size for each in state.rounds if each.purpose == "audit"]
        due = bool(drawn) and state.audits[-1].outcome != "met" and not state.readings
        return due and (self.context.policy.audit or 0) > max(drawn)

    def outcome(self, run: str) -> Answer:
        """Return the answer, or what the run waits for; raises RunError where it is unfinished."""
        waits = self._snapshot(run).interrupts or self.unconfirmed(run)
        return waiting(self.state(run)) if waits else super().outcome(run)

    def unread(self, question: str, run: str, limit: LimitReached) -> Answer:
        """Return the partial answer of a run whose limit left nothing read."""
        chunks = len(self.context.corpus)
        state = self.state(run)
        return answer_of(
            state,
            state.interpretation,
            question=question,
            status="partial",
            completeness=Completeness(method="no bound: nothing was searched"),
            coverage=Coverage(chunks=chunks, unseen=chunks),
            cost=state.cost + self._bill(run).owed,
            warnings=(*state.warnings, f"a limit was reached: {limit}; nothing was read"),
        )

    def _built(self, saver: BaseCheckpointSaver[Any] | None) -> CompiledStateGraph[Any, Context]:
        return build_graph(saver)

    def _restored(self, values: Mapping[str, Any]) -> State:
        return RunState(**values)
