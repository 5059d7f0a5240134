"""Amounts of a clause, bound to the fields that they measure, date or count."""

from collections.abc import Sequence

from agent.reasoners.rules.language.bounds import Bound
from agent.reasoners.rules.language.comparisons import comparison_after, comparison_before
from agent.reasoners.rules.reading.bound_fields import settle
from agent.reasoners.rules.reading.dating import (
    dated_test,
    dated_values,
    is_dated_by,
    numbered_test,
)
from agent.reasoners.rules.reading.degree_amounts import aged, by_degree
from agent.reasoners.rules.reading.elements import Element
from agent.reasoners.rules.reading.facts import Facts
from agent.reasoners.rules.reading.field_tests import FieldTest
from agent.reasoners.rules.reading.kinship import fields_in, has_unit, in_unit_of, measures
from agent.reasoners.rules.reading.labels import Cue
from agent.reasoners.rules.reading.reading import Pending, Reading

__all__ = ("bind_amount", "bind_bound", "bind_by_unit", "count_of")


def bind_amount(reading: Reading, bound: Bound, element: Element) -> None:
    """Bind an amount to the field that its place or unit names, or let it wait for one."""
    if _numbers_documents(reading, bound, element):
        reading.record(numbered_test(bound, element.start, element.end, reading.scene))
    elif reading.pending is None and _by_degree(reading, bound, element):
        return
    elif bound.unit and _in_unit(reading, bound, element):
        reading.pending = None
    elif _counts_next(reading, bound):
        reading.pending = None
        _wait(reading, bound, element)
    elif reading.pending is not None and bind_bound(reading, reading.pending, bound, element):
        reading.pending = None
    elif (dated := _dated(reading, bound, element)) is not None:
        reading.record(dated)
        settle(reading, at_end=False)
    else:
        _wait(reading, bound, element)


def _numbers_documents(reading: Reading, bound: Bound, element: Element) -> bool:
    """Tell whether an amount is of the documents' own numbers: `numbered 7`, `a number of over 7`.

    In `a number of at least 7 hives` it counts what is named behind it.
    """
    words = [token.low for token in reading.tokens[max(0, element.start - 2) : element.start]]
    if words[-1:] == ["of"]:
        return words[0] == "number" and bound.explicit and not _counts_next(reading, bound)
    return bool(words) and words[-1] in {"numbered", "number", "numbers"}


def _by_degree(reading: Reading, bound: Bound, element: Element) -> bool:
    """Bind an amount to the field that the adjective beside it measures."""
    found = by_degree(reading.scene.labels, reading.tokens, element.start, bound)
    if found is None:
        return False
    field, told, end = found
    reading.until = end
    _take(reading, field, told, (element.start, end))
    return True


def _take(reading: Reading, field: Facts, bound: Bound, span: tuple[int, int]) -> None:
    words = reading.scene.words(reading.tokens[slice(*span)])
    reading.scene.assume(f"“{words}” is taken as {field.name}.")
    reading.record(FieldTest((field,), bound.comparison, bound.values, *span, named=True))


def _in_unit(reading: Reading, bound: Bound, element: Element) -> bool:
    """Bind an amount with a unit to the field named, else to the one measured in such."""
    if reading.pending is not None and bind_bound(reading, reading.pending, bound, element):
        return True
    fields = fields_in(reading.scene.labels, bound.unit, reading.tokens)
    if len(fields) != 1:
        return False
    reading.scene.assume(f"An amount in {bound.unit} is taken as {fields[0].name}.")
    after, reading.until = comparison_after(reading.tokens, element.end)
    told = in_unit_of(bound, fields)
    reading.record(
        FieldTest(
            fields, after or told.comparison, told.values, element.start, reading.until, named=True
        )
    )
    return True


def _wait(reading: Reading, bound: Bound, element: Element) -> None:
    """Keep an amount until the field that it counts is named."""
    if reading.waiting is not None:
        bind_by_unit(reading, *reading.waiting)
    reading.waiting = (bound, element.start)
    reading.until = bound.end


