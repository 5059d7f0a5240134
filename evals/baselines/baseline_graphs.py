"""The baselines: each a few steps that search, and one that answers from what was found."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from langgraph.runtime import Runtime
from pyroaring import BitMap

import prompts
from agent.adf_state import Retrieval
from agent.errors import (
    LimitReached,
    ModelError,
    ProviderError,
    ProviderRejected,
    QuestionError,
    ToolArgumentError,
)
from agent.evidence import Evidence, Finding, Passage
from agent.history import Step
from agent.prompt_values import InterpretValues
from agent.question import Interpretation
from agent.reasoner import Prompt, ToolCall, ToolSpec
from agent.replies import InterpretReply
from evals.baselines import baseline_prompts as asks
from evals.baselines.baseline_replies import (
    AssessReply,
    DelegateReply,
    DiversifyReply,
    NoteReply,
    VerifyReply,
)
from evals.baselines.baseline_state import (
    BaselineGraph,
    BaselineNode,
    BaselineState,
    BaselineUpdate,
    Item,
    Task,
    baseline_graph,
)
from evals.baselines.concluding import (
    Stated,
    ask_each,
    combined,
    conclude,
    decided_by_reading,
    fitted,
    merge,
    proven,
    read,
    recall_unread,
    snapshot_of,
    unaided,
)
from graphs.asking import ask
from graphs.context import Context
from graphs.disambiguation.readings import usable
from graphs.runs.run_entry import open_run
from graphs.search.judging_batches import Bench
from tools.filters.arguments import Arguments, Words
from tools.filters.filter_calls import same_call
from tools.filters.registry import CONTROLS, FILTERS, apply
from tools.retrieval import by_words
from tools.retrieval import retrieve as ranked


def begin(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Enter the run in the store, and search for the question as asked first."""
    return {
        "run": open_run(state.question, "", runtime.context),
        "query": state.question,
        "tasks": (Task(text=state.question, query=state.question),),
    }


def llm_only() -> BaselineGraph:
    """Answer from what the model knows."""
    return baseline_graph(begin, recall_unread, conclude)


def single_step(k: int | None, mode: Retrieval) -> BaselineGraph:
    """Retrieve once and answer from that.

    Args:
        k: how many chunks; None is as many as the reasoner's context holds.
        mode: `dense` is naive RAG, `hybrid` fuses it with BM25 by reciprocal ranks.
    """
    return baseline_graph(begin, _retrieving(k, mode), read, conclude)


