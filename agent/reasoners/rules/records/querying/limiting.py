"""Amounts that limit a column named behind them, by an adjective, by a unit, or by time."""

from collections.abc import Iterator
from typing import Final

from agent.reasoners.rules.judging.quantity import normal_unit
from agent.reasoners.rules.language.units import is_unit
from agent.reasoners.rules.language.words import PREPOSITIONS
from agent.reasoners.rules.records.querying.adjectives import comparative_at, superlative_at
from agent.reasoners.rules.records.querying.bounds import Limit, limit_at, test_of
from agent.reasoners.rules.records.querying.clauses import Clauses
from agent.reasoners.rules.records.querying.mentions import Mention
from agent.reasoners.rules.records.querying.mixed_units import in_its_unit
from agent.reasoners.rules.records.querying.moments import moment_column
from agent.reasoners.rules.records.querying.phrases import alike, name_words
from agent.records.query_plan import Column, Test
from agent.records.record_schema import Attribute, AttributeType

__all__ = ("by_adjective", "limit_test", "limited", "rate_behind", "rather_kind")

_NUMBERS: Final[tuple[AttributeType, ...]] = ("integer", "number")


def limited(clauses: Clauses, at: int) -> int | None:
    """Read an amount whose column stands behind it, in an adjective, or is one of time."""
    reading = clauses.reading
    limit = limit_at(reading, at)
    if limit is None:
        return None
    for column, end in _columns(clauses, at, limit):
        clauses.add(column.kind, at, limit_test(clauses, column, limit))
        reading.use(at, max(end, limit.end))
        return max(end, limit.end)
    return None


def limit_test(clauses: Clauses, column: Column, limit: Limit) -> Test:
    """Return the test of a column that a limit sets, in the column's unit or in its own."""
    schema = clauses.reading.tables.schema
    kind = schema.kind(column.kind)
    attribute = kind.attribute(column.attribute) if kind is not None else None
    mixed = schema.units_of(column.kind, column.attribute)
    own = in_its_unit(clauses.reading, column, limit, mixed) if mixed is not None else None
    return own or test_of(column, limit, attribute)


def rather_kind(mention: Mention, column: Column) -> bool:
    """Tell whether the words rather mean a kind than the column that could be measured."""
    strength = max(each.strength for each in mention.columns if each.attribute == column.attribute)
    return mention.targets[0].attribute is None and strength < mention.strength


def _columns(clauses: Clauses, at: int, limit: Limit) -> Iterator[tuple[Column, int]]:
    """Yield the columns that an amount may limit, the surest first, and where each name ends.

    Behind the amount (`20 floors`, `1000 hours of training`), in a comparative (`older`), by a
    unit, as a point in time.
    """
    timed = limit.dated or limit.may_be_year
    rate = rate_behind(clauses, limit)
    if rate is not None:
        yield rate
    behind = None if timed else _behind(clauses, limit)
    if behind is not None:
        yield behind
    for find in (_measuring, _by_unit, moment_column, _otherwise):
        column = find(clauses, at, limit)
        if column is not None:
            yield column, limit.end


def rate_behind(clauses: Clauses, limit: Limit) -> tuple[Column, int] | None:
    """Return the column of numbers that an amount is a rate of: `$40 a night` and `nightly fee`."""
    reading = clauses.reading
    mention = reading.mention_at(limit.end + 1)
    if reading.low(limit.end) not in {"a", "an", "per", "each"} or mention is None:
        return None
    column = clauses.column(mention.columns, _NUMBERS)
    unlike = column is None or _other_unit(clauses, column, limit)
    return None if unlike or column is None or mention.kinds else (column, mention.end)


def _other_unit(clauses: Clauses, column: Column, limit: Limit) -> bool:
    schema = clauses.reading.tables.schema.kind(column.kind)
    attribute = schema.attribute(column.attribute) if schema is not None else None
    unit = normal_unit(attribute.unit) if attribute is not None else None
    said = normal_unit(limit.unit or None)
    return bool(unit and said) and unit != said


