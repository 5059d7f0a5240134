"""The field of a value that is a value of several; the verbs and units a clause may spare."""

from collections.abc import Sequence

from agent.reasoners.rules.field_tests import FieldTest
from agent.reasoners.rules.kinship import fuller, in_path
from agent.reasoners.rules.labels import Hit
from agent.reasoners.rules.roles import Role, plays, role_of_verb
from agent.reasoners.rules.scene import Scene
from agent.reasoners.rules.words import AUXILIARIES, Token

__all__ = ("choose_fields", "spared")


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
    return any(test.end == index and test.comparison in compared for test in tests)


def _verb_before(
    index: int, others: Sequence[int], first: FieldTest, tokens: Sequence[Token]
) -> bool:
    """Tell whether a word is the one verb that governs a field named with its value."""
    if in_path(first.hits, tokens[index].low):
        return True
    tail = any(not hit.whole and hit.size > 1 for hit in first.hits)
    bound = (first.named or tail) and first.comparison != "exists" and not first.length
    governed = any(token.low in AUXILIARIES for token in tokens[:index])
    gap = tokens[index + 1 : first.start]
    alone = len(others) == 1 and all(token.function for token in gap)
    return bound and not governed and alone
