"""The rule for prompt `query`: a question becomes a plan over the tables, or an abstention."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from agent.reasoners.rules.reading.question_words import asks
from agent.reasoners.rules.records.querying.assembling import Condition, Unlinked, assemble
from agent.reasoners.rules.records.querying.combining import combined
from agent.reasoners.rules.records.querying.conditions import read_conditions
from agent.reasoners.rules.records.querying.frequent import frequent
from agent.reasoners.rules.records.querying.grouping import find_group
from agent.reasoners.rules.records.querying.groupwise import (
    denied_of_groups,
    held_in_groups,
    none_in_groups,
)
from agent.reasoners.rules.records.querying.leftovers import left_over
from agent.reasoners.rules.records.querying.listing import listed
from agent.reasoners.rules.records.querying.mentions import says
from agent.reasoners.rules.records.querying.reading import Reading, read_words
from agent.reasoners.rules.records.querying.shape import (
    Shape,
    aggregated,
    counted,
    grouped,
    share_of,
)
from agent.reasoners.rules.records.querying.wording import reworded
from agent.reasoners.rules.records.querying.written_amounts import in_figures
from agent.records.query_plan import Combination, Plan, Query
from agent.records.record_replies import QueryReply
from agent.records.record_schema import Tables

__all__ = ("query",)


def query(values: Mapping[str, object]) -> QueryReply:
    """Return a plan for the question, or say what the tables lack.

    A question of which a word that matters is linked to nothing is not answered: a plan that
    leaves a condition out counts too much.
    """
    question, tables = str(values["question"]), cast("Tables", values["tables"])
    if values.get("error"):
        return _abstain("the rules know no other plan than the one that failed", "")
    written = in_figures(question)
    return combined(written, tables, _single) or _single(written, tables)


def _single(question: str, tables: Tables) -> QueryReply:
    """Plan a question for one number, groups of numbers, or rows."""
    reading = read_words(reworded(question), tables)
    group = find_group(reading)
    shape = share_of(reading) or frequent(reading) or counted(reading)
    shape = shape or aggregated(reading) or listed(reading)
    if shape is not None and group is not None:
        shape = grouped(reading, shape, group)
    if shape is None:
        return _abstain("what is asked for is not a kind or column of the tables", _first(reading))
    return _planned(reading, shape)


def _planned(reading: Reading, shape: Shape) -> QueryReply:
    conditions = read_conditions(reading, shape.base)
    missing = reading.missing + left_over(reading)
    if missing:
        return _abstain("no column or value for what is asked", ", ".join(dict.fromkeys(missing)))
    try:
        denied = denied_of_groups(reading, shape, conditions)
        of_groups = none_in_groups if denied else held_in_groups
        held = of_groups(reading, shape, conditions)
        if held is None:
            return _abstain("no plan tells of groups what is asked of them", "groups by their rows")
        shape, conditions = held
        plan = _whole(reading, shape, conditions)
    except Unlinked as found:
        return _abstain(f"no link leads from {shape.base} to {found.kind}", found.kind)
    return QueryReply(why=_why(reading, shape), answerable=True, missing="", plan=plan, sql=None)


def _whole(reading: Reading, shape: Shape, conditions: Sequence[Condition]) -> Plan:
    """Return the plan; a share and a mean count are one count divided by another."""
    made = _plan(reading, shape, conditions)
    if shape.share:
        return Combination(operator="/", left=made, right=_plan(reading, shape, ()))
    if shape.spread:
        least = _plan(reading, replace(shape, operation="min"), conditions)
        return Combination(operator="-", left=made, right=least)
    if shape.per is not None:
        rows = Query(kind=shape.per, operation="count")
        return Combination(operator="/", left=made, right=rows)
    return made


def _plan(reading: Reading, shape: Shape, conditions: Sequence[Condition]) -> Query:
    liked = reading.named_kinds()
    where = assemble(shape.base, conditions, reading.paths, liked)
    return Query(
        kind=shape.base,
        where=where,
        operation=shape.operation,
        measure=shape.measure,
        distinct=shape.distinct,
        group_by=shape.group_by,
        having=shape.having,
        change=shape.change,
        order=shape.order,
        limit=shape.limit,
        show=shape.show,
    )


def _why(reading: Reading, shape: Shape) -> str:
    measure = f" of {shape.measure.attribute}" if shape.measure is not None else ""
    told = f"{shape.operation}{measure} over {shape.base} records"
    assumed = "; ".join(dict.fromkeys(reading.notes))
    return f"{told}. Assumed: {assumed}." if assumed else f"{told}."


def _first(reading: Reading) -> str:
    """Return the words asked for that nothing in the tables is named by."""
    named = {at for each in reading.mentions for at in range(each.start, each.end)}
    said = (
        token.text
        for at, token in enumerate(reading.tokens)
        if at not in named and says(token) and not asks(token.low)
    )
    return " ".join(said)[:80]


def _abstain(why: str, missing: str) -> QueryReply:
    return QueryReply(why=f"{why[:1].upper()}{why[1:]}.", answerable=False, missing=missing,
                      plan=None, sql=None)  # fmt: skip
