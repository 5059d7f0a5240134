"""The answer that records give: its number, the records behind it with their quotes, its bounds."""

from collections.abc import Iterator
from dataclasses import dataclass

from agent.answer import Answer, Completeness
from agent.errors import CorpusError, QuestionError
from agent.records.query_plan import Column
from agent.records.record_replies import QueryReply
from agent.state import State
from agent.units import is_share
from agent.value import counted
from graphs.answering.answers import ambiguity_of, read_as
from graphs.context import Context
from graphs.disambiguation.grouping import Served, served
from graphs.records.available_records import WHY_FAILED, AtHand, at_hand
from graphs.records.query_outcome import (
    LOOKED_BEYOND,
    Outcome,
    UnlikeValues,
    carried_out,
    written,
)
from graphs.records.record_entities import Shown, entities
from graphs.scope import ledger, scope

_NAMES = 3
_TIED = 5
_LISTED = 5000
"""Items of an answer that are listed at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A query of the records with its result."""

    reply: QueryReply
    outcome: Outcome
    found: AtHand


def recorded(state: State, context: Context, number: int = 0) -> Answer:
    """Build the answer to the interpretation of that number, which the records answered.

    Raises:
        QuestionError: they did not.
        CorpusError: the records have gone since.
    """
    planned = {each.of: each.reply for each in (state.route.planned if state.route else ())}
    by_number = {each.number: each for each in served(state)}
    if str(number) not in planned or number not in by_number:
        raise QuestionError(f"the records answered no interpretation {number}")
    with at_hand(context) as found:
        if isinstance(found, str):
            raise CorpusError(f"the records are gone ({found}): ask the question again")
        reply = planned[str(number)]
        result = Result(reply=reply, outcome=carried_out(reply, found), found=found)
        return _answer(by_number[number], result, state, context)


