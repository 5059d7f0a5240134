"""The answer that records give: its number, the records behind it with their quotes, its bounds."""

from dataclasses import dataclass

from agent.answer import Answer, Completeness
from agent.errors import CorpusError, QuestionError
from agent.records.replies import QueryReply
from agent.state import State
from graphs.answers import ambiguity_of, read_as
from graphs.context import Context
from graphs.querying import Outcome, carried_out
from graphs.records_at_hand import AtHand, at_hand_of
from graphs.records_entities import Shown, entities
from graphs.scope import ledger, scope
from graphs.served import Served, served

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
    with at_hand_of(context) as found:
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
    assumptions = (*reading.interpretation.assumptions, told)
    steps = context.store.steps(scope(state))
    place = [each.number for each in served(state)].index(reading.number) + 1
    return Answer(
        question=state.question,
        status="answered",
        interpretation=read_as(
            reading.interpretation.model_copy(update={"assumptions": assumptions})
        ),
        value=outcome.value,
        bounds=_bounds(outcome, found),
        unit=outcome.unit,
        entities=shown.entities,
        completeness=_completeness(outcome, found),
        coverage=ledger(state, context).coverage(),
        snapshots=(steps[place],),
        ambiguity=ambiguity_of(state),
        cost=state.cost,
        warnings=(*state.warnings, *_warnings(outcome, found, shown)),
        run=state.run,
    )


def _bounds(outcome: Outcome, found: AtHand) -> tuple[float, float] | None:
    """Return what the number could be, given what records do not state.

    A document without records could hold any number of rows, but of a kind of which each document
    is one record only one.
    """
    value = outcome.value
    if value is None or isinstance(value, dict) or not outcome.of_records:
        return None
    if not outcome.doubtful and not found.lacking:
        return (value, value)
    one_each = all(each.grain == "document" for each in found.tables.schema.kinds)
    if not outcome.counts or not outcome.only_more or (found.lacking and not one_each):
        return None
    return (value, value + outcome.doubtful + found.lacking)


def _completeness(outcome: Outcome, found: AtHand) -> Completeness:
    """Say what the tables cover; what was misread when they were filled, nothing here bounds."""
    told = [f"records of {found.read} of {found.documents} documents"]
    told += [f"{len(found.failed)} failed"] if found.failed else []
    told += [f"{len(found.partial)} read in part"] if found.partial else []
    told += [
        f"{column.kind}.{column.attribute} stated by {filled} of {rows} rows"
        for column, filled, rows in found.sparse(outcome.columns)
    ]
    if outcome.doubtful:
        told.append(f"{outcome.doubtful} rows lack what the question needs")
    return Completeness(method=f"no bound of what was misread: {', '.join(told)}")


def _warnings(outcome: Outcome, found: AtHand, shown: Shown) -> tuple[str, ...]:
    told = []
    if any(each.startswith("rules") for each in shown.readers):
        told.append("records read by the embedded rules, not by a language model: check the quotes")
    if found.failed:
        told.append(f"{_named(found.failed)} could not be read into records")
    if found.partial:
        told.append(f"{_named(found.partial)} read into records in part only, the rest failed")
    unread = found.lacking - len(found.failed) - len(found.partial)
    if unread > 0:
        told.append(f"{unread} documents have not been read into records: `headcount records fill`")
    return (*told, *_unproved(outcome, shown))


def _named(documents: tuple[str, ...]) -> str:
    """Say how many documents, and the first names.

    >>> _named(("b", "a"))
    '2 documents (a, b)'
    """
    more = ", …" if len(documents) > 3 else ""
    return f"{len(documents)} documents ({', '.join(sorted(documents)[:3])}{more})"


def _unproved(outcome: Outcome, shown: Shown) -> list[str]:
    """Say what is left out, not quoted or not listed."""
    told = []
    if outcome.doubtful:
        told.append(
            f"{outcome.doubtful} rows do not state what the question needs and are left out"
        )
    if not outcome.of_records:
        told.append("a statement that no plan can say: it names no records, so there are no quotes")
    if outcome.linked.why:
        told.append(f"linked records that prove it could not be found: {outcome.linked.why}")
    if shown.left:
        told.append(f"{shown.left} more records stand behind it than are quoted")
    if len(outcome.items) > _LISTED:
        told.append(f"{len(outcome.items) - _LISTED} items are not listed")
    return told
