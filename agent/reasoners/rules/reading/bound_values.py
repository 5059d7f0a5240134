"""Values of a clause, bound to the fields that are named or that they speak of."""

from agent.reasoners.rules.language.bounds import Bound
from agent.reasoners.rules.language.comparisons import comparison_before
from agent.reasoners.rules.language.words import akin
from agent.reasoners.rules.reading.bound_amounts import bind_bound
from agent.reasoners.rules.reading.bound_fields import settle
from agent.reasoners.rules.reading.elements import Element, Values
from agent.reasoners.rules.reading.field_tests import FieldTest
from agent.reasoners.rules.reading.labels import Cue, Hit
from agent.reasoners.rules.reading.other_words import bind_partial, take_other
from agent.reasoners.rules.reading.reading import Pending, Reading
from agent.reasoners.rules.reading.roles import Role, plays

__all__ = ("bind_values",)


def bind_values(reading: Reading, hits: tuple[Hit, ...], element: Element) -> None:
    """Bind a value to the field that is named, or else to those that it speaks of by itself."""
    if reading.pending is not None and _bind_value(reading, reading.pending, hits, element):
        return
    if reading.pending is None and _self_named(reading, hits, element):
        return
    previous = reading.tests[-1] if reading.tests and reading.joint else None
    if previous is not None and previous.named:
        shared = tuple(
            hit
            for hit in hits
            if hit.facts in previous.fields or hit.facts in {each.facts for each in previous.hits}
        )
        if shared:
            reading.record(
                FieldTest((), "is", (), element.start, element.end, hits=shared, named=True)
            )
            return
    role = reading.role_before(element.start) or (previous.role if previous is not None else None)
    fit = tuple(hit for hit in hits if _speaks(reading, hit, element, role))
    if not fit:
        take_other(reading, element)
        return
    settle(reading, at_end=False)
    reading.record(FieldTest((), "is", (), element.start, element.end, hits=fit, role=role))


def _self_named(reading: Reading, hits: tuple[Hit, ...], element: Element) -> bool:
    """Bind a value that names its field itself: `MIT License`, `MIT-licensed`."""
    run = reading.tokens[element.start : element.end]
    for hit in hits:
        naming = [token for token in run if any(akin(token.low, each) for each in hit.facts.words)]
        core = [token for token in run if token not in naming]
        if core and naming and hit.whole:
            cue = Cue((hit.facts,), 2, 1)
            found = reading.scene.labels.hits(core, 0)
            value = Element(Values(tuple(found)), element.start, element.start + len(core))
            at = reading.tokens.index(naming[0])
            whole = reading.own_hits(cue, at, tuple(found), element)
            own = (*reading.own_hits(cue, at, tuple(found), value), *whole, *hits)
            reading.record(
                FieldTest((), "is", (), element.start, element.end, hits=own, named=True)
            )
            return True
    return False


def _bind_value(
    reading: Reading, pending: Pending, hits: tuple[Hit, ...], element: Element
) -> bool:
    if (number := _version_of(reading, pending, hits, element)) is not None:
        bind_bound(reading, pending, number, element)
        reading.pending = None
        return True
    own = reading.own_hits(pending.cue, pending.start, hits, element)
    if own:
        reading.pending = None
        exact = pending.cue.strength == 3 and any(hit.exact and hit.whole for hit in own)
        reading.record(
            FieldTest((), "is", (), pending.start, element.end, hits=own, named=True, quoted=exact)
        )
        return True
    if pending.cue.strength < 2 or any(hit.exact and hit.facts.label for hit in hits):
        return False
    return bind_partial(reading, pending, element.start, element.end)


def _version_of(
    reading: Reading, pending: Pending, hits: tuple[Hit, ...], element: Element
) -> Bound | None:
    """Read `Python 3.10` after `require` as the named field's number."""
    words = [token.low for token in reading.tokens[element.start : element.end]]
    fields = [each for each in pending.cue.fields if each.dotted and words[0] in each.words]
    numeric = len(words) == 2 and words[1].replace(".", "").isdigit()
    if not fields or not numeric or any(hit.facts in pending.cue.fields for hit in hits):
        return None
    comparison = comparison_before(reading.tokens, element.start) or "is"
    return Bound(comparison, (words[1],), "number", element.end, explicit=True)


def _speaks(reading: Reading, hit: Hit, element: Element, role: Role | None) -> bool:
    """Tell whether a value may be meant although its field is not named."""
    first = reading.tokens[element.start]
    left_out = reading.excepting and hit.facts.field.type != "list"
    if (hit.facts is reading.scene.entity_field and not left_out) or first.text.isdigit():
        return False
    if not hit.whole:
        return True
    if hit.facts.label and hit.facts.field.documents >= 0.05 * reading.scene.labels.documents:
        return True
    if role is not None and plays(hit.facts, role):
        return True
    proper = first.kind == "quote" or (first.capital and hit.size > 1)
    return proper and hit.whole