def _answer(asked: Served, result: Result, state: State, context: Context) -> Answer:
    outcome, found = result.outcome, result.found
    listed = outcome.items[:_LISTED]
    shown = entities(listed, outcome, found)
    told = f"computed from records: {result.reply.why}"
    settled = (*asked.interpretation.settled, told)
    steps = context.store.steps(scope(state))
    place = [each.number for each in served(state)].index(asked.number) + 1
    return Answer(
        question=state.question,
        status="answered",
        interpretation=read_as(asked.interpretation.model_copy(update={"settled": settled})),
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


def _unit(outcome: Outcome) -> str | None:
    """Return the value's unit; a share is held as a fraction of one, beside which % would lie."""
    return None if outcome.unit and is_share(outcome.unit) else outcome.unit


def completeness(outcome: Outcome, found: AtHand) -> Completeness:
    """Say what the tables cover; what was misread when they were filled, nothing here bounds."""
    told = [f"records of {found.read} of {counted(found.documents, 'document')}"]
    told += [f"{len(found.failed)} failed"] if found.failed else []
    told += [f"{len(found.partial)} read in part"] if found.partial else []
    told += [_filled(*each) for each in found.sparse(outcome.columns)]
    if outcome.doubtful:
        told.append(f"{counted(outcome.doubtful, 'row')} without what the question needs")
    return Completeness(method=f"no bound of what was misread: {', '.join(told)}")


def _filled(column: Column, filled: int, rows: int) -> str:
    return f"{column.kind}.{column.attribute} stated by {filled} of {counted(rows, 'row')}"


def warnings(outcome: Outcome, found: AtHand, shown: Shown, listed: int) -> tuple[str, ...]:
    """Return one sentence for each thing that whoever reads the answer should know or do.

    Args:
        outcome: the query's result.
        found: the records that were asked.
        shown: the entities of the answer.
        listed: how many of the outcome's items they are.
    """
    return (
        *_of_tables(found),
        *_of_rows(outcome, found),
        *_unproved(outcome, shown, listed),
    )


def _of_tables(found: AtHand) -> Iterator[str]:
    if found.failed:
        yield f"{_named(found.failed)} could not be read into records: {WHY_FAILED}"
    if found.partial:
        yield f"only parts of {_named(found.partial)} could be read into records: {WHY_FAILED}"
    unread = found.lacking - len(found.failed) - len(found.partial)
    if unread > 0:
        have = "has" if unread == 1 else "have"
        yield (
            f"{counted(unread, 'document')} {have} not been read into records yet: "
            "`headcount records fill` reads what is new"
        )


def _named(documents: tuple[str, ...]) -> str:
    """Say how many documents, and the first names.

    >>> _named(("b", "a")), _named(("a",))
    ('2 documents (a, b)', '1 document (a)')
    """
    more = ", …" if len(documents) > _NAMES else ""
    names = ", ".join(sorted(documents)[:_NAMES])
    return f"{counted(len(documents), 'document')} ({names}{more})"


def _of_rows(outcome: Outcome, found: AtHand) -> Iterator[str]:
    if outcome.doubtful:
        do, are = ("does", "is") if outcome.doubtful == 1 else ("do", "are")
        yield (
            f"{counted(outcome.doubtful, 'row')} {do} not state what the question needs and {are} "
            "left out: `headcount records show` says how full each column is"
        )
        yield from _refused(outcome, found)
    yield from map(_unlike, outcome.unlike)
    for said, held in dict.fromkeys(outcome.respelled):
        yield f"“{said}” was taken for “{held}” too: accents were set aside"
    if outcome.ties:
        yield _tied(outcome, found)


def _refused(outcome: Outcome, found: AtHand) -> Iterator[str]:
    """Say of which columns documents state values that could not be taken, with the first."""
    for column in outcome.columns:
        place = (column.kind, column.attribute)
        refused = [each for each in found.store.failures() if (each.kind, each.attribute) == place]
        if refused:
            first = refused[0]
            yield (
                f"{counted(len(refused), 'value')} of {column.kind}.{column.attribute} could not "
                f"be taken, as {first.original!r} of {first.document!r} ({first.reason}): "
                "`headcount records show` lists them"
            )


def _unlike(left: UnlikeValues) -> str:
    """Say what is in another unit than asked for: nothing is converted for which no rate is known.

    >>> column = Column(kind="lease", attribute="rent")
    >>> _unlike(UnlikeValues(column, ("EUR",), (("CHF", 2), ("JPY", 1))))  # doctest: +ELLIPSIS
    'only lease.rent in EUR was compared or computed with: 3 records state it in CHF, JPY, ...'
    """
    count = sum(values for _, values in left.others)
    others = ", ".join(unit for unit, _ in left.others)
    return (
        f"only {left.column.kind}.{left.column.attribute} in {' or '.join(left.wanted)} was "
        f"compared or computed with: {counted(count, 'record')} "
        f"{'states' if count == 1 else 'state'} it in {others}, which does not convert, and "
        f"{'counts' if count == 1 else 'count'} as not matching"
    )


def _tied(outcome: Outcome, found: AtHand) -> str:
    """Say what ties with the last place; the order of equals is chance."""
    tied = outcome.ties
    named = entities(tied[:_TIED], outcome, found).entities
    names = ", ".join(each.name for each in named) + (", …" if len(tied) > _TIED else "")
    count = f"{'at least ' if len(tied) == LOOKED_BEYOND else ''}{len(tied)} more"
    return (
        f"place {len(outcome.items)} is a tie: {count} with the same value "
        f"{written(tied[0].value)} {'is' if len(tied) == 1 else 'are'} left out ({names}): "
        "ask for more places to list them"
    )


def _unproved(outcome: Outcome, shown: Shown, listed: int) -> Iterator[str]:
    """Say what is not quoted or not listed."""
    if not outcome.of_records:
        yield (
            "the result comes from a free SQL statement, which does not say from which records, so "
            "there are no quotes: check the statement"
        )
    if outcome.several_units:
        yield (
            f"the free statement reads {', '.join(outcome.several_units)}, in which values are in "
            "several units that do not convert: check that it keeps them apart"
        )
    if outcome.linked.why:
        yield (
            f"the linked records that prove the result could not be looked up, so their quotes are "
            f"left out: {outcome.linked.why}"
        )
    if shown.left:
        stand = "stands" if shown.left == 1 else "stand"
        yield (
            f"{counted(shown.left, 'more record')} {stand} behind the result than are quoted: run "
            "the statement shown for all"
        )
    if len(outcome.items) > listed:
        yield (
            f"the first {counted(listed, 'item')} of {len(outcome.items)} are listed: ask a "
            "narrower question for the others"
        )
