"""The analyst: a question that no table answers yet is computed from what it asks of each document.

outline → extract → compute (the workflow of MuDABench), over records made for the one question and
kept with its run.
"""

from collections.abc import Callable, Iterator, Mapping
from contextvars import copy_context
from dataclasses import dataclass, replace
from typing import Annotated, Any

from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import var_child_runnable_config
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

import prompts
from agent.answer import Answer, Completeness
from agent.coverage import Coverage
from agent.errors import LimitReached, MalformedReply, ProgramFault, QuestionError
from agent.interpretation import predicate_of, testable
from agent.predicates import satisfying
from agent.prompt_values import AnalyseValues
from agent.question import Interpretation
from agent.reasoner import Prompt
from agent.records.analysis import (
    AnalyseReply,
    Analysis,
    AnalystQuestion,
    AnalystState,
    AnalystUpdate,
)
from agent.records.record import RecordsPlace
from agent.records.record_replies import InduceReply
from agent.replies import AtomReply
from agent.state import Question
from agent.value import counted
from graphs.asking import ask, require_writer
from graphs.context import Context
from graphs.headcount import build_graph
from graphs.node import Outcome, Step, billed, metered
from graphs.records.available_records import document_rows
from graphs.records.filling import fill
from graphs.records.inducing import samples
from graphs.runs.beside import registered
from graphs.runs.run_entry import open_run
from graphs.runs.run_session import ANALYSIS, Event, RunSession
from prompts.descriptions import predicate_line
from tools.corpus.corpus import Corpus
from tools.records.document_groups import reading_order
from tools.records.schema_union import schema_from

_SHOWN = 6
"""Documents shown with the question, spread over the collection."""
AnalystNode = Step[AnalystState, AnalystUpdate]
_POLICY = {"route": "records", "disambiguation": "none", "on_ambiguity": "assume"}


def writer(runtime: Runtime[Context]) -> Callable[[Any], None]:
    """Return what writes to the step's own stream, from within the graph that it runs as well."""
    own = copy_context()
    return lambda event: own.run(runtime.stream_writer, event)


def outline(state: AnalystState, runtime: Runtime[Context]) -> AnalystUpdate:
    """Open the run and plan the analysis.

    Raises QuestionError: the reader cannot write; MalformedReply: the plan copies nothing out, or
    restricts by what is no field or leaves no document.
    """
    context = runtime.context
    require_writer(context, "plan an analysis")
    corpus = context.corpus
    run = open_run(state.question, state.run, context)
    prompt = planning(state.question, context, state.criteria)
    analysis = ask(runtime, prompt, AnalyseReply, lambda reply: _checked(reply, corpus))
    return {"run": run, "analysis": analysis}


def _checked(reply: AnalyseReply, corpus: Corpus) -> Analysis:
    fields = [field.name for field in corpus.fields]
    atoms = [AtomReply(id=each.field, text="", **dict(each)) for each in reply.restrictions]
    tests = [predicate_of(each, testable(fields)) for each in atoms]
    restrictions = tuple(each for each in tests if each is not None)
    schema = schema_from(InduceReply(why=reply.why, kinds=[reply.kind]))
    if not schema.kinds:
        raise MalformedReply("the record has no attributes, so nothing would be copied out")
    named = {each.field for each in schema.kinds[0].attributes if each.field}
    if unknown := named - {*fields}:
        raise MalformedReply(f"there is no metadata field {unknown.pop()!r}; leave `field` null")
    passing = [satisfying(corpus, each) for each in restrictions]
    documents = tuple(
        name
        for place, name in enumerate(corpus.documents)
        if all(place in each for each in passing)
    )
    if not documents:
        told = ", ".join(map(predicate_line, restrictions))
        raise MalformedReply(f"no document passes {told}: leave out what no field decides")
    return Analysis(why=reply.why, restrictions=restrictions, copied=schema, documents=documents)


def planning(question: str, context: Context, criteria: Interpretation | None = None) -> Prompt:
    """Return the prompt that asks for the plan, with documents from all over the collection."""
    shown = reading_order(document_rows(context.corpus), _SHOWN)[:_SHOWN]
    return prompts.analyse(
        AnalyseValues(
            question=question,
            corpus=context.corpus,
            documents=samples(context, shown, (question,)),
            interpretation=criteria,
        )
    )


def extract(state: AnalystState, runtime: Runtime[Context]) -> AnalystUpdate:
    """Copy the facts out of every document, each stored at once; raises QuestionError: no plan."""
    if state.analysis is None:
        raise QuestionError("nothing to extract: the question was never planned")
    context, schema = with_records(state, runtime.context), state.analysis.copied
    filled = fill(context, schema, tell=runtime.stream_writer)
    warnings = state.warnings
    if filled.stopped:
        left = counted(filled.left, "document")
        warnings = (*warnings, f"a limit was reached: {filled.stopped}; not read: {left}")
    return {"filled": filled, "warnings": warnings}


def with_records(state: AnalystState, context: Context) -> Context:
    """Return the context with the records of this question in the place of the corpus's own."""
    if state.analysis is None:
        return context
    path = (context.runs or context.corpus.runs) / f"{state.run}.records.sqlite"
    place = RecordsPlace(path=path, documents=state.analysis.documents)
    return replace(context, records=place)


