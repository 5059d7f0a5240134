"""The ADF graph: an ambiguous question answered in every reading that the corpus supports.

Coherence → gate → decomposition → hypothetical passages → dual-pathway retrieval → synthesis (ADF,
section 4.1 and algorithm 1). It is a graph of its own, for ordinary questions: it counts nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

import prompts
from agent.adf_state import AdfAnswer, AdfQuestion, AdfState, AdfUpdate, Form, Intent, ReadingAnswer
from agent.errors import LimitReached, MalformedReply, ModelError, ProviderError, ProviderRejected
from agent.evidence import Evidence, Passage
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
from graphs.disambiguation import grounded
from graphs.disambiguation import retrieve as first_retrieval
from graphs.node import Outcome, Step, billed, metered
from graphs.runs.beside import registered
from graphs.runs.run_entry import check_question
from tools.corpus.corpus import Corpus
from tools.passage_windows import passages
from tools.quotes import locate, locate_around
from tools.retrieval import alternating, reciprocal_rank_fusion
from tools.retrieval import retrieve as ranked


@dataclass(slots=True, kw_only=True)
class Workshop:
    """Checks the replies of one synthesis: a faulty one is asked again, the better of two taken."""

    bare: AdfAnswer
    """Without an answer to any reading."""
    passages: Sequence[Passage]
    corpus: Corpus
    form: Form
    draft: AdfAnswer | None = None
    """What a first, faulty reply comes to."""

    def check(self, reply: SynthesiseReply) -> AdfAnswer:
        """Return the answer with its quotes located; of two, the one that answers more readings.

        Raises:
            MalformedReply: in the first reply a reading is missing, an answer has no quote that
                stands in the passages, or the paragraph is missing.
        """
        said = {each.reading: each for each in reply.readings}
        readings = tuple(
            self._reading(bare, said.get(number))
            for number, bare in enumerate(self.bare.readings, start=1)
        )
        faults = tuple(self._faults(reply, readings))
        found = self.bare.model_copy(update={"readings": readings, "warnings": faults})
        if answered(found):
            contrast = reply.contrast.strip() if len(readings) > 1 else ""
            text = reply.text.strip() if self.form == "long" else ""
            found = found.model_copy(update={"contrast": contrast, "text": text})
        if faults and self.draft is None:
            self.draft = found
            raise MalformedReply("; ".join(faults))
        if self.draft is not None and answered(self.draft) > answered(found):
            return self.draft
        return found

    def _reading(self, bare: ReadingAnswer, said: SynthesisedReading | None) -> ReadingAnswer:
        if said is None:
            return bare
        found = [(each.quote, self._cited(each, bare.label)) for each in said.evidence]
        evidence = tuple(dict.fromkeys(cited for _, cited in found if cited is not None))
        answer = (said.answer or "").strip()
        return bare.model_copy(
            update={
                "answer": answer if answer and evidence else None,
                "evidence": evidence,
                "refused": tuple(quote for quote, cited in found if cited is None),
            }
        )

    def _cited(self, said: QuotedReply, reading: str) -> Evidence | None:
        """Locate a quote in the passage named, in its neighbourhood, or in another one shown."""
        own = self.passages[said.passage - 1 :][:1] if said.passage > 0 else ()
        places = ((each, _spanned(said.quote, each)) for each in (*own, *self.passages))
        near = ((each, locate_around(said.quote, each, self.corpus)) for each in own)
        for passage, span in (*places, *near):
            if span is not None:
                document = self.corpus.document_index(passage.document)
                return Evidence(
                    document=passage.document,
                    start=span[0],
                    end=span[1],
                    quote=self.corpus.document_text(document)[slice(*span)],
                    condition=reading,
                )
        return None

    def _faults(self, reply: SynthesiseReply, readings: Sequence[ReadingAnswer]) -> Iterator[str]:
        numbers = [each.reading for each in reply.readings]
        wanted = list(range(1, len(readings) + 1))
        if sorted(numbers) != wanted:
            yield f"the readings are {wanted}, each once, not {numbers}"
        said = {each.reading for each in reply.readings if (each.answer or "").strip()}
        for number, reading in enumerate(readings, start=1):
            if number in said and not reading.evidence:
                refused = "; ".join(repr(quote) for quote in reading.refused) or "none was given"
                yield f"no quote for reading {number} stands in the passages: {refused}"
        if self.form == "long" and said and not reply.text.strip():
            yield "the paragraph is missing"


def answered(answer: AdfAnswer) -> int:
    """Return how many readings have a proven answer."""
    return sum(each.answer is not None for each in answer.readings)


def _spanned(quote: str, passage: Passage) -> tuple[int, int] | None:
    """Return a quote's span in the document, if it stands in the passage."""
    span = locate(quote, passage.text)
    return None if span is None else (passage.start + span[0], passage.start + span[1])


