"""The answer that records give: its number, the records behind it with their quotes, its bounds."""

from dataclasses import dataclass

from agent.answer import Answer
from agent.errors import CorpusError, QuestionError
from agent.records.record_replies import QueryReply
from agent.state import State
from graphs.answering.answers import ambiguity_of, read_as
from graphs.context import Context
from graphs.disambiguation.served import Served, served
from graphs.records.at_hand import AtHand, at_hand
from graphs.records.entities import entities
from graphs.records.querying import Outcome, carried_out
from graphs.records.told import completeness, warnings
from graphs.scope import ledger, scope
from tools.records.conversion import is_share

__all__ = ("recorded",)

_LISTED = 5000
"""Items of an answer that are listed at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a query of the records came to."""

    reply: QueryReply
    outcome: Outcome
    found: AtHand


def recorded(state: State, context: Context, number: int = 0) -> Answer:
    """Build the answer to the reading of that number, which the records answered.

    Raises:
        QuestionError: they did not.
        CorpusError: the records have gone since.
    """
    planned = {each.of: each.reply for each in (state.route.planned if state.route else ())}
    readings = {each.number: each for each in served(state)}
    if str(number) not in planned or number not in readings:
        raise QuestionError(f"the records answered no reading {number}")
    with at_hand(context) as found:
        if isinstance(found, str):
            raise CorpusError(f"the records are gone ({found}): ask the question again")
        reply = planned[str(number)]
        result = Result(reply=reply, outcome=carried_out(reply, found), found=found)
        return _answer(readings[number], result, state, context)


def _answer(reading: Served, result: Result, state: State, context: Context) -> Answer:
    outcome, found = result.outcome, result.found
    listed = outcome.items[:_LISTED]
    shown = entities(listed, outcome, found)
    told = f"computed from records: {result.reply.why}"
    settled = (*reading.interpretation.settled, told)
    steps = context.store.steps(scope(state))
    place = [each.number for each in served(state)].index(reading.number) + 1
    return Answer(
        question=state.question,
        status="answered",
        interpretation=read_as(reading.interpretation.model_copy(update={"settled": settled})),
        value=outcome.value,
        bounds=_bounds(outcome, found),
        unit=_unit(outcome),
        entities=shown.entities,
        completeness=completeness(outcome, found),
        coverage=ledger(state, context).coverage(),
        snapshots=(steps[place],),
        ambiguity=ambiguity_of(state),
        cost=state.cost,
        warnings=(*state.warnings, *warnings(outcome, found, shown, len(listed))),
        run=state.run,
    )


def _unit(outcome: Outcome) -> str | None:
    """Return the value's unit; a share is held as a fraction of one, beside which % would lie."""
    return None if outcome.unit and is_share(outcome.unit) else outcome.unit


def _bounds(outcome: Outcome, found: AtHand) -> tuple[float, float] | None:
    """Return what the number could be, given what records do not state.

    A document without records could hold any number of rows, but of a kind of which each document
    is one record only one. Whether a value in another unit than asked for fails, nobody knows.
    """
    value = outcome.value
    if value is None or isinstance(value, dict) or not outcome.of_records:
        return None
    if outcome.unlike and not outcome.only_more:
        return None
    if not outcome.doubtful and not found.lacking:
        return (value, value)
    one_each = all(each.grain == "document" for each in found.tables.schema.kinds)
    if not outcome.counts or not outcome.only_more or (found.lacking and not one_each):
        return None
    return (value, value + outcome.doubtful + found.lacking)
