"""Named fields, bound to the values before them or, without one, to a test of existence."""

from agent.reasoners.rules.language.words import AUXILIARIES
from agent.reasoners.rules.reading.elements import Element, Values
from agent.reasoners.rules.reading.field_tests import FieldTest
from agent.reasoners.rules.reading.labels import Cue
from agent.reasoners.rules.reading.reading import Pending, Reading
from agent.reasoners.rules.reading.roles import role_of_verb

__all__ = ("claim", "settle")


def claim(reading: Reading, cue: Cue, element: Element) -> bool:
    """Bind values that stand before the field's name: `high priority`, `X as an author`."""
    claimed = False
    end = element.start
    for test in reversed(reading.tests):
        value = Element(Values(test.hits), test.start, test.end)
        own = reading.own_hits(cue, element.start, test.hits, value)
        gap = range(test.end, end)
        if test.named or not own or any(index in reading.others for index in gap):
            break
        test.hits, test.named, claimed, end = own, True, True, test.start
        if not test.joint:
            break
    return claimed


def settle(reading: Reading, *, at_end: bool) -> None:
    """Turn a field named without a value into a test of existence, or let it go."""
    pending, reading.pending = reading.pending, None
    if pending is None:
        return
    fields = tuple(each for each in pending.cue.fields if each is not reading.scene.entity_field)
    if pending.cue.strength < 2:
        reading.others.extend(range(pending.start, pending.end))
    elif fields and (at_end or _possessed(reading, pending.start) or _participle(reading, pending)):
        reading.record(FieldTest(fields, "exists", (), pending.start, pending.end, named=True))
    elif fields and not _only_verb(reading, pending):
        reading.others.extend(range(pending.start, pending.end))


def _participle(reading: Reading, pending: Pending) -> bool:
    """Tell whether a passive verb names a field of persons: `were sponsored in 2015`."""
    before = reading.tokens[pending.start - 1].low if pending.start else ""
    word = reading.tokens[pending.start].low
    return before in AUXILIARIES and word.endswith("ed") and not _only_verb(reading, pending)


def _only_verb(reading: Reading, pending: Pending) -> bool:
    """Tell whether a field's name is but the clause's verb: `decided` by somebody."""
    dates = all(each.field.type == "date" for each in pending.cue.fields)
    return dates or role_of_verb(reading.tokens[pending.start].low) is not None


def _possessed(reading: Reading, start: int) -> bool:
    before = {token.low for token in reading.tokens[max(0, start - 2) : start]}
    return not before.isdisjoint({"have", "has", "had", "with", "a", "an", "any", "no", "without"})
