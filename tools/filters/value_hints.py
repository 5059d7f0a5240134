"""Hints on metadata: the values that a field has, where it lacks the one asked for."""

from collections.abc import Iterator
from itertools import islice

from agent.corpus import Field
from agent.predicates import NAME_FIELD, satisfies
from agent.question import Predicate
from tools.filters.metadata import PredicateArguments, canonical_field, field_values
from tools.filters.searchable import Searchable

__all__ = ("lacking",)

_VALUES_TOLD = 12
_NAMES_TOLD = 5


def lacking(corpus: Searchable, asked: PredicateArguments) -> Iterator[str]:
    """Yield a line for each alternative, or for the whole comparison, that no document satisfies.

    Nothing is yielded for a field that the corpus lacks: that is an error, not a hint.
    """
    field = canonical_field(corpus, asked.field)
    if field is None:
        return
    alternatives = asked.comparison in {"is", "contains"} and asked.of == "value"
    tests = [(value,) for value in asked.values] if alternatives else [asked.values]
    for values in tests:
        predicate = Predicate(field=field, comparison=asked.comparison, values=values, of=asked.of)
        if not any(satisfies(has, predicate) for has in field_values(corpus, field).values()):
            test = " ".join((asked.comparison, *map(repr, values)))
            yield f"{field!r} {test} holds of no document, {_told(corpus, field)}"


def _told(corpus: Searchable, name: str) -> str:
    if name == NAME_FIELD:
        shown = ", ".join(islice(corpus.documents, _NAMES_TOLD))
        return f"the documents are named like: {shown}"
    field = next(each for each in corpus.fields if each.name == name)
    return _range(corpus, field) or _values(field)


def _values(field: Field) -> str:
    shown = ", ".join(f"{value} ({count})" for value, count in field.values[:_VALUES_TOLD])
    more = field.distinct - _VALUES_TOLD
    return f"its values are: {shown}" + (f" and {more} more" if more > 0 else "")


def _range(corpus: Searchable, field: Field) -> str:
    """Return from where to where the field's numbers or dates go; empty for text."""
    values = corpus.field_values(field.name).values()
    if field.type == "number":
        numbers = sorted(has.number for has in values if has.number is not None)
        return f"it goes from {numbers[0]:g} to {numbers[-1]:g}" if numbers else ""
    if field.type == "date":
        dates = sorted(has.date for has in values if has.date is not None)
        return f"it goes from {dates[0]} to {dates[-1]}" if dates else ""
    return ""
