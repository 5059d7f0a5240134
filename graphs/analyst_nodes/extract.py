"""extract: each document that bears on the question is read by itself."""

from dataclasses import replace

from langgraph.runtime import Runtime

from agent.counted import counted
from agent.errors import QuestionError
from agent.records.analysis import AnalystState, AnalystUpdate
from agent.records.record import RecordsPlace
from graphs.analyst_nodes.apart import apart, writer
from graphs.context import Context
from graphs.srag import fill

__all__ = ("extract", "with_records")


def extract(state: AnalystState, runtime: Runtime[Context]) -> AnalystUpdate:
    """Copy the facts out of every document; the answer names what could not be read.

    Every document is stored as soon as it is read: a run that was killed goes on where it was.

    Raises:
        QuestionError: there is no plan.
    """
    if state.analysis is None:
        raise QuestionError("nothing to extract: the question was never planned")
    context, schema = with_records(state, runtime.context), state.analysis.copied
    filled = apart(fill, context, schema, tell=writer(runtime))
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
