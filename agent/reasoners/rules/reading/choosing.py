"""The field of a value that is a value of several; the verbs and units a clause may spare."""

from collections.abc import Sequence
from typing import Final

from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    DETERMINERS,
    NEGATIONS,
    PREPOSITIONS,
    Token,
    low_at,
    stem,
)
from agent.reasoners.rules.reading.field_tests import FieldTest
from agent.reasoners.rules.reading.kinship import begins_alike, fuller, in_path
from agent.reasoners.rules.reading.labels import Hit
from agent.reasoners.rules.reading.roles import Role, is_place_verb, plays, role_of_verb
from agent.reasoners.rules.reading.scene import Scene

__all__ = ("choose_fields", "spared")

_FEW: Final = 12
_WANTING: Final = frozenset(
    stem(verb) for verb in ("need", "require", "ask", "demand", "want", "offer", "receive", "get")
)


def choose_fields(tests: Sequence[FieldTest], tokens: Sequence[Token], scene: Scene) -> None:
    """Settle the fields and items of every test whose value stands in several fields."""
    spoken = [role for token in tokens if (role := role_of_verb(token.low))]
    for test in tests:
        if test.hits:
            _choose(test, test.role or (spoken[0] if spoken else None), tokens, scene)


def _rank(hit: Hit, role: Role | None) -> tuple[bool, bool, bool, int, int]:
    played = role is not None and plays(hit.facts, role)
    field = hit.facts.field
    return (not played, not hit.exact, hit.facts.fact, field.distinct, -field.documents)


def _choose(test: FieldTest, role: Role | None, tokens: Sequence[Token], scene: Scene) -> None:
    ordered = sorted(test.hits, key=lambda hit: _rank(hit, role))
    best = ordered[0].facts
    others = sorted({hit.facts.name for hit in test.hits} - {best.name})
    test.fields = (best,)
    if test.named and others:
        test.fields = tuple(dict.fromkeys(hit.facts for hit in ordered))
    elif others and role is None:
        words = scene.words(tokens[test.start : test.end])
        scene.assume(
            f"“{words}” is taken as {best.name}; it is also a value of {', '.join(others)}."
        )
    test.quoted |= ordered[0].whole and tokens[test.end - 1].kind == "quote"
    for each in test.fields:
        own = [hit.item for hit in ordered if hit.facts is each]
        same = fuller(scene.labels, [each], ordered[0])
        test.items[each.name] = tuple(dict.fromkeys([*own, *same]))
    test.values = tuple(dict.fromkeys(item for items in test.items.values() for item in items))


def spared(
    index: int, others: Sequence[int], tests: Sequence[FieldTest], tokens: Sequence[Token]
) -> bool:
    """Tell whether a leftover word may be passed over: a verb before, a unit behind.

    Args:
        index: the word's place among the tokens.
        others: the places of all leftover words.
        tests: the tests found, in order.
        tokens: the clause.
    """
    following = [test for test in tests if test.start > index]
    if following and index == min(others) and not any(test.start < index for test in tests):
        return _verb_before(index, others, following[0], tokens)
    compared = {"at_least", "at_most", "more_than", "less_than", "between"}
    measured = [test for test in tests if test.comparison in compared]
    if (
        index == max(others)
        and not following
        and any(begins_alike(each, tokens[index]) for test in measured for each in test.fields)
    ):
        return True
    return any(test.end == index for test in measured)


def _verb_before(
    index: int, others: Sequence[int], first: FieldTest, tokens: Sequence[Token]
) -> bool:
    """Tell whether a word is the one verb that governs a field or a value."""
    if in_path(first.hits, tokens[index].low):
        return True
    gap = tokens[index + 1 : first.start]
    if _is_noun(index, tokens) or len(others) > 1 or not all(token.function for token in gap):
        return False
    if first.named and _light(tokens[index].low, counted=first.length):
        return True
    tail = any(not hit.whole and hit.size > 1 for hit in first.hits)
    bound = (first.named or tail) and first.comparison != "exists" and not first.length
    governed = any(token.low in AUXILIARIES for token in tokens[:index])
    return (bound and (first.named or not governed)) or _done_to(tokens[index], gap, first)


def _is_noun(index: int, tokens: Sequence[Token]) -> bool:
    """Tell whether a word stands where no verb does: `with X are …`, `a X in …`."""
    before = tokens[index - 1].low if index else ""
    after = low_at(tokens, index + 1)
    return before in (PREPOSITIONS | DETERMINERS) - {"to", "that"} and after in AUXILIARIES


def _light(word: str, *, counted: bool) -> bool:
    return stem(word) in _WANTING if counted else is_place_verb(word)


def _done_to(verb: Token, gap: Sequence[Token], first: FieldTest) -> bool:
    """Tell whether a verb says no more than how a value came about: `brought by Acme`.

    Of a field whose part is known (who made it, who got it) only the verbs of that part do.
    """
    if any(plays(each, role) for each in first.fields for role in ("maker", "receiver", "topic")):
        return False
    words = {token.low for token in gap}
    if not first.hits or not all(hit.whole for hit in first.hits):
        return False
    if "by" in words:
        return True
    light = is_place_verb(verb.low) and bool(words & {"in", "at", "on"})
    return light or (not words - DETERMINERS - NEGATIONS and _closed(first))


def _closed(test: FieldTest) -> bool:
    """Tell whether the value is one of a few that nearly every document has one of."""
    return all(
        each.label and each.field.distinct <= _FEW and each.field.type == "text"
        for each in test.fields
    ) and all(hit.exact for hit in test.hits)
