"""The steps by records: route chooses them or texts, records queries, narrow drops documents."""

from dataclasses import replace

from langgraph.runtime import Runtime

from agent.errors import LimitReached, QuestionError
from agent.records.record_replies import Planned, Route
from agent.state import State, Update
from graphs.context import Context
from graphs.disambiguation import served
from graphs.records.available_records import AtHand, at_hand
from graphs.records.booking import SELECT, Queried, book, narrowed
from graphs.records.routing import choose, instead, repaired, updated


def route(state: State, runtime: Runtime[Context]) -> Update:
    """Choose the way of the reading at hand, and say why.

    Raises QuestionError: the policy asks for records that there are not, or that do not answer.
    """
    if state.earlier is not None:  # it was answered from the texts
        return {}
    try:
        return updated(choose(replace(state, route=None), runtime), state, runtime)
    except LimitReached as limit:
        return _limited(limit, state, runtime)


def records(state: State, runtime: Runtime[Context]) -> Update:
    """Query the records for every reading; where one gets no answer, take another way."""
    with at_hand(runtime.context) as found:
        if isinstance(found, str):
            raise QuestionError(f"the records are gone ({found}): ask the question again")
        try:
            queried = _queried(state, found, runtime)
        except LimitReached as limit:
            return _limited(limit, state, runtime)
        if isinstance(queried, Route):
            return updated(queried, state, runtime)
        return book(queried, found, state, runtime.context)


def narrow(state: State, runtime: Runtime[Context]) -> Update:
    """Let the records rule out the documents that cannot match; a repeated step finds it done."""
    if state.route is None:
        raise QuestionError("nothing to narrow: no way was chosen")
    if any(step.call.tool == SELECT for step in state.history):
        return {}
    with at_hand(runtime.context) as found:
        if isinstance(found, str):
            raise QuestionError(f"the records are gone ({found}): ask the question again")
        return narrowed(state.route, found, state, runtime.context)


def _limited(limit: LimitReached, state: State, runtime: Runtime[Context]) -> Update:
    """Take the way that is left after a limit: nothing more is asked of the records."""
    route = Route(path="text", why=f"a limit: {limit}")
    return updated(route, state, runtime, stopped=str(limit))


def _queried(state: State, found: AtHand, runtime: Runtime[Context]) -> list[Queried] | Route:
    """Run each reading's query; return the other way where one does not come to a result."""
    if state.route is None:
        raise QuestionError("nothing to query: no way was chosen")
    planned = {each.of: each.reply for each in state.route.planned}
    queried = []
    for reading in served(state):
        result = repaired(reading, planned[str(reading.number)], found, runtime)
        if isinstance(result, str):
            given_up = f"the records were asked, but {result}"
            other = instead(given_up, replace(state, route=None), found.tables, runtime)
            return other.model_copy(update={"left": given_up})
        reply, outcome = result
        queried.append((Planned(of=str(reading.number), reply=reply), outcome))
    return queried
