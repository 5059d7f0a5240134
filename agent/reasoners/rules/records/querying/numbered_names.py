"""Two columns told apart by a number at the end of their names, compared with each other."""

from agent.reasoners.rules.records.querying.adjectives import comparative_at
from agent.reasoners.rules.records.querying.clauses import Clauses
from agent.reasoners.rules.records.querying.numbers import after_leading
from agent.reasoners.rules.records.querying.phrases import name_words
from agent.records.query_plan import Column, Compare

__all__ = ("between_numbered",)


def between_numbered(clauses: Clauses, at: int) -> int | None:
    """Read `a lower fee in 2023 than in 2022`: two columns of one name compared."""
    reading = clauses.reading
    degree = comparative_at(reading.tokens, at)
    first = reading.mention_at(degree.end) if degree is not None else None
    if degree is None or first is None or reading.low(first.end) != "than":
        return None
    left = clauses.column(first.columns, ("integer", "number"))
    start = after_leading(reading.tokens, first.end + 1)
    named = reading.mention_at(start)
    right = clauses.column(named.columns, ("integer", "number")) if named is not None else None
    if left is not None and named is None:
        right = _sibling(clauses, left, reading.low(start))
    if left is None or right is None or left.kind != right.kind or left == right:
        return None
    end = named.end if named is not None else start + 1
    test = Compare(left=left, comparator=">" if degree.up else "<", column=right)
    clauses.add(left.kind, at, test)
    reading.use(at, end)
    return end


def _sibling(clauses: Clauses, column: Column, number: str) -> Column | None:
    """Return the column whose name differs from another's in the number at its end."""
    words = name_words(column.attribute)
    kind = clauses.reading.tables.schema.kind(column.kind)
    for attribute in kind.attributes if kind is not None else ():
        if words[-1].isdigit() and name_words(attribute.name) == (*words[:-1], number):
            return Column(kind=column.kind, attribute=attribute.name)
    return None
