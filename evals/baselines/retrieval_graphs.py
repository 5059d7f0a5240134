"""Single-step RAG: the k best chunks are retrieved once and read in one request."""

from collections.abc import Sequence
from typing import Final, Literal, TypeVar

from langgraph.graph import END
from langgraph.runtime import Runtime
from pydantic import BaseModel

import prompts
from agent.adf_state import Retrieval
from agent.errors import LimitReached, QuestionError
from agent.evidence import Evidence, Finding
from agent.question import Interpretation
from agent.replies import InterpretReply
from evals.baselines import baseline_prompts as asks
from evals.baselines.baseline_replies import AssessReply, DiversifyReply, NoteReply, VerifyReply
from evals.baselines.baseline_state import (
    BaselineGraph,
    BaselineNode,
    BaselineState,
    BaselineUpdate,
    Item,
    baseline_graph,
)
from evals.baselines.concluding import (
    NOTING,
    SEARCHING,
    Stated,
    affordable,
    ask_each,
    combined,
    conclude,
    decided_by_reading,
    fitted,
    merge,
    proven,
    read,
    recall_unread,
    unaided,
)
from graphs.asking import ask
from graphs.context import Context
from graphs.disambiguation.readings import usable
from graphs.runs.run_entry import open_run
from graphs.search.judging_batches import Bench
from tools.retrieval import retrieve as ranked

__all__ = (
    "after_assess",
    "after_note",
    "after_verify",
    "assess",
    "begin",
    "diversify",
    "diversify_verify_adapt",
    "found",
    "full_scan",
    "interpret",
    "iterative",
    "llm_only",
    "note",
    "note_taking",
    "progress",
    "retrieve",
    "scan",
    "single_step",
    "verify",
)


