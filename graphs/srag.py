"""S-RAG's ingestion: a schema is drawn up from samples, then every document is read by it.

Two graphs (S-RAG, section 3.2). Induction: group → draw ⇄ draw → close, for each
group of alike documents, then unite. Filling: survey → read_parts ⇄ keep; every document is
stored as soon as it is read, so that a filling that was stopped or killed goes on where it was.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Literal

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from agent.errors import SchemaError
from agent.records.induction import (
    Group,
    InductionState,
    InductionUpdate,
)
from agent.records.record import Filled, FillState, FillUpdate
from agent.records.record_schema import Schema
from graphs.asking import require_writer
from graphs.context import Context
from graphs.node import metered
from graphs.records.available_records import open_records
from graphs.records.filling_nodes import FILLING, how_far
from graphs.records.induction_nodes import INDUCTION, is_settled, what_was_drawn

_STEPS = 1_000_000
"""Steps at most: LangGraph's own limit of 25 is meant for loops of a model with itself."""
Event = Mapping[str, Any]
Induction = CompiledStateGraph[InductionState, Context, InductionState, InductionState]
Filling = CompiledStateGraph[FillState, Context, FillState, FillState]


def build_induction() -> Induction:
    """Build and compile the graph that draws up a schema.

    It takes `InductionState(questions=(…))` and `context=Context(corpus=…, reasoner=…)`; the
    outcome is `out["result"]`, a `Schema`, with `out["failures"]`, `out["stopped"]` and
    `out["cost"]`.
    """
    builder = StateGraph(InductionState, context_schema=Context)
    for function in INDUCTION:
        builder.add_node(
            function.__name__, metered(function, InductionUpdate.__annotations__, what_was_drawn)
        )
    builder.add_edge(START, "group")
    builder.add_edge("group", "draw")
    builder.add_conditional_edges("draw", _after_draw)
    builder.add_conditional_edges("close", _after_close)
    builder.add_edge("unite", END)
    return builder.compile(name="induction")


def _after_draw(state: InductionState) -> Literal["draw", "close"]:
    """Draw until it is settled, unless a limit was reached."""
    return "close" if state.stopped or is_settled(state) else "draw"


def _after_close(state: InductionState) -> Literal["draw", "unite"]:
    """Go on with the next group, unless a limit was reached."""
    return "draw" if state.at < len(state.groups) and not state.stopped else "unite"


def build_filling() -> Filling:
    """Build and compile the graph that reads every document's records.

    It takes `FillState(schema=…)` and a context; the outcome is `out["filled"]`,
    the records are in the corpus directory.
    """
    builder = StateGraph(FillState, context_schema=Context)
    for function in FILLING:
        builder.add_node(function.__name__, metered(function, FillUpdate.__annotations__, how_far))
    builder.add_edge(START, "survey")
    builder.add_conditional_edges("survey", _after_survey)
    builder.add_edge("read_parts", "keep")
    builder.add_conditional_edges("keep", _after_survey)
    return builder.compile(name="filling")


def _after_survey(state: FillState) -> Literal["read_parts", "__end__"]:
    """Read while something is left and no limit was reached."""
    return "read_parts" if (state.queue or state.hand) and not state.stopped else "__end__"


def induce(
    context: Context,
    questions: Sequence[str] = (),
    tell: Callable[[Event], None] | None = None,
) -> InductionState:
    """Draw up a schema; return the state in which the graph ends.

    Raises QuestionError: the reader cannot write.
    """
    require_writer(context, "draw up a schema")
    given = InductionState(questions=tuple(questions))
    return InductionState(**_run(build_induction(), given, context, tell))


def extend(
    context: Context,
    schema: Schema,
    tell: Callable[[Event], None] | None = None,
) -> InductionState:
    """Draw up kinds for rows that were of none when they were read; the others stay as they are.

    Raises:
        QuestionError: the reader cannot write.
        SchemaError: every row that was read is of a kind.
    """
    require_writer(context, "draw up a schema")
    with closing(open_records(context.corpus)) as store:
        failures = [each for each in store.failures() if each.rows]
    places = {name: place for place, name in enumerate(context.corpus.documents)}
    unfit = [each for each in failures if each.document in places]
    if not unfit:
        raise SchemaError("every row that was read is of a kind: there is nothing to extend by")
    shown = dict.fromkeys(places[each.document] for each in unfit)
    asked = dict.fromkeys(f"What do the rows under {each.original!r} state?" for each in unfit)
    given = InductionState(
        questions=tuple(asked),
        extended=True,
        schema=schema,
        groups=(Group(order=tuple(shown), examples=()),),
    )
    induced = InductionState(**_run(build_induction(), given, context, tell))
    drawn = () if induced.result is None else induced.result.kinds
    added = tuple(each for each in drawn if schema.kind(each.name) is None)
    extended = schema.model_copy(update={"kinds": (*schema.kinds, *added)})
    return replace(induced, result=extended)


def _run(
    graph: CompiledStateGraph[Any, Context, Any, Any],
    given: InductionState | FillState,
    context: Context,
    tell: Callable[[Event], None] | None,
) -> dict[str, Any]:
    """Run a graph to its end; return its last state."""
    out: dict[str, Any] = {}
    config: RunnableConfig = {"recursion_limit": _STEPS}
    stream: Iterator[Any] = graph.stream(
        given, config, context=context, stream_mode=["custom", "values"]
    )
    for mode, event in stream:
        if mode == "values":
            out = event
        elif tell is not None:
            tell(event)
    return out


def fill(
    context: Context, schema: Schema, *, tell: Callable[[Event], None] | None = None
) -> Filled:
    """Read every document that is new or changed; return how far it came.

    Raises QuestionError: the reader cannot write.
    """
    require_writer(context, "read documents into records")
    out = _run(build_filling(), FillState(schema=schema), context, tell)
    filled: Filled = out["filled"]
    return filled.model_copy(update={"cost": out["cost"], "stopped": out.get("stopped", "")})