def _retrieving(k: int | None, mode: Retrieval) -> BaselineNode:
    """Return the node that adds the k best chunks for the query; None ranks them all."""

    def retrieve(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
        query, corpus = state.query, runtime.context.corpus
        return _found(state, query, ranked(corpus, query, k or len(corpus), mode=mode))

    return retrieve


def _found(state: BaselineState, query: str, latest: list[int]) -> BaselineUpdate:
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


_SEARCHES: Final = 3
_LEAST: Final = 0.3
_QUALITY: Final = 0.6


def iterative(k: int, mode: Retrieval) -> BaselineGraph:
    """Retrieve k chunks, grade them, and search again while it makes progress; then answer."""
    nodes = (begin, _retrieving(k, mode), assess, read, conclude)
    return baseline_graph(*nodes, after={"assess": after_assess})


def assess(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Have the last search graded, and the next query written."""
    shown = fitted(state.latest, runtime.context, besides="\n".join(state.queries))
    if not shown.passages:
        return {"query": "", "quality": 0.0}
    prompt = asks.assess(question=state.question, queries=state.queries, passages=shown.passages)
    received = ask_each(state, runtime, [(prompt, shown)], AssessReply)
    (reply,) = received.replies
    if reply is None:
        return received.update | {"query": "", "quality": 0.0}
    quality = min(1.0, max(0.0, reply.quality))
    return received.update | {"query": (reply.query or "").strip(), "quality": quality}


def after_assess(state: BaselineState) -> Literal["retrieve", "read"]:
    """Search again while it makes progress, at most three times."""
    spent = state.stopped or state.rounds >= _SEARCHES or not state.query
    return "read" if spent or progress(state) < _LEAST else "retrieve"


def progress(state: BaselineState) -> float:
    """Return 0.6 · quality + 0.4 · novelty of the last search."""
    return _QUALITY * state.quality + (1 - _QUALITY) * state.novelty


_NOTE_ROUNDS: Final = 4
"""The first search, and `max_step` = 3 of DFA, appendix A.7.1."""
_IDLE: Final = 2
"""`max_fail_step`: rounds in a row that add nothing to the notes."""
_TEAM_ROUNDS: Final = 2
"""Searches of a worker at most."""
_WORKERS: Final = 4


def note_taking(k: int, mode: Retrieval) -> BaselineGraph:
    """Search for what the notes lack, k chunks a search; then answer from the notes."""
    nodes = (begin, _working(k, mode), merge, conclude)
    return baseline_graph(*nodes, after={"work": _more_work(_NOTE_ROUNDS)})


def team(k: int, mode: Retrieval) -> BaselineGraph:
    """Share the question among workers who search and take notes; answer from all notes."""
    nodes = (begin, delegate, _working(k, mode), merge, conclude)
    return baseline_graph(*nodes, after={"work": _more_work(_TEAM_ROUNDS)})


def delegate(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Have the question shared out; without a usable plan one worker gets all of it."""
    prompt = asks.delegate(question=state.question, corpus=runtime.context.corpus)
    received = ask_each(state, runtime, [(prompt, None)], DelegateReply)
    (reply,) = received.replies
    named = [each.strip() for each in reply.tasks if each.strip()] if reply else []
    tasks = list(dict.fromkeys(named))[:_WORKERS] or [state.question]
    return received.update | {"tasks": tuple(Task(text=each, query=each) for each in tasks)}


def _working(k: int, mode: Retrieval) -> BaselineNode:
    """Return the node in which all workers search and take notes, side by side."""

    def work(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
        queries = (*state.queries, *(each.query for each in state.tasks))
        quotes = (each.quote for note in state.items for each in note.evidence)
        besides, corpus = "\n".join([*queries, *quotes]), runtime.context.corpus
        found = [ranked(corpus, each.query, k, mode=mode) for each in state.tasks]
        shown = [fitted(each, runtime.context, besides=besides) for each in found]
        searched: BaselineUpdate = {
            "queries": queries,
            "chunks": tuple(dict.fromkeys([*state.chunks, *(c for each in found for c in each)])),
            "rounds": state.rounds + 1,
        }
        if not any(each.passages for each in shown):
            return searched | {"tasks": ()}
        sent = [
            (_note_prompt(state, task, queries, seen.passages), seen)
            for task, seen in zip(state.tasks, shown, strict=True)
        ]
        received = ask_each(state, runtime, sent, NoteReply)
        answered = zip(received.replies, shown, strict=True)
        notes = [
            note
            for reply, seen in answered
            if reply is not None
            for note in proven(reply.items, seen.passages)
        ]
        return (
            received.update
            | searched
            | {
                "items": tuple(dict.fromkeys([*state.items, *notes])),
                "idle": 0 if notes else state.idle + 1,
                "tasks": _onward(state.tasks, received.replies),
            }
        )

    return work


def _note_prompt(
    state: BaselineState, task: Task, queries: Sequence[str], passages: Sequence[Passage]
) -> Prompt:
    return asks.note(
        question=state.question,
        task=task.text,
        queries=queries,
        notes=state.items,
        passages=passages,
    )


def _onward(tasks: Sequence[Task], replies: Sequence[NoteReply | None]) -> tuple[Task, ...]:
    """Return the tasks with a next query; what two workers ask for, the first searches."""
    onward: dict[str, Task] = {}
    for task, reply in zip(tasks, replies, strict=True):
        query = (reply.query or "").strip() if reply else ""
        if query:
            onward.setdefault(query, task.model_copy(update={"query": query}))
    return tuple(onward.values())


def _more_work(rounds: int) -> Callable[[BaselineState], Literal["work", "merge"]]:
    """Return the route that goes on while something is lacking and the notes grow."""

    def after_work(state: BaselineState) -> Literal["work", "merge"]:
        spent = state.stopped or not state.tasks or state.rounds >= rounds
        return "merge" if spent or state.idle >= _IDLE else "work"

    return after_work


_SENSES: Final = 3


def diversify_verify_adapt(k: int, mode: Retrieval) -> BaselineGraph:
    """Search for the question in several senses; answer from what serves it, or unread."""
    nodes = (begin, diversify, _gathering(k, mode), verify, read, recall_unread, conclude)
    return baseline_graph(*nodes, after={"verify": _after_verify, "read": "conclude"})


def diversify(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Have the question written in several senses; it is searched for as asked besides."""
    prompt = asks.diversify(question=state.question, number=_SENSES)
    received = ask_each(state, runtime, [(prompt, None)], DiversifyReply)
    (reply,) = received.replies
    written = [each.strip() for each in reply.readings if each.strip()] if reply else []
    queries = dict.fromkeys([state.question, *written[:_SENSES]])
    return received.update | {"queries": tuple(queries)}


def _gathering(k: int, mode: Retrieval) -> BaselineNode:
    """Return the node that retrieves for all senses."""

    def gather(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
        corpus = runtime.context.corpus
        rankings = [ranked(corpus, query, k, mode=mode) for query in state.queries]
        return {"chunks": tuple(dict.fromkeys(chunk for each in rankings for chunk in each))}

    return gather


def verify(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Keep the passages that serve the question; without a verdict, all of them."""
    shown = fitted(state.chunks, runtime.context, besides="\n".join(state.queries))
    if not shown.passages:
        return {"useful": False}
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


def _after_verify(state: BaselineState) -> Literal["read", "recall_unread"]:
    """Answer from the passages, or from what the model knows where none serves."""
    return "read" if state.useful else "recall_unread"


_FINISH: Final = "finish"
_CALLS: Final = 10
"""Calls at most (DFA, appendix A.7.1)."""
_SEARCH: Final = "search"
_NOTHING: Final = "it would keep nothing"
_ALL: Final = "it would change nothing: the candidates are these already"
_OFFERED_FINISH: Final = ToolSpec(
    name=_FINISH,
    description="Stop searching and answer from what was found. {}",
    arguments=CONTROLS[_FINISH].arguments,
)


class SearchArguments(Arguments):
    """A query."""

    query: Words
    """What to search for, in words that documents would use."""


def react(k: int, mode: Retrieval) -> BaselineGraph:
    """Have the model search until it finishes, k chunks a search; answer from all it found."""
    nodes = (begin, _searching(k, mode), read, conclude)
    return baseline_graph(*nodes, after={"search": _more_calls("search", "read")})


def tool_agent() -> BaselineGraph:
    """Have the model choose filters until it finishes; answer from what is left, best first."""
    nodes = (begin, narrow, order, read, conclude)
    return baseline_graph(*nodes, after={"narrow": _more_calls("narrow", "order")})


def _more_calls(again: str, then: str) -> Callable[[BaselineState], str]:
    """Return the route that goes on until the model finishes, at most ten times."""

    def after_call(state: BaselineState) -> str:
        spent = state.stopped or state.finished or len(state.history) >= _CALLS
        return then if spent else again

    return after_call


def _searching(k: int, mode: Retrieval) -> BaselineNode:
    """Return the node that has a search chosen and carries it out."""
    offered = ToolSpec(
        name=_SEARCH,
        description=f'Find the {k} passages that are most like a query: {{"query": "…"}}.',
        arguments=SearchArguments,
    )

    def search(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
        context = runtime.context
        shown = fitted(state.chunks, context)
        taken, tools = BitMap(state.chunks), (offered, _OFFERED_FINISH)
        call, update = _chosen(state, context, taken, tools, shown.passages)
        update["shown"] = state.shown.union(each.chunk for each in shown.passages)
        if update["finished"]:
            return update
        query = SearchArguments.model_validate(call.arguments).query
        if query in state.queries:
            step = _step(state, call, context, taken, refused="this was searched for")
            return update | {"history": (*state.history, step)}
        found = _found(state, query, ranked(context.corpus, query, k, mode=mode))
        after = BitMap(found["chunks"])
        step = _step(state, call, context, taken, after=after, kept=len(after - taken))
        return update | found | {"history": (*state.history, step)}

    return search


def narrow(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Have a filter chosen and carry it out on what is left; there is no way back."""
    context = runtime.context
    every = BitMap(range(len(context.corpus)))
    left = context.store.ids(state.candidates) if state.candidates else every
    filters = [
        ToolSpec(name=name, description=tool.description, arguments=tool.arguments)
        for name, tool in FILTERS.items()
    ]
    call, update = _chosen(state, context, left, (*filters, _OFFERED_FINISH))
    if update["finished"]:
        return update | {"candidates": context.store.put_ids(left)}
    step = _filtered(state, call, context, left)
    return update | {"history": (*state.history, step), "candidates": step.after}


def _filtered(state: BaselineState, call: ToolCall, context: Context, left: BitMap) -> Step:
    if same_call(state.history, call, context.store.put_ids(left)) is not None:
        return _step(state, call, context, left, refused="this call was made before")
    try:
        kept = apply(context.corpus, left, call)
    except ToolArgumentError as error:
        return _step(state, call, context, left, refused=str(error))
    if not kept or kept == left:
        return _step(state, call, context, left, refused=_ALL if kept else _NOTHING)
    return _step(state, call, context, left, after=kept, kept=len(kept))


def _chosen(
    state: BaselineState,
    context: Context,
    taken: BitMap,
    tools: Sequence[ToolSpec],
    found: Sequence[Passage] = (),
) -> tuple[ToolCall, BaselineUpdate]:
    """Ask for the next call; without a usable one, finish.

    Raises:
        ProviderRejected: the server will not serve the request as it is.
    """
    prompt = asks.act(
        question=state.question,
        history=state.history,
        snapshot=snapshot_of(taken, context, _SEARCH if found else ""),
        found=found,
        corpus=context.corpus,
        tools=[tool.name for tool in tools],
    )
    call, stopped, warnings = ToolCall(tool=_FINISH, arguments={}), "", state.warnings
    try:
        call = context.reasoner.choose(prompt, tools)
    except LimitReached as limit:
        stopped = str(limit)
    except ProviderRejected:
        raise
    except (ModelError, ProviderError) as error:
        warnings = (*warnings, f"no usable call was chosen: {error}")
    return call, {
        "finished": call.tool == _FINISH,
        "stopped": state.stopped or stopped,
        "warnings": warnings,
    }


def _step(
    state: BaselineState,
    call: ToolCall,
    context: Context,
    before: BitMap,
    *,
    after: BitMap | None = None,
    kept: int = 0,
    refused: str = "",
) -> Step:
    """Return the step of the history that tells of a call: what it kept, or why not."""
    known = context.store.put_ids(before)
    return Step(
        round=len(state.history) + 1,
        call=call,
        before=known,
        after=known if after is None else context.store.put_ids(after),
        kept=kept,
        discarded=0 if after is None else len(before - after),
        refused=refused,
        verdict=None if refused else "keep",
    )


def order(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Rank what is left by the question's words, so that the best is read where not all fits."""
    context = runtime.context
    left = context.store.ids(state.candidates)
    ranking = by_words(context.corpus.lexical, state.question, len(context.corpus))
    best = [chunk for chunk in ranking if chunk in left]
    return {"chunks": (*best, *(left - BitMap(best)))}


def full_scan() -> BaselineGraph:
    """Judge every chunk by itself, and compute from what they state."""
    return baseline_graph(begin, interpret, scan, conclude)


def interpret(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Have the question taken apart into conditions, all of which reading decides."""
    context = runtime.context
    prompt = prompts.interpret(
        InterpretValues(question=state.question, conversation=(), corpus=context.corpus)
    )
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
        question=state.question,
    )
    verdicts = bench.judge([[chunk] for chunk in range(len(context.corpus))])
    lost = verdicts.failed | verdicts.unparsable
    reasons = dict.fromkeys(verdicts.reasons[each] for each in lost if each in verdicts.reasons)
    update: BaselineUpdate = {
        "shown": frozenset(verdicts.read),
        "failed": frozenset(lost),
        "stopped": verdicts.stopped,
        "warnings": (*state.warnings, *reasons),
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
            _item(name, [findings[each.passage] for each in proofs], reading)
            for name, proofs in found.items.items()
        ),
        "value": None if isinstance(value, Mapping) else value,
        "unit": found.computed.unit,
    }


def _item(name: str, findings: Sequence[Finding], reading: Interpretation) -> Item:
    places = dict.fromkeys(each.document for each in findings)
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
            for each in findings
        ),
    )