def _dated(reading: Reading, bound: Bound, element: Element) -> FieldTest | None:
    governor = _governor(reading, element.start)
    if bound.kind == "number" or not is_dated_by(governor, reading.scene):
        return None
    return dated_test(bound, reading.tokens, element.start, element.end, reading.scene)


def _governor(reading: Reading, start: int) -> str:
    """Return the word that a date depends on, where it has a meaning of its own; else nothing."""
    at = start - 1
    while at >= 0 and reading.tokens[at].function and reading.tokens[at].kind == "word":
        at -= 1
    return reading.tokens[at].low if at in reading.others else ""


def _counts_next(reading: Reading, bound: Bound) -> bool:
    """Tell whether the amount counts items of the field named right behind it."""
    if bound.kind == "date" or bound.end >= len(reading.tokens):
        return False
    cue = reading.scene.labels.cue(reading.tokens, bound.end)
    return cue is not None and cue.strength >= 2 and bound.kind == "number"


def bind_bound(reading: Reading, pending: Pending, bound: Bound, element: Element) -> bool:
    """Compare the pending field, or the count of its items, with an amount; tell whether it can."""
    fitting = tuple(each for each in pending.cue.fields if measures(each, bound))
    if fitting:
        dotted = all(each.dotted and each.field.type != "number" for each in fitting)
        bound = in_unit_of(dated_values(bound, fitting, reading.scene), fitting)
        comparison = bound.comparison
        if not bound.explicit or comparison == "is":
            after, reading.until = comparison_after(reading.tokens, element.end)
            before = comparison_before(reading.tokens, pending.start)
            comparison = after or before or comparison
        if comparison == "is" and dotted and not _itemised(fitting, bound):
            comparison = "contains"
        reading.record(
            FieldTest(fitting, comparison, bound.values, pending.start, element.end, named=True)
        )
        return True
    fields = tuple(each for each in pending.cue.fields if each.field.type == "list")
    if fields and bound.kind == "number" and pending.cue.strength >= 2 and bound.explicit:
        reading.record(
            FieldTest(
                fields, bound.comparison, bound.values, pending.start, element.end,
                length=True, named=True,
            )
        )  # fmt: skip
        return True
    return False


def count_of(reading: Reading, cue: Cue, element: Element) -> bool:
    """Bind `at least three` to the `authors` that follow."""
    numbers = tuple(each for each in cue.fields if each.field.type == "number")
    length = not numbers
    fields = numbers or tuple(each for each in cue.fields if each.field.type == "list")
    if reading.waiting is None or cue.strength < 2 or not fields:
        return False
    bound, start = reading.waiting
    reading.waiting = None
    after, reading.until = comparison_after(reading.tokens, element.end)
    reading.record(
        FieldTest(
            fields,
            after or bound.comparison,
            bound.values,
            start,
            reading.until,
            length=length,
            named=True,
        )
    )
    return True


def bind_by_unit(reading: Reading, bound: Bound, start: int, unit: str = "") -> bool:
    """Bind an amount by the word behind it; tell whether that word is its unit, if there is one."""
    fields = tuple(each for each in reading.scene.labels.fields if unit and has_unit(each, unit))
    if len(fields) != 1:
        if (found := aged(reading.scene.labels, reading.tokens, start, bound)) is not None:
            _take(reading, *found, (start, bound.end))
            return not unit
        reading.others.extend(range(start, bound.end))
        return False
    reading.scene.assume(f"An amount in {unit} is taken as {fields[0].name}.")
    reading.record(
        FieldTest(fields, bound.comparison, bound.values, start, bound.end + 1, named=True)
    )
    return True


def _itemised(fields: Sequence[Facts], bound: Bound) -> bool:
    return any(
        item.casefold() == value.casefold()
        for each in fields
        for item, _ in each.field.values
        for value in bound.values
    )