def _measuring(clauses: Clauses, at: int, _: Limit) -> Column | None:
    return by_adjective(clauses, at)


def _behind(clauses: Clauses, limit: Limit) -> tuple[Column, int] | None:
    mention = clauses.reading.mention_at(_content_after(clauses, limit.end))
    mention = clauses.reading.mention_at(limit.end - 1) or mention
    column = clauses.column(mention.columns, _NUMBERS) if mention is not None else None
    if mention is None or column is None or rather_kind(mention, column):
        return None
    return column, mention.end


def _otherwise(clauses: Clauses, at: int, limit: Limit) -> Column | None:
    if limit.dated or not limit.explicit:
        return None
    return _left_behind(clauses, at) or _age(clauses)


def _content_after(clauses: Clauses, at: int) -> int:
    while clauses.reading.low(at) in PREPOSITIONS | {"the", "a", "an"} and at < len(
        clauses.reading.tokens
    ):
        at += 1
    return at


def by_adjective(clauses: Clauses, at: int) -> Column | None:
    """Return the column that a comparative measures: `age` of `older than 56`."""
    reading = clauses.reading
    start = at + (reading.low(at) == "not")
    degree = comparative_at(reading.tokens, start)
    measures = degree.measures if degree is not None else ()
    for kind in _at_hand(clauses):
        schema = reading.tables.schema.kind(kind)
        for attribute in schema.attributes if schema is not None else ():
            words = name_words(attribute.name)
            if attribute.type in _NUMBERS and any(
                alike(word, each) >= 1 for word in words for each in measures
            ):
                return Column(kind=kind, attribute=attribute.name)
    return None


def _by_unit(clauses: Clauses, _: int, limit: Limit) -> Column | None:
    """Return the only column of numbers with the unit that an amount is written with."""
    wanted = normal_unit(limit.unit or None)
    schema = clauses.reading.tables.schema.kind(clauses.focus)
    found = [
        Column(kind=clauses.focus, attribute=each.name)
        for each in (schema.attributes if schema is not None and wanted else ())
        if each.type in _NUMBERS and wanted in _units(clauses, each)
    ]
    return found[0] if len(found) == 1 else None


def _units(clauses: Clauses, attribute: Attribute) -> set[str | None]:
    """Return the units that a column's numbers are in, as they are compared."""
    mixed = clauses.reading.tables.schema.units_of(clauses.focus, attribute.name)
    written = mixed.units if mixed is not None else (attribute.unit,)
    return {*map(normal_unit, written), _unit_in_name(attribute.name)}


def _at_hand(clauses: Clauses) -> list[str]:
    """Return the kinds spoken of, and those of which each of their rows has one."""
    near = [clauses.focus, clauses.base]
    hops = [hop for kind in near for hop in clauses.reading.paths.neighbours(kind)]
    return list(dict.fromkeys([*near, *(hop.kind for hop in hops if hop.forward)]))


def _unit_in_name(name: str) -> str | None:
    """Return the unit at the end of a column's name: `kg` of `weight_kg`."""
    last = name_words(name)[-1]
    return normal_unit(last) if is_unit(last) else None


def _age(clauses: Clauses) -> Column | None:
    """Return the age of the kind spoken of, which a bare amount bounds: `players over 30`."""
    schema = clauses.reading.tables.schema.kind(clauses.focus)
    for attribute in schema.attributes if schema is not None else ():
        if attribute.type in _NUMBERS and name_words(attribute.name)[-1] == "age":
            clauses.reading.notes.append("the amount is taken as an age")
            return Column(kind=clauses.focus, attribute=attribute.name)
    return None


def _left_behind(clauses: Clauses, at: int) -> Column | None:
    """Return a number column named shortly before, of which nothing else was said."""
    reading = clauses.reading
    for mention in reversed(reading.mentions):
        near = at - 5 <= mention.end <= at
        if near and mention.start not in reading.used and mention.columns:
            column = clauses.column(mention.columns, _NUMBERS)
            if column is not None and superlative_at(reading.tokens, mention.start) is None:
                reading.use(mention.start, mention.end)
                return column
    return None
