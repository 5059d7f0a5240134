"""The whole agent: read, disambiguate, query records or filter and judge texts, answer."""

from typing import Any, cast

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from agent.state import Question
from graphs import routes
from graphs.context import Context
from graphs.conversation import Asked, RunState, first, hear, speaking
from graphs.node import node
from graphs.nodes.align import align
from graphs.nodes.apply import apply, observe, plan
from graphs.nodes.branch import branch, reread
from graphs.nodes.clarify import ask, clarify, rewrite
from graphs.nodes.classify import assume, classify, ground, interpret
from graphs.nodes.decide import decide, rank
from graphs.nodes.feedback import audit, feedback
from graphs.nodes.give_answer import answer
from graphs.nodes.judge import batch, judge
from graphs.nodes.records import narrow, records, route
from graphs.nodes.weigh import weigh
from graphs.runs.beside import registered

NODES = (
    *(interpret, classify, ground, weigh, clarify, ask, rewrite, assume, branch, reread),
    *(route, records, decide, rank, narrow, plan, apply, observe),
    *(feedback, batch, judge, audit, align, answer),
)
_SPEAKING = (clarify, ask, answer)
RECURSION_LIMIT = 100_000
"""Supersteps at most: a wave a step, so the judging of a large corpus has many."""


def build_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
) -> CompiledStateGraph[RunState, Context, Question, RunState]:
    """Build and compile the graph.

    A checkpointer keeps the state between steps, so that a run can wait for a clarification and
    survive a crash.
    """
    builder = StateGraph(RunState, context_schema=Context, input_schema=Asked)
    for function in NODES:
        wrapped = node(function)
        builder.add_node(function.__name__, speaking(wrapped) if function in _SPEAKING else wrapped)
    builder.add_node("hear", hear)
    builder.add_conditional_edges(START, first)
    builder.add_edge("interpret", "classify")
    builder.add_edge("classify", "ground")
    builder.add_edge("ground", "weigh")
    builder.add_conditional_edges("weigh", routes.after_weigh)
    builder.add_edge("clarify", "ask")
    builder.add_edge("ask", "rewrite")
    builder.add_edge("rewrite", "weigh")
    builder.add_edge("assume", "route")
    builder.add_conditional_edges("branch", routes.after_branch)
    builder.add_edge("reread", "route")
    builder.add_conditional_edges("route", routes.after_route)
    builder.add_conditional_edges("records", routes.after_records)
    builder.add_conditional_edges("decide", routes.after_decide)
    builder.add_edge("rank", "answer")
    builder.add_edge("narrow", "plan")
    builder.add_edge("plan", "apply")
    builder.add_edge("apply", "observe")
    builder.add_conditional_edges("observe", routes.after_observe)
    builder.add_conditional_edges("feedback", routes.after_feedback)
    builder.add_edge("batch", "judge")
    builder.add_conditional_edges("judge", routes.after_judge)
    builder.add_conditional_edges("audit", routes.after_audit)
    builder.add_edge("align", "answer")
    builder.add_conditional_edges("answer", routes.after_answer)
    graph = builder.compile(checkpointer=registered(checkpointer), name="headcount")
    limited = graph.with_config(recursion_limit=RECURSION_LIMIT)
    return cast("CompiledStateGraph[RunState, Context, Question, RunState]", limited)
