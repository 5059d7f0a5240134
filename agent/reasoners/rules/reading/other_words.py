"""Words that no field has as a value: parts of values, unknown names, units, or left over."""

from agent.reasoners.rules.language.words import Token
from agent.reasoners.rules.reading.bound_amounts import bind_by_unit
from agent.reasoners.rules.reading.elements import Element
from agent.reasoners.rules.reading.field_tests import FieldTest
from agent.reasoners.rules.reading.reading import Pending, Reading
from agent.reasoners.rules.reading.roles import plays

__all__ = ("bind_partial", "take_other")


def take_other(reading: Reading, element: Element) -> None:
    """Bind a word that names nothing to what waits for one, or leave it over."""
    start = element.start
    if reading.pending is not None and reading.pending.cue.strength >= 2:
        if bind_partial(reading, reading.pending, start, element.end):
            return
        end = start
        while end < len(reading.tokens) and _proper(reading.tokens[end]):
            end += 1
        gap = reading.tokens[reading.pending.end : start]
        if end > start and all(token.function for token in gap):
            _unknown(reading, reading.pending, start, end)
            return
    if _proper(reading.tokens[start]) and _partial_by_role(reading, start):
        return
    if reading.waiting is not None:
        bound, begun = reading.waiting
        reading.waiting = None
        if bind_by_unit(reading, bound, begun, reading.tokens[start].low):
            return
    reading.others.extend(range(start, element.end))


def bind_partial(reading: Reading, pending: Pending, start: int, end: int) -> bool:
    """Bind words that are a part of the named field's items."""
    words = [token.low for token in reading.tokens[start:end]]
    fields = tuple(each for each in pending.cue.fields if reading.scene.labels.partial(each, words))
    if not fields:
        return False
    reading.pending = None
    value = " ".join(token.inner for token in reading.tokens[start:end])
    reading.record(FieldTest(fields, "contains", (value,), pending.start, end, named=True))
    return True


def _partial_by_role(reading: Reading, start: int) -> bool:
    """Bind a part of a name behind `from`, `by` or `to`: `from Ann`."""
    role = reading.role_before(start)
    words = [reading.tokens[start].low]
    for each in reading.scene.labels.fields:
        if role is not None and plays(each, role) and reading.scene.labels.partial(each, words):
            value = reading.tokens[start].inner
            reading.record(FieldTest((each,), "contains", (value,), start, start + 1, named=True))
            return True
    return False


def _unknown(reading: Reading, pending: Pending, start: int, end: int) -> None:
    """Bind a proper name that no document has in the named field."""
    value = " ".join(token.inner for token in reading.tokens[start:end])
    names = " or ".join(each.name for each in pending.cue.fields)
    reading.scene.assume(f"No document has “{value}” in {names}.")
    reading.pending = None
    reading.until = end
    reading.record(
        FieldTest(pending.cue.fields, "contains", (value,), pending.start, end, named=True)
    )


def _proper(token: Token) -> bool:
    return token.capital or token.kind == "quote"
