"""answer: compute the number, gather the proof, store the answer."""

from langgraph.runtime import Runtime

from agent.answer import Answer
from agent.state import State, Update
from graphs.answers import assembled, side_by_side
from graphs.context import Context
from graphs.scope import scope
from tools.runs.run import RunStatus

__all__ = ("answer",)


def answer(state: State, runtime: Runtime[Context]) -> Update:
    """Assemble the answer; under several readings, the last one puts them side by side."""
    context = runtime.context
    built = assembled(state, context)
    context.store.put_answer(scope(state), built)
    context.store.set_status(scope(state), _status(built))
    if state.readings and state.reading + 1 == len(state.readings):
        built = side_by_side(state, context)
        if state.stopped:
            built = built.model_copy(update={"status": "partial"})
        context.store.put_answer(state.run, built)
        context.store.set_status(state.run, _status(built))
    return {"answer": built, "answered": state.answered + 1}


def _status(built: Answer) -> RunStatus:
    return "partial" if built.status == "partial" else "answered"
