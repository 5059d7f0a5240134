"""route: choose whether records answer, texts, or both; records: run the queries that answer."""

from dataclasses import replace

from langgraph.runtime import Runtime

from agent.errors import LimitReached, QuestionError
from agent.records.record_replies import Planned
from agent.state import State, Update
from graphs.context import Context
from graphs.disambiguation.readings import served
from graphs.records.available_records import AtHand, at_hand
from graphs.records.booking import Queried, book
from graphs.records.routing import Choice, choose, instead, limited, repaired, updated


def route(state: State, runtime: Runtime[Context]) -> Update:
    """Choose the way of the reading at hand, and say why.

    Raises QuestionError: the policy asks for records that there are not, or that do not answer.
    """
    if state.earlier is not None:  # it was answered from the texts
        return {}
    chosen = choose(replace(state, route=None), runtime)
    return updated(chosen, state, runtime)


def records(state: State, runtime: Runtime[Context]) -> Update:
    """Query the records for every reading; where one gets no answer, take another way.

    A search begins here, so what an earlier reading of a resumed run left in the store goes.
    """
    with at_hand(runtime.context) as found:
        if isinstance(found, str):
            raise QuestionError(f"the records are gone ({found}): ask the question again")
        try:
            queried = _queried(state, found, runtime)
        except LimitReached as limit:
            return updated(limited(str(limit)), state, runtime)
        if isinstance(queried, Choice):
            return updated(queried, state, runtime)
        return book(queried, found, state, runtime.context)


def _queried(state: State, found: AtHand, runtime: Runtime[Context]) -> list[Queried] | Choice:
    """Run each reading's query; return the other way where one does not come to a result."""
    if state.route is None:
        raise QuestionError("nothing to query: no way was chosen")
    planned = {each.of: each.reply for each in state.route.planned}
    queried = []
    for reading in served(state):
        result = repaired(reading, planned[str(reading.number)], found, runtime)
        if isinstance(result, str):
            given_up = f"the records were asked, but {result}"
            choice = instead(given_up, replace(state, route=None), found.tables, runtime)
            left = choice.route.model_copy(update={"left": given_up})
            return replace(choice, route=left)
        reply, outcome = result
        queried.append((Planned(of=str(reading.number), reply=reply), outcome))
    return queried