def _stored(
    state: AnalystState, update: dict[str, Any], runtime: Runtime[Context]
) -> Mapping[str, Any]:
    told, store = billed(state, update, runtime), runtime.context.store
    if answer := update.get("answer"):
        store.put_answer(answer.run, answer)
        store.set_status(answer.run, "partial" if answer.status == "partial" else "answered")
    return told


def computing(checkpointer: BaseCheckpointSaver[Any] | None) -> AnalystNode:
    """Return the step, with the place where the main graph's own checkpoints are kept."""

    def compute(state: AnalystState, runtime: Runtime[Context]) -> AnalystUpdate:
        """Query the records; the answer says what of the documents it does not cover.

        Raises QuestionError: what was extracted does not answer the question.
        """
        # A graph that is invoked within a step takes the run's checkpoints over for its own, which
        # the context variable of LangChain's configuration hands down; all else stays as it is.
        held = copy_context()
        held.run(var_child_runnable_config.set, None)
        answer = held.run(_asked, state, runtime.context, checkpointer, writer(runtime))
        partial = state.filled is not None and bool(state.filled.stopped)
        changed: dict[str, Any] = {"warnings": (*state.warnings, *answer.warnings)}
        if partial:
            changed |= {"status": "partial", "bounds": None}
        return {"answer": answer.model_copy(update=changed)}

    return compute


def _asked(
    state: AnalystState,
    given: Context,
    checkpointer: BaseCheckpointSaver[Any] | None,
    tell: Callable[[Any], None],
) -> Answer:
    """Ask the main graph anew: what an earlier attempt left of its state is dropped."""
    context = with_records(state, given)
    context = replace(context, policy=context.policy.model_copy(update=_POLICY))
    if checkpointer is not None:
        checkpointer.delete_thread(state.run)
    question = Question(question=state.question, run=state.run, criteria=state.criteria)
    config: RunnableConfig = {"configurable": {"thread_id": state.run}}
    answer: Answer | None = None
    stream: Any = build_graph(checkpointer).stream(
        question, config, context=context, stream_mode=["custom", "updates"]
    )
    for mode, event in stream:
        if mode == "custom":
            tell(event)
            continue
        for name, update in event.items():
            tell({"kind": "update", "node": name, "update": update or {}})
            answer = (update or {}).get("answer", answer)
    if answer is None:
        raise ProgramFault("the main graph ended without an answer")
    return answer


@dataclass(frozen=True, kw_only=True)
class AnalystRunState(AnalystState):
    """The state as LangGraph keeps it: of the answer, no checkpoint has the quotes."""

    answer: Annotated[Answer | None, Outcome(Answer)] = None


def build_analyst_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
) -> CompiledStateGraph[AnalystRunState, Context, AnalystQuestion, AnalystRunState]:
    """Build and compile the graph.

    It takes `{"question": …}` and `context=Context(corpus=…, reasoner=…)`; the outcome is
    `out["answer"]`, an `Answer` as the main graph gives it, with `out["analysis"]` and
    `out["filled"]`.
    """
    builder = StateGraph(AnalystRunState, context_schema=Context, input_schema=AnalystQuestion)
    for function in (outline, extract, computing(checkpointer)):
        builder.add_node(
            function.__name__, metered(function, AnalystUpdate.__annotations__, _stored)
        )
    builder.add_edge(START, "outline")
    builder.add_edge("outline", "extract")
    builder.add_edge("extract", "compute")
    builder.add_edge("compute", END)
    return builder.compile(checkpointer=registered(checkpointer), name="analyst")


_BEFORE = {"extract": "outline", "compute": "extract"}


class AnalystSession(RunSession[AnalystState]):
    """One corpus, one reasoner, one file of checkpoints; any number of analyses."""

    command = "analyse"

    def start(
        self, question: str, *, run: str, criteria: Interpretation | None = None
    ) -> Iterator[Event]:
        """Ask a question, yielding the trace; afterwards `outcome` tells how it ended.

        With criteria, it is computed as they read it, and no model is asked how it is meant.
        """
        given = AnalystQuestion(question=question, run=run, criteria=criteria)
        with self.place.working_on(run):
            yield from self._stream(given, run)

    def resume(self, run: str) -> Iterator[Event]:
        """Go on with an analysis that was interrupted or that a limit ended.

        Documents that were read stay read, except where another machine has their records: here
        they are read again, from the replies that were kept. One that is finished yields nothing.

        Raises RunError: the run cannot be resumed, is no analysis, or another process works on it.
        """
        with self.place.working_on(run):
            self._check(run)
            redone = self._redone(run)
            if redone:
                yield from self._stream(None, run, self._forked(run, {redone: _BEFORE[redone]}))
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
        """Return the step to repeat: a limit cut it, or its records are elsewhere; else empty."""
        state = self.state(run)
        if state.filled is not None and state.filled.stopped:
            return "extract"
        answer = self.context.store.answer(run)
        unfinished = self.unfinished(run)
        partial = answer is not None and answer.status == "partial" and not unfinished
        place = with_records(state, self.context).records
        elsewhere = place is None or not place.path.exists()
        if (partial or unfinished) and state.filled is not None and elsewhere:
            return "extract"
        return "compute" if partial else ""
