"""Restrictions of the entity: clauses split where they are joined, each read as far as it goes."""

import re
from collections.abc import Sequence
from typing import Final

from agent.errors import QuestionError
from agent.question import Node
from agent.reasoners.rules.language.words import AUXILIARIES, DETERMINERS, RELATIVES, Token
from agent.reasoners.rules.reading.content import has_content, has_mention, trimmed
from agent.reasoners.rules.reading.draft import all_of, any_of, either_of, negated
from agent.reasoners.rules.reading.joints import split_at_joints
from agent.reasoners.rules.reading.mentions import mention_at
from agent.reasoners.rules.reading.metadata import decide
from agent.reasoners.rules.reading.scene import Scene
from agent.reasoners.rules.reading.sharing import denied_objects, is_sure_verb
from agent.reasoners.rules.reading.statement import statement
from agent.reasoners.rules.reading.verbs import main_verb, verb_like

__all__ = ("restriction",)

_FINITE: Final = frozenset({"is", "are", "was", "were", "has", "have", "had"})
_PLACING: Final = frozenset({"in", "at", "within", "outside", "beyond"})


def restriction(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read what restricts the entity: a clause, or several joined ones; None for nothing."""
    relative = bool(tokens) and tokens[0].low in RELATIVES
    one = _one_of_two(tokens, scene)
    tokens = trimmed(tokens, scene)
    if one is not None or not has_content(tokens):
        return one
    listed = _clausal(tokens, scene)
    if listed is not None:
        return listed
    if (without := denied_objects(tokens)) is not None and not has_mention(tokens):
        kept, gone = (restriction(part, scene) for part in without)
        if kept is not None and gone is not None and not _decided(tokens, scene):
            return all_of([kept, negated(gone)])
    if not has_mention(tokens):
        decision = decide(tokens, scene)
        if decision.whole or (decision.void and scene.entity_field is not None):
            return decision.node
    if relative and scene.stated and (main := main_verb(tokens)) is not None:
        parts = [tokens[:main], tokens[main:]]
        return all_of([restriction(part, scene) for part in parts])
    parted = _joined(tokens, scene) or _prefixed(tokens, scene) or _placed(tokens, scene)
    return parted or statement(tokens, scene)


def _one_of_two(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read `have a garage or a cellar, but not both`: one of the two, and not the other.

    Raises:
        QuestionError: the two cannot be told apart.
    """
    low = [token.low for token in tokens]
    end = next((at for at in range(1, len(low)) if low[at : at + 3] == ["but", "not", "both"]), 0)
    if not end:
        return None
    body = [token for token in tokens[:end] if token.low != "either"]
    while body and body[-1].low == ",":
        body.pop()
    node = either_of(restriction(body, scene)) or _either_object(body, scene)
    if node is None:
        raise QuestionError(
            f"{scene.words(tokens)!r} names no two conditions of which one can be left out: ask "
            "for one of them without the other, then the other way round"
        )
    return all_of([node, restriction(tokens[end + 3 :], scene)])


def _either_object(body: Sequence[Token], scene: Scene) -> Node | None:
    """Read one verb with two objects that `or` joins, as a clause for each."""
    cuts = [at for at in range(2, len(body) - 1) if body[at].low == "or"]
    if len(cuts) != 1 or not (is_sure_verb(body[0].low) or body[0].low in _FINITE):
        return None
    at = cuts[0]
    parts = (body[:at], [body[0], *body[at + 1 :]])
    return either_of(any_of([restriction(part, scene) for part in parts]))


def _joined(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read clauses that `and`, `or`, `but` or `neither … nor` join."""
    if (none := _neither(tokens, scene)) is not None:
        return none
    split = split_at_joints(tokens, scene)
    if split is None:
        return None
    joint, parts = split
    nodes = [restriction(part, scene) for part in parts]
    return any_of(nodes) if joint == "or" else all_of(nodes)


def _clausal(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read `are A, or are B and C`: clauses with verbs of their own, set off by a comma."""
    cuts = [
        at
        for at in range(2, len(tokens) - 1)
        if tokens[at].low == "or"
        and tokens[at - 1].low == ","
        and tokens[0].low in AUXILIARIES
        and verb_like(tokens, at + 1, scene)
    ]
    if not cuts:
        return None
    edges = [-1, *cuts, len(tokens)]
    parts = [tokens[edges[at] + 1 : edges[at + 1]] for at in range(len(edges) - 1)]
    return any_of([restriction(part, scene) for part in parts])


def _neither(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read `neither limit A nor require B`."""
    low = [token.low for token in tokens]
    if low[0] != "neither" or "nor" not in low:
        return None
    edges = [0, *(at for at, word in enumerate(low) if word == "nor"), len(low)]
    parts = [tokens[edges[at] + 1 : edges[at + 1]] for at in range(len(edges) - 1)]
    joined = any_of([restriction(part, scene) for part in parts])
    return negated(joined) if joined is not None else None


def _prefixed(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read `created in 2015 that mention X`: metadata first, then the rest."""
    for end in range(len(tokens) - 1, 0, -1):
        opened = tokens[end - 1].low in RELATIVES | {"and", "or"}
        if opened or not _boundary(tokens, end, scene) or has_mention(tokens[:end]):
            continue
        decision = decide(tokens[:end], scene)
        if decision.whole and _alternative(tokens, end, scene):
            return any_of([decision.node, restriction(tokens[end + 1 :], scene)])
        if decision.whole:
            return all_of([decision.node, restriction(tokens[end:], scene)])
    return _accompanied(tokens, scene) or _two_clauses(tokens, scene)


def _placed(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read `allow dogs in Leeds`: a clause of the text, then a value of a field at its end."""
    at = next((at for at in range(len(tokens) - 2, 0, -1) if tokens[at].low in _PLACING), 0)
    if not at or not has_content(tokens[:at]):
        return None
    hits = [hit for hit in scene.labels.hits(tokens, at + 1) if hit.whole and hit.facts.label]
    if not tokens[at + 1].capital or not any(at + 1 + hit.size == len(tokens) for hit in hits):
        return None
    decision = decide(tokens[at:], scene)
    if not decision.whole:
        return None
    field, words = hits[0].facts.name, scene.words(tokens[at:])
    scene.assume(f"“{words}” is read as {field}, not as part of what a text has to state.")
    return all_of([restriction(tokens[:at], scene), decision.node])


def _alternative(tokens: Sequence[Token], at: int, scene: Scene) -> bool:
    """Tell whether `or` joins another clause, or another object: `or a garden`, `or allow dogs`."""
    if tokens[at].low != "or" or at + 1 == len(tokens):
        return False
    return tokens[at + 1].low in DETERMINERS | RELATIVES or verb_like(tokens, at + 1, scene)


def _accompanied(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read `without onions use lentils`, `with a dog are open`: what comes along, then the verb."""
    if tokens[0].low not in {"with", "without", "lacking"}:
        return None
    for at in range(2, len(tokens) - 1):
        main = (
            tokens[at].low in _FINITE
            or is_sure_verb(tokens[at].low)
            or mention_at(tokens, at) is not None
        )
        if main and not tokens[at - 1].function and tokens[at + 1].low != "of":
            parts = (tokens[:at], tokens[at:])
            return all_of([restriction(part, scene) for part in parts])
    return None


def _boundary(tokens: Sequence[Token], at: int, scene: Scene) -> bool:
    low = tokens[at].low
    if low in RELATIVES or low in {"but", "and", "or"}:
        return True
    return verb_like(tokens, at, scene) or _behind_place(tokens, at, scene)


def _behind_place(tokens: Sequence[Token], at: int, scene: Scene) -> bool:
    """Tell whether the main verb follows a name: `in Leeds allow subletting`."""
    before, token = tokens[at - 1], tokens[at]
    named = before.capital and tokens[0].low in _PLACING and at + 1 < len(tokens)
    return named and scene.stated and token.kind == "word" and not (token.capital or token.function)


def _two_clauses(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read `governed by the law of Texas impose a fee`: a participle's phrase, then the verb."""
    if tokens[0].low in AUXILIARIES or not re.search(r"(?:ed|en|ing|wn)$", tokens[0].low):
        return None
    for at in range(2, len(tokens) - 1):
        name_before = tokens[at - 1].capital or tokens[at - 1].kind in {"quote", "number"}
        if name_before and verb_like(tokens, at, scene):
            first = statement(tokens[:at], scene)
            return all_of([first, restriction(tokens[at:], scene)])
    return None


def _decided(tokens: Sequence[Token], scene: Scene) -> bool:
    return decide(tokens, scene).whole
