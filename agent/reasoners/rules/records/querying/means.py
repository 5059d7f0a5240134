"""Conditions that compare a column with an average or an extreme of all its values."""

from typing import Final, Literal

from agent.reasoners.rules.records.querying.adjectives import superlative_at
from agent.reasoners.rules.records.querying.bounds import compared_word
from agent.reasoners.rules.records.querying.clauses import Clauses
from agent.reasoners.rules.records.querying.lexicon import Target
from agent.reasoners.rules.records.querying.limiting import by_adjective, rather_kind
from agent.reasoners.rules.records.querying.mentions import Mention
from agent.records.query_plan import Aggregate, Column, Comparator, Compare
from agent.records.record_schema import AttributeType

__all__ = ("adjective_and_mean", "extreme", "more_than_mean", "of_mean")

_NUMBERS: Final[tuple[AttributeType, ...]] = ("integer", "number")
_MEANS: Final[dict[str, Literal["avg", "median", "max", "min"]]] = {
    "average": "avg", "mean": "avg", "typical": "avg", "median": "median", "maximum": "max",
    "minimum": "min",
}  # fmt: skip
_MORE: Final = {
    "more": True, "higher": True, "larger": True, "fewer": False, "less": False, "lower": False,
}  # fmt: skip


def of_mean(clauses: Clauses, mention: Mention, at: int) -> int | None:
    """Read `above the average`, perhaps with the column's name again behind it."""
    reading = clauses.reading
    compared = compared_word(reading.tokens, at)
    if compared is None:
        return None
    comparator, step = compared
    step += reading.low(step) in {"the", "its", "their", "all"}
    operation = _MEANS.get(reading.low(step))
    column = clauses.column(mention.columns, _NUMBERS)
    if operation is None or column is None:
        return None
    end = step + 1
    again = reading.mention_at(end)
    if again is not None and any(_names(each, column) for each in again.columns):
        end = again.end
    aggregate = Aggregate(operation=operation, of=column, kind=column.kind)
    test = Compare(left=column, comparator=comparator, aggregate=aggregate)
    clauses.add(column.kind, mention.start, test)
    return end


def _names(target: Target, column: Column) -> bool:
    return (target.kind, target.attribute) == (column.kind, column.attribute)


def more_than_mean(clauses: Clauses, at: int) -> int | None:
    """Read `more pages than the average`: the column stands inside the comparison."""
    reading = clauses.reading
    mention = reading.mention_at(at + 1)
    if reading.low(at) not in _MORE or mention is None or reading.low(mention.end) != "than":
        return None
    step = mention.end + 1
    step += reading.low(step) in {"the", "its", "their"}
    operation = _MEANS.get(reading.low(step))
    column = clauses.column(mention.columns, _NUMBERS)
    if operation is None or column is None:
        return None
    aggregate = Aggregate(operation=operation, of=column, kind=column.kind)
    sign: Comparator = ">" if _MORE[reading.low(at)] else "<"
    clauses.add(column.kind, at, Compare(left=column, comparator=sign, aggregate=aggregate))
    reading.use(at, step + 1)
    return step + 1


def extreme(clauses: Clauses, at: int) -> int | None:
    """Read `the ship with the largest tonnage` as a condition: equal to the greatest of all."""
    reading = clauses.reading
    degree = superlative_at(reading.tokens, at) if reading.low(at - 1) != "at" else None
    mention = reading.mention_at(degree.end) if degree is not None else None
    column = clauses.column(mention.columns, _NUMBERS) if mention is not None else None
    if degree is None or mention is None or column is None or rather_kind(mention, column):
        return None
    operation: Literal["max", "min"] = "max" if degree.up else "min"
    aggregate = Aggregate(operation=operation, of=column, kind=column.kind)
    clauses.add(column.kind, at, Compare(left=column, comparator="=", aggregate=aggregate))
    reading.use(at, mention.end)
    return mention.end


def adjective_and_mean(clauses: Clauses, at: int) -> int | None:
    """Read `older than the average`: the adjective tells the column."""
    reading = clauses.reading
    compared = compared_word(reading.tokens, at)
    column = by_adjective(clauses, at) if compared is not None else None
    if compared is None or column is None:
        return None
    step = compared[1] + (reading.low(compared[1]) in {"the", "its", "their"})
    operation = _MEANS.get(reading.low(step))
    if operation is None:
        return None
    end = step + 1
    again = reading.mention_at(end)
    end = again.end if again is not None and _may_be(again, column) else end
    aggregate = Aggregate(operation=operation, of=column, kind=column.kind)
    clauses.add(column.kind, at, Compare(left=column, comparator=compared[0], aggregate=aggregate))
    reading.use(at, end)
    return end


def _may_be(mention: Mention, column: Column) -> bool:
    return any(_names(each, column) for each in mention.columns)
