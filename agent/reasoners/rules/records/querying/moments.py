"""Columns of time: which one a date or year in a question is about."""

from typing import Final

from agent.reasoners.rules.language.words import word_set
from agent.reasoners.rules.records.querying.bounds import Limit
from agent.reasoners.rules.records.querying.clauses import Clauses
from agent.reasoners.rules.records.querying.phrases import alike, name_words
from agent.records.query_plan import Column
from agent.records.record_schema import Attribute

__all__ = ("holds_time", "is_moment", "moment_column", "moments_of")

_TIMES: Final = word_set("date year time day month quarter since period founded established")
_FIRST_YEAR: Final = 1000
_LAST_YEAR: Final = 2200
_BEFORE: Final = 4


def is_moment(attribute: Attribute) -> bool:
    """Tell whether a column holds points in time: dates, or numbers called a year."""
    if attribute.type == "date":
        return True
    named = any(alike(word, each) >= 1 for word in name_words(attribute.name) for each in _TIMES)
    return named and attribute.type == "integer"


def moments_of(clauses: Clauses, kind: str, limit: Limit) -> list[Column]:
    """Return the columns of time of a kind that a date or year may be compared with."""
    reading = clauses.reading
    schema = reading.tables.schema.kind(kind)
    found = []
    for attribute in schema.attributes if schema is not None else ():
        column = Column(kind=kind, attribute=attribute.name)
        fits = is_moment(attribute) or _holds_years(clauses, column)
        if fits and (attribute.type == "date" or not limit.dated):
            found.append(column)
    return found


def holds_time(clauses: Clauses, column: Column) -> bool:
    """Tell whether a column holds points in time."""
    schema = clauses.reading.tables.schema.kind(column.kind)
    attribute = schema.attribute(column.attribute) if schema is not None else None
    named = attribute is not None and is_moment(attribute)
    return named or _holds_years(clauses, column)


def _holds_years(clauses: Clauses, column: Column) -> bool:
    """Tell whether all numbers of a column lie where years do."""
    facts = clauses.reading.facts_of(column)
    if facts is None or not isinstance(facts.least, int) or not isinstance(facts.most, int):
        return False
    return _FIRST_YEAR < facts.least <= facts.most < _LAST_YEAR and facts.least > 1500


def moment_column(clauses: Clauses, at: int, limit: Limit) -> Column | None:
    """Return the column of time meant: the one akin to the words before, else the only one."""
    if not (limit.dated or limit.may_be_year):
        return None
    near = [clauses.focus, clauses.base]
    near += [each.kind for each in reversed(clauses.found)]
    for kind in dict.fromkeys(near):
        columns = moments_of(clauses, kind, limit)
        spoken = [column for column in columns if _spoken(clauses, column, at)]
        if len(spoken or columns) == 1:
            column = (spoken or columns)[0]
            said = column.attribute.replace("_", " ")
            if not spoken:
                clauses.reading.notes.append(f"time is taken as the {said}")
            return column
        if columns:
            return None
    return None


def _spoken(clauses: Clauses, column: Column, at: int) -> bool:
    """Tell whether a word shortly before is akin to one of the column's: `opened`, `open_year`."""
    reading = clauses.reading
    before = [reading.low(step) for step in range(max(0, at - _BEFORE), at + 1)]
    words = [word for word in name_words(column.attribute) if word not in _TIMES]
    return any(alike(word, each) > 0 for word in words for each in before if len(each) > 2)
