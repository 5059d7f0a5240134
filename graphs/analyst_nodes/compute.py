"""compute: the main graph answers from what was extracted, and from nothing else."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.runtime import Runtime

from agent.answer import Answer
from agent.errors import ProgramFault
from agent.records.analysis import AnalystState, AnalystUpdate
from agent.state import Question
from graphs.analyst_nodes.apart import apart, writer
from graphs.analyst_nodes.extract import with_records
from graphs.analyst_nodes.step import AnalystNode
from graphs.context import Context
from graphs.headcount import build_graph

__all__ = ("computing",)

_POLICY = {"route": "records", "disambiguation": "none", "on_ambiguity": "assume"}


def computing(checkpointer: BaseCheckpointSaver[Any] | None) -> AnalystNode:
    """Return the step, with the place where the main graph's own checkpoints are kept.

    They are the run's under its own name, so that a report of it can be written as of any other.
    """

    def compute(state: AnalystState, runtime: Runtime[Context]) -> AnalystUpdate:
        """Query the records; the answer says what of the documents it does not cover.

        Raises:
            QuestionError: what was extracted does not answer the question.
        """
        answer = apart(_asked, state, runtime.context, checkpointer, writer(runtime))
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
    question = Question(question=state.question, run=state.run)
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
