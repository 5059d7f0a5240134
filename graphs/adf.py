"""The ADF graph: an ambiguous question answered in every reading that the corpus supports.

Coherence → gate → decomposition → hypothetical passages → dual-pathway retrieval → synthesis (ADF,
section 4.1 and algorithm 1). It is a graph of its own, for ordinary questions: it counts nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Annotated, Any, Literal

from langgraph.channels import UntrackedValue
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

import prompts
from agent.adf_state import (
    AdfAnswer,
    AdfFailure,
    AdfOptions,
    AdfQuestion,
    AdfState,
    AdfUpdate,
    Citation,
    Intent,
    ReadingAnswer,
)
from agent.errors import (
    LimitReached,
    MalformedReply,
    ModelError,
    ProviderError,
    ProviderRejected,
)
from agent.evidence import Passage
from agent.prompt_values import GateValues, HypothesiseValues, SynthesiseValues
from agent.replies import (
    GateReply,
    HypothesiseReply,
    QuotedReply,
    SynthesisedReading,
    SynthesiseReply,
)
from agent.value import counted
from graphs.asking import ask, ask_all, failed, fitting, require_writer
from graphs.context import Context
from graphs.disambiguation.grounding import grounded, recalled
from graphs.disambiguation.grounding import retrieve as first_retrieval
from graphs.node import metered
from graphs.runs.run_entry import check_question
from tools.corpus.corpus import Corpus
from tools.passage_windows import passages
from tools.quotes import locate, locate_around
from tools.retrieval import both_ways
from tools.retrieval import retrieve as ranked


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesis:
    """The answers to all readings."""

    readings: tuple[ReadingAnswer, ...]
    contrast: str = ""
    text: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def answered(self) -> int:
        """How many readings have a proven answer."""
        return sum(each.answer is not None for each in self.readings)


@dataclass(slots=True, kw_only=True)
class Workshop:
    """Checks the replies of one synthesis: a faulty one is asked again, the better of two taken."""

    intents: Sequence[Intent]
    passages: Sequence[Passage]
    corpus: Corpus
    options: AdfOptions
    draft: Synthesis | None = None
    """What a first, faulty reply comes to."""

    def check(self, reply: SynthesiseReply) -> Synthesis:
        """Return the synthesis with its quotes located; of two, the one with more answers.

        Raises:
            MalformedReply: in the first reply a reading is missing, an answer has no quote that
                stands in the passages, or the paragraph is missing.
        """
        found, faults = self._located(reply)
        if faults and self.draft is None:
            self.draft = found
            raise MalformedReply("; ".join(faults))
        if self.draft is not None and self.draft.answered > found.answered:
            return self.draft
        return found

    def _located(self, reply: SynthesiseReply) -> tuple[Synthesis, list[str]]:
        """Return the synthesis, and what is wrong with the reply."""
        said = {each.reading: each for each in reply.readings}
        readings = tuple(
            self._reading(intent, said.get(number))
            for number, intent in enumerate(self.intents, start=1)
        )
        faults = list(self._faults(reply, readings))
        answered = any(each.answer is not None for each in readings)
        text = reply.text.strip() if answered and self.options.form == "long" else ""
        found = Synthesis(
            readings=readings,
            contrast=reply.contrast.strip() if len(readings) > 1 and answered else "",
            text=text,
            warnings=tuple(faults),
        )
        return found, faults

    def _reading(self, intent: Intent, said: SynthesisedReading | None) -> ReadingAnswer:
        bare = unanswered(intent)
        if said is None:
            return bare
        found = [(each.quote, self._cited(each)) for each in said.evidence]
        evidence = tuple(dict.fromkeys(cited for _, cited in found if cited is not None))
        answer = (said.answer or "").strip()
        return bare.model_copy(
            update={
                "answer": answer if answer and evidence else None,
                "evidence": evidence,
                "refused": tuple(quote for quote, cited in found if cited is None),
            }
        )

    def _cited(self, said: QuotedReply) -> Citation | None:
        """Locate a quote in the passage named, in its neighbourhood, or in another one shown."""
        if not 1 <= said.passage <= len(self.passages):
            own: list[Passage] = []
        else:
            own = [self.passages[said.passage - 1]]
        places = ((each, _spanned(said.quote, each)) for each in (*own, *self.passages))
        near = ((each, locate_around(said.quote, each, self.corpus)) for each in own)
        for passage, span in (*places, *near):
            if span is not None:
                return self._citation(passage, *span)
        return None

    def _citation(self, passage: Passage, start: int, end: int) -> Citation:
        document = self.corpus.document_index(passage.document)
        chunks = self.corpus.chunks_at(document, start, end)
        return Citation(
            document=passage.document,
            chunk=passage.chunk if passage.chunk in chunks or not chunks else chunks[0],
            start=start,
            end=end,
            quote=self.corpus.document_text(document)[start:end],
        )

    def _faults(self, reply: SynthesiseReply, readings: Sequence[ReadingAnswer]) -> Iterator[str]:
        numbers = [each.reading for each in reply.readings]
        wanted = list(range(1, len(self.intents) + 1))
        if sorted(numbers) != wanted:
            yield f"the readings are {wanted}, each once, not {numbers}"
        answered = {each.reading for each in reply.readings if (each.answer or "").strip()}
        for number, reading in enumerate(readings, start=1):
            if number in answered and not reading.evidence:
                refused = "; ".join(repr(quote) for quote in reading.refused) or "none was given"
                yield f"no quote for reading {number} stands in the passages: {refused}"
        if self.options.form == "long" and answered and not reply.text.strip():
            yield "the paragraph is missing"


def unanswered(intent: Intent) -> ReadingAnswer:
    """Return a reading without an answer."""
    return ReadingAnswer(
        label=intent.label,
        question=intent.question,
        why=intent.why,
        hypothesis=intent.hypothesis,
        chunks=intent.retrieved,
    )


def _spanned(quote: str, passage: Passage) -> tuple[int, int] | None:
    """Return a quote's span in the document, if it stands in the passage."""
    span = locate(quote, passage.text)
    return None if span is None else (passage.start + span[0], passage.start + span[1])