def coherence(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
    """Retrieve for the question as asked and measure dispersion and separability."""
    check_question(state.question)
    require_writer(runtime.context, "write an answer")
    first, measured = first_retrieval(state.question, runtime.context, state.options)
    return {"first": first, "coherence": measured}


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
    found, received = grounded(state.question, state.first, runtime)
    return {
        "intents": tuple(Intent(**each.model_dump()) for each in found),
        "failures": (*state.failures, *received.failures),
        "stopped": received.stopped,
    }


def hypothesise(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
    """Ask for one hypothetical passage a sub-question, side by side."""
    corpus = runtime.context.corpus
    shown = [passages(corpus, each.chunks) for each in state.intents]
    values = [
        HypothesiseValues(reading=each, form=state.options.form, passages=own)
        for each, own in zip(state.intents, shown, strict=True)
    ]
    sent = [(each.reading.label, prompts.hypothesise(each)) for each in values]
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
        alone = Intent(
            label="as asked",
            question=state.question,
            chunks=state.first,
            why="no second reading",
            retrieved=state.first[: options.k],  # that retrieval was for this very question
        )
        return {"intents": (alone,)}
    texts = [filter(None, (each.question, each.hypothesis)) for each in state.intents]
    depth, mode = 2 * options.k, options.retrieval
    pathways = [[ranked(corpus, text, depth, mode=mode) for text in both] for both in texts]
    fused = (reciprocal_rank_fusion(both)[: options.k] for both in pathways)
    found = [[chunk for chunk, _ in each] for each in fused]
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
    chunks = list(dict.fromkeys(alternating(each.retrieved for each in state.intents)))
    shown = fitting(runtime.context, chunks)
    found, stopped, failures = _unanswered(state, runtime.context), state.stopped, state.failures
    told = [] if shown else ["no passage was found to answer from"]
    workshop = Workshop(
        bare=found, passages=shown, corpus=runtime.context.corpus, form=state.options.form
    )
    try:
        found = _asked(state, workshop, runtime) if shown else found
    except LimitReached as limit:
        found, stopped = workshop.draft or found, str(limit)
    except ProviderRejected:
        raise
    except (ModelError, ProviderError) as error:
        found = workshop.draft or found
        failures = (*failures, failed("synthesise", "the answers to all readings", error))
    if shown and (left := len(chunks) - len(shown)):
        were = "was" if left == 1 else "were"
        told.append(
            f"{counted(left, 'passage')} had no room in the model's context and {were} not shown"
        )
    told += [f"a limit was reached: {stopped}"] if stopped else []
    lost = failures != state.failures and not answered(found)
    answer = found.model_copy(
        update={
            "status": "partial" if stopped else "failed" if lost else "answered",
            "failures": failures,
            "warnings": (*found.warnings, *told),
        }
    )
    return {"answer": answer, "failures": failures, "stopped": stopped}


def _unanswered(state: AdfState, context: Context) -> AdfAnswer:
    return AdfAnswer(
        question=state.question,
        status="answered",
        state=state.verdict or "uncertain",
        gate=state.options.gate,
        coherence=state.coherence,
        readings=tuple(ReadingAnswer(**each.model_dump()) for each in state.intents),
        model=context.reasoner.name,
    )


def _asked(state: AdfState, workshop: Workshop, runtime: Runtime[Context]) -> AdfAnswer:
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


Node = Step[AdfState, AdfUpdate]
ALL: Sequence[Node] = (coherence, gate, decompose, hypothesise, retrieve, synthesise)
"""In the order of the graph."""


@dataclass(frozen=True, kw_only=True)
class AdfRunState(AdfState):
    """The state as LangGraph keeps it: of the answer, no checkpoint has the quotes."""

    answer: Annotated[AdfAnswer | None, Outcome(AdfAnswer)] = None


def build_adf_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None, instead: Mapping[Node, Node] | None = None
) -> CompiledStateGraph[AdfRunState, Context, AdfQuestion, AdfRunState]:
    """Build and compile the graph, with other nodes `instead` of its own where a part is ablated.

    It takes `{"question": …}`, optionally with `"options": AdfOptions(…)`, and a context;
    `out["answer"]` is an `AdfAnswer`.
    """
    builder = StateGraph(AdfRunState, context_schema=Context, input_schema=AdfQuestion)
    for function in ALL:
        runs = (instead or {}).get(function, function)
        builder.add_node(function.__name__, metered(runs, AdfUpdate.__annotations__, billed))
    builder.add_edge(START, "coherence")
    builder.add_edge("coherence", "gate")
    builder.add_conditional_edges("gate", after_gate)
    builder.add_conditional_edges("decompose", after_decompose)
    builder.add_edge("hypothesise", "retrieve")
    builder.add_edge("retrieve", "synthesise")
    builder.add_edge("synthesise", END)
    return builder.compile(checkpointer=registered(checkpointer), name="adf")


def after_gate(state: AdfState) -> Literal["decompose", "retrieve"]:
    """Decompose what is not clear, unless a limit was reached."""
    return "retrieve" if state.verdict == "clear" or state.stopped else "decompose"


def after_decompose(state: AdfState) -> Literal["hypothesise", "retrieve"]:
    """Follow several readings with hypothetical passages; one is the question as asked."""
    return "hypothesise" if state.intents and not state.stopped else "retrieve"