def begin(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Enter the run in the store, and search for the question as asked first."""
    return {"run": open_run(state.question, "", runtime.context), "query": state.question}


def retrieve(k: int | None, mode: Retrieval = "dense") -> BaselineNode:
    """Return the node that adds the k best chunks for the query; None ranks them all."""

    def search(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
        query, corpus = state.query, runtime.context.corpus
        return found(state, query, ranked(corpus, query, k or len(corpus), mode=mode))

    search.__name__ = "retrieve"
    return search


def found(state: BaselineState, query: str, latest: list[int]) -> BaselineUpdate:
    """Return what changes when a search for a query brings these chunks, best first."""
    known = frozenset(state.chunks)
    new = [chunk for chunk in latest if chunk not in known]
    return {
        "queries": (*state.queries, query),
        "latest": tuple(latest),
        "chunks": (*state.chunks, *new),
        "novelty": len(new) / len(latest) if latest else 0.0,
        "rounds": state.rounds + 1,
    }


def single_step(k: int | None, mode: Retrieval) -> BaselineGraph:
    """Build begin → retrieve → read → conclude.

    Args:
        k: how many chunks; None is as many as the budget and the reasoner's context hold.
        mode: `dense` is naive RAG, `hybrid` fuses it with BM25 by reciprocal ranks.
    """
    builder = baseline_graph(begin, retrieve(k, mode), read, conclude)
    builder.add_edge("begin", "retrieve")
    builder.add_edge("retrieve", "read")
    builder.add_edge("read", "conclude")
    builder.add_edge("conclude", END)
    return builder


R = TypeVar("R", bound=BaseModel)


_ROUNDS: Final = 3
_LEAST: Final = 0.3
_QUALITY: Final = 0.6


def iterative(k: int, mode: Retrieval) -> BaselineGraph:
    """Build begin → retrieve → assess → retrieve … → read → conclude, k chunks a search."""
    builder = baseline_graph(begin, retrieve(k, mode), assess, read, conclude)
    builder.add_edge("begin", "retrieve")
    builder.add_edge("retrieve", "assess")
    builder.add_conditional_edges("assess", after_assess)
    builder.add_edge("read", "conclude")
    builder.add_edge("conclude", END)
    return builder


def assess(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Have the last search graded, and the next query written."""
    told, budget = "\n".join(state.queries), affordable(state, SEARCHING)
    shown = fitted(state.latest, runtime.context, besides=told, budget=budget)
    if not shown.passages:
        return {"query": "", "quality": 0.0, "stopped": state.stopped or shown.stopped}
    prompt = asks.assess(question=state.question, queries=state.queries, passages=shown.passages)
    received = ask_each(state, runtime, [(prompt, shown)], AssessReply)
    (reply,) = received.replies
    if reply is None:
        return received.update | {"query": "", "quality": 0.0}
    quality = min(1.0, max(0.0, reply.quality))
    return received.update | {"query": (reply.query or "").strip(), "quality": quality}


def after_assess(state: BaselineState) -> Literal["retrieve", "read"]:
    """Search again while it makes progress, at most three times."""
    spent = state.stopped or state.rounds >= _ROUNDS or not state.query
    return "read" if spent or progress(state) < _LEAST else "retrieve"


def progress(state: BaselineState) -> float:
    """Return 0.6 · quality + 0.4 · novelty of the last search."""
    return _QUALITY * state.quality + (1 - _QUALITY) * state.novelty


def llm_only() -> BaselineGraph:
    """Build begin → recall_unread → conclude."""
    builder = baseline_graph(begin, recall_unread, conclude)
    builder.add_edge("begin", "recall_unread")
    builder.add_edge("recall_unread", "conclude")
    builder.add_edge("conclude", END)
    return builder


_STEPS: Final = 3
"""`max_step` of DFA, appendix A.7.1: searches after the first."""
_IDLE: Final = 2
"""`max_fail_step`: rounds in a row that add nothing to the notes."""


def note_taking(k: int, mode: Retrieval) -> BaselineGraph:
    """Build begin → retrieve → note → retrieve … → merge → conclude, k chunks a search."""
    builder = baseline_graph(begin, retrieve(k, mode), note, merge, conclude)
    builder.add_edge("begin", "retrieve")
    builder.add_edge("retrieve", "note")
    builder.add_conditional_edges("note", after_note)
    builder.add_edge("merge", "conclude")
    builder.add_edge("conclude", END)
    return builder


def note(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Add to the notes what the last search brought, and get the next query."""
    noted = "\n".join(each.quote for note in state.items for each in note.evidence)
    budget = affordable(state, NOTING)
    shown = fitted(state.latest, runtime.context, besides=noted, budget=budget)
    if not shown.passages:
        stopped = state.stopped or shown.stopped
        return {"query": "", "idle": state.idle + 1, "stopped": stopped}
    prompt = asks.note(
        question=state.question,
        task=state.question,
        queries=state.queries,
        notes=state.items,
        passages=shown.passages,
    )
    received = ask_each(state, runtime, [(prompt, shown)], NoteReply)
    (reply,) = received.replies
    if reply is None:
        return received.update | {"query": "", "idle": state.idle + 1}
    return received.update | {
        "items": (*state.items, *proven(reply.items, shown.passages)),
        "query": (reply.query or "").strip(),
        "idle": 0 if reply.items else state.idle + 1,
    }


def after_note(state: BaselineState) -> Literal["retrieve", "merge"]:
    """Search again while something is lacking and the notes grow."""
    spent = state.stopped or not state.query or state.rounds > _STEPS
    return "merge" if spent or state.idle >= _IDLE else "retrieve"


_READINGS: Final = 3


def diversify_verify_adapt(k: int, mode: Retrieval) -> BaselineGraph:
    """Build begin → diversify → gather → verify → read or recall_unread → conclude."""
    builder = baseline_graph(
        begin, diversify, _gathering(k, mode), verify, read, recall_unread, conclude
    )
    builder.add_edge("begin", "diversify")
    builder.add_edge("diversify", "gather")
    builder.add_edge("gather", "verify")
    builder.add_conditional_edges("verify", after_verify)
    builder.add_edge("read", "conclude")
    builder.add_edge("recall_unread", "conclude")
    builder.add_edge("conclude", END)
    return builder


def diversify(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Have the question written in several senses; it is searched for as asked besides."""
    prompt = asks.diversify(question=state.question, number=_READINGS)
    received = ask_each(state, runtime, [(prompt, None)], DiversifyReply)
    (reply,) = received.replies
    told = [each.strip() for each in reply.readings if each.strip()] if reply else []
    queries = dict.fromkeys([state.question, *told[:_READINGS]])
    return received.update | {"queries": tuple(queries)}


def verify(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Keep the passages that serve the question; without a verdict, all of them."""
    told, budget = "\n".join(state.queries), affordable(state, SEARCHING)
    shown = fitted(state.chunks, runtime.context, besides=told, budget=budget)
    if not shown.passages:
        stopped = state.stopped or shown.stopped
        return {"useful": bool(shown.stopped), "stopped": stopped}
    prompt = asks.verify(question=state.question, readings=state.queries, passages=shown.passages)
    received = ask_each(state, runtime, [(prompt, shown)], VerifyReply)
    (reply,) = received.replies
    if reply is None:
        return received.update
    useful = frozenset(reply.useful)
    kept = [each.chunk for at, each in enumerate(shown.passages, start=1) if at in useful]
    return received.update | {
        "chunks": tuple(kept),
        "useful": bool(kept) and reply.verdict != "useless",
    }


def after_verify(state: BaselineState) -> Literal["read", "recall_unread"]:
    """Answer from the passages, or from what the model knows where none serves."""
    return "read" if state.useful else "recall_unread"


def _gathering(k: int, mode: Retrieval) -> BaselineNode:
    """Return the node that retrieves for all readings."""

    def gather(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
        corpus = runtime.context.corpus
        rankings = [ranked(corpus, query, k, mode=mode) for query in state.queries]
        return {"chunks": tuple(dict.fromkeys(chunk for each in rankings for chunk in each))}

    return gather


def full_scan() -> BaselineGraph:
    """Build begin → interpret → scan → conclude."""
    builder = baseline_graph(begin, interpret, scan, conclude)
    builder.add_edge("begin", "interpret")
    builder.add_edge("interpret", "scan")
    builder.add_edge("scan", "conclude")
    builder.add_edge("conclude", END)
    return builder


def interpret(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Have the question taken apart into conditions, all of which reading decides."""
    context = runtime.context
    prompt = prompts.interpret(question=state.question, conversation=(), corpus=context.corpus)
    try:
        reading = ask(runtime, prompt, InterpretReply, lambda reply: usable(reply, context))
    except LimitReached as limit:
        return {"stopped": str(limit)}
    return {"reading": unaided(reading)}


def scan(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Judge every chunk by itself, and put together what they state."""
    context, reading = runtime.context, state.reading
    if reading is None:
        if not state.stopped:
            raise QuestionError("nothing to scan for: the question was never read")
        return {}
    bench = Bench(
        corpus=context.corpus,
        reasoner=context.reasoner,
        reading=reading,
        conditions=decided_by_reading(reading),
    )
    verdicts = bench.judge([[chunk] for chunk in range(len(context.corpus))])
    lost = verdicts.failed | verdicts.unparsable
    update: BaselineUpdate = {
        "shown": frozenset(verdicts.read),
        "failed": frozenset(lost),
        "stopped": verdicts.stopped,
        "warnings": (
            *state.warnings,
            *dict.fromkeys(verdicts.reasons[chunk] for chunk in lost if chunk in verdicts.reasons),
        ),
    }
    read = {context.corpus.documents[context.corpus.chunk_document[each]] for each in verdicts.read}
    return update | _put_together(reading, verdicts.findings, sorted(read))


def _put_together(
    reading: Interpretation, findings: Sequence[Finding], documents: Sequence[str]
) -> BaselineUpdate:
    stated = [
        Stated(
            name=each.entity,
            condition=each.condition,
            passage=number,
            quote=each.quote,
            value=each.value,
            unit=each.unit,
        )
        for number, each in enumerate(findings)
    ]
    found = combined(reading, stated, documents)
    value = found.computed.value
    return {
        "items": tuple(
            _item(name, [findings[each.passage] for each in told], reading)
            for name, told in found.items.items()
        ),
        "value": None if isinstance(value, dict) else value,
        "unit": found.computed.unit,
    }


def _item(name: str, told: Sequence[Finding], reading: Interpretation) -> Item:
    places = dict.fromkeys(each.document for each in told)
    return Item(
        name=name,
        documents=(name,) if reading.grain == "document" else tuple(places),
        evidence=tuple(
            Evidence(
                document=each.document,
                start=each.start,
                end=each.end,
                quote=each.quote,
                condition=each.condition,
            )
            for each in told
        ),
    )