def _billed(_: AdfState, update: dict[str, Any], __: Runtime[Context]) -> dict[str, Any]:
    answer = update.get("answer")
    if answer is not None:
        update["answer"] = answer.model_copy(update={"cost": update["cost"]})
    return {}


def coherence(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
    """Retrieve for the question as asked and measure dispersion and separability."""
    check_question(state.question)
    require_writer(runtime.context, "write an answer")
    options = state.options
    found = first_retrieval(
        state.question,
        runtime.context,
        k=options.k,
        mode=options.retrieval,
        calibration=options.thresholds,
    )
    return {"first": found.chunks, "coherence": found.coherence}


def gate(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
    """Take the question for clear, uncertain or ambiguous; only a clear one skips the rest."""
    if state.options.gate == "off":
        return {"verdict": "ambiguous"}
    if state.options.gate == "coherence":
        return {"verdict": state.coherence.state if state.coherence else "clear"}
    sent = [("the question", prompts.gate(GateValues(question=state.question)))]
    received = ask_all(runtime, sent, GateReply)
    (reply,) = received.replies
    if reply is not None:
        return {"verdict": reply.verdict}
    return {
        "verdict": "uncertain",
        "failures": (*state.failures, *received.failures),
        "stopped": received.stopped,
    }


def decompose(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
    """Cluster the first chunks and ask for a sub-question for each cluster near the question."""
    retrieved = recalled(state.question, state.first, state.coherence, runtime.context)
    found, received = grounded(state.question, retrieved, runtime)
    return {
        "intents": tuple(Intent(**each.model_dump()) for each in found),
        "failures": (*state.failures, *received.failures),
        "stopped": received.stopped,
    }


def hypothesise(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
    """Ask for one hypothetical passage a sub-question, side by side."""
    corpus = runtime.context.corpus
    sent = [
        (
            each.label,
            prompts.hypothesise(
                HypothesiseValues(
                    reading=each,
                    form=state.options.form,
                    passages=passages(corpus, each.chunks),
                )
            ),
        )
        for each in state.intents
    ]
    received = ask_all(runtime, sent, HypothesiseReply)
    written = [reply.passage.strip() if reply else "" for reply in received.replies]
    intents = tuple(
        each.model_copy(update={"hypothesis": passage})
        for each, passage in zip(state.intents, written, strict=True)
    )
    return {
        "intents": intents,
        "failures": (*state.failures, *received.failures),
        "stopped": received.stopped or state.stopped,
    }


def retrieve(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
    """Retrieve R(q) and R(d̂) for each reading and fuse them; a clear question is one reading."""
    corpus, options = runtime.context.corpus, state.options
    if not state.intents:
        # The first retrieval was for this very question: its best k are those of a new one.
        chunks = state.first[: options.k]
        alone = Intent(
            label="as asked",
            question=state.question,
            chunks=state.first,
            why="no second reading",
            retrieved=chunks,
        )
        return {"intents": (alone,)}
    texts = [filter(None, (each.question, each.hypothesis)) for each in state.intents]
    depth, mode = 2 * options.k, options.retrieval
    pathways = [[ranked(corpus, text, depth, mode=mode) for text in both] for both in texts]
    found = [both_ways(both, options.k) for both in pathways]
    return {
        "intents": tuple(
            each.model_copy(update={"retrieved": tuple(chunks)})
            for each, chunks in zip(state.intents, found, strict=True)
        ),
    }


def synthesise(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
    """Ask once for all answers; what cannot be had is said in the answer.

    Raises ProviderRejected: the server will not serve the request as it is.
    """
    ranks = zip_longest(*(each.retrieved for each in state.intents))
    chunks = [each for each in dict.fromkeys(chain.from_iterable(ranks)) if each is not None]
    shown = fitting(runtime.context, chunks)
    left_out = len(chunks) - len(shown)
    if not shown:
        bare = _unanswered(state, "no passage was found to answer from")
        return _ended(state, bare, runtime)
    workshop = Workshop(
        intents=state.intents,
        passages=shown,
        corpus=runtime.context.corpus,
        options=state.options,
    )
    stopped, lost = "", None
    try:
        found = _asked(state, workshop, runtime)
    except LimitReached as limit:
        found, stopped = workshop.draft or _unanswered(state), str(limit)
    except ProviderRejected:
        raise
    except (ModelError, ProviderError) as error:
        found = workshop.draft or _unanswered(state)
        lost = failed("synthesise", "the answers to all readings", error)
    if left_out:
        told = f"{counted(left_out, 'passage')} had no room in the model's context and "
        told += f"{'was' if left_out == 1 else 'were'} not shown"
        found = replace(found, warnings=(*found.warnings, told))
    return _ended(state, found, runtime, stopped=stopped, lost=lost)


def _unanswered(state: AdfState, *warnings: str) -> Synthesis:
    readings = tuple(unanswered(each) for each in state.intents)
    return Synthesis(readings=readings, warnings=warnings)


def _ended(
    state: AdfState,
    found: Synthesis,
    runtime: Runtime[Context],
    *,
    stopped: str = "",
    lost: AdfFailure | None = None,
) -> AdfUpdate:
    limit = stopped or state.stopped
    told = [f"a limit was reached: {limit}"] if limit else []
    failures = (*state.failures, *([] if lost is None else [lost]))
    unread = lost is not None and not found.answered
    answer = AdfAnswer(
        question=state.question,
        status="partial" if limit else "failed" if unread else "answered",
        state=state.verdict or "uncertain",
        gate=state.options.gate,
        coherence=state.coherence,
        readings=found.readings,
        text=found.text,
        contrast=found.contrast,
        failures=failures,
        warnings=(*state.warnings, *found.warnings, *told),
        model=runtime.context.reasoner.name,
    )
    return {"answer": answer, "failures": failures, "stopped": limit}


def _asked(state: AdfState, workshop: Workshop, runtime: Runtime[Context]) -> Synthesis:
    prompt = prompts.synthesise(
        SynthesiseValues(
            question=state.question,
            readings=state.intents,
            passages=workshop.passages,
            found=[each.retrieved for each in state.intents],
            form=state.options.form,
        )
    )
    return ask(runtime, prompt, SynthesiseReply, workshop.check)


ALL = (coherence, gate, decompose, hypothesise, retrieve, synthesise)
"""In the order of the graph."""


@dataclass(frozen=True, kw_only=True)
class AdfRunState(AdfState):
    """The state as LangGraph keeps it: the answer holds quotes and is never checkpointed."""

    answer: Annotated[AdfAnswer | None, UntrackedValue(AdfAnswer)] = None


def build_adf_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
) -> CompiledStateGraph[AdfRunState, Context, AdfQuestion, AdfRunState]:
    """Build and compile the graph.

    It takes `{"question": …}`, optionally with `"options": AdfOptions(…)`, and
    `context=Context(corpus=…, reasoner=…)`; the outcome is `out["answer"]`, an `AdfAnswer`.
    """
    builder = StateGraph(AdfRunState, context_schema=Context, input_schema=AdfQuestion)
    for function in ALL:
        builder.add_node(function.__name__, metered(function, AdfUpdate.__annotations__, _billed))
    builder.add_edge(START, "coherence")
    builder.add_edge("coherence", "gate")
    builder.add_conditional_edges("gate", after_gate)
    builder.add_conditional_edges("decompose", after_decompose)
    builder.add_edge("hypothesise", "retrieve")
    builder.add_edge("retrieve", "synthesise")
    builder.add_edge("synthesise", END)
    return builder.compile(checkpointer=checkpointer, name="adf")


def after_gate(state: AdfState) -> Literal["decompose", "retrieve"]:
    """Decompose what is not clear, unless a limit was reached."""
    return "retrieve" if state.verdict == "clear" or state.stopped else "decompose"


def after_decompose(state: AdfState) -> Literal["hypothesise", "retrieve"]:
    """Follow several readings with hypothetical passages; one is the question as asked."""
    return "hypothesise" if state.intents and not state.stopped else "retrieve"
