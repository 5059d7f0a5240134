"""Conditions on groups of rows that share a value: owners with several boats, or with none."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.reasoners.rules.records.querying.assembling import Condition, assemble
from agent.reasoners.rules.records.querying.conditions import DENYING
from agent.reasoners.rules.records.querying.identity import naming_columns, tells_apart
from agent.reasoners.rules.records.querying.mentions import says
from agent.reasoners.rules.records.querying.phrases import alike, name_words
from agent.reasoners.rules.records.querying.reading import Reading
from agent.reasoners.rules.records.querying.shape import Shape
from agent.records.query_plan import Column, Having

__all__ = ("denied_of_groups", "held_in_groups", "none_in_groups")

_ASKED: Final = ("list", "count_distinct")


def held_in_groups(
    reading: Reading, shape: Shape, conditions: Sequence[Condition]
) -> tuple[Shape, list[Condition]] | None:
    """Return the shape and conditions with a number of the rows themselves told of their groups.

    `Owners with more than one boat`, where the owner is a column of the boats. None where such a
    number is asked for and no plan can say it.
    """
    rows = [each for each in conditions if each.kind == shape.base and _numbered(each)]
    rest = [each for each in conditions if each not in rows]
    if not rows:
        return shape, rest
    column = _valued(reading, shape)
    joined = any(each.scope or each.group for each in rows)
    if column is None or joined:
        return None
    having = tuple(test for each in rows for test in _counts(each))
    grouped = _grouped(shape, column, having)
    return (replace(grouped, operation="count") if shape.operation == "list" else grouped), rest


def none_in_groups(
    reading: Reading, shape: Shape, conditions: Sequence[Condition]
) -> tuple[Shape, list[Condition]] | None:
    """Return the shape of groups of which no row is what is denied, and no further condition.

    `Owners with no cutter`, where the owner is a column of the boats.

    None where other conditions stand beside it: whether those are of one row or of all rows of a
    group, the words do not tell.

    Raises:
        Unlinked: a kind cannot be reached.
    """
    column = _valued(reading, shape)
    if column is None or not all(each.scope for each in conditions):
        return None
    liked = reading.named_kinds()
    having = []
    for scope in dict.fromkeys(each.scope for each in conditions):
        denied = [replace(each, scope=0) for each in conditions if each.scope == scope]
        test = assemble(shape.base, denied, reading.paths, liked)
        having.append(Having(operation="count", comparator="=", number=0, where=test))
    return _grouped(shape, column, having), []


def _grouped(shape: Shape, column: Column, having: Sequence[Having]) -> Shape:
    """List the groups that pass: their number is that of the list."""
    made = replace(shape, operation="list", group_by=(column,), having=tuple(having))
    return replace(made, distinct=(), show=())


def denied_of_groups(reading: Reading, shape: Shape, conditions: Sequence[Condition]) -> bool:
    """Tell whether what is denied must hold of no row of a group: `owners with no cutter`.

    A row that is no cutter does not show that; `owners of boats that are no cutters` asks for it.
    """
    column = _valued(reading, shape)
    if column is None or not any(each.scope for each in conditions):
        return False
    if alike(name_words(column.attribute)[-1], name_words(shape.base)[-1]) >= 1:
        return True
    first = next((at for at, each in enumerate(reading.tokens) if each.low in DENYING), 0)
    return not _rows_before(reading, shape.base, first) and not any(
        mention.end <= first and any(each.kind == shape.base for each in mention.kinds)
        for mention in reading.mentions
    )


def _rows_before(reading: Reading, base: str, at: int) -> bool:
    """Tell whether the noun before a denial is the kind's: `valleys of orchards that are not`."""
    noun = next((reading.low(step) for step in range(at - 1, -1, -1)
                 if says(reading.tokens[step])), "")  # fmt: skip
    return bool(noun) and alike(noun, name_words(base)[-1]) >= 1


def _numbered(condition: Condition) -> bool:
    return condition.at_least != 1 or condition.at_most is not None


def _valued(reading: Reading, shape: Shape) -> Column | None:
    """Return the column whose different values are asked for, unless each row has its own."""
    columns = shape.distinct or shape.show
    kind = reading.tables.schema.kind(shape.base)
    if shape.operation not in _ASKED or shape.order or len(columns) != 1 or kind is None:
        return None
    named = columns[0] in naming_columns(reading.tables, kind)
    return None if named and tells_apart(reading.tables, columns[0]) else columns[0]


def _counts(condition: Condition) -> list[Having]:
    most, least = condition.at_most, condition.at_least
    found = [Having(operation="count", comparator=">=", number=least)] if least > 1 else []
    if most is not None:
        found.append(Having(operation="count", comparator="<=", number=most))
    return found
