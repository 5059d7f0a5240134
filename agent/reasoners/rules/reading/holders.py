"""Conditions on things over all their documents: owners with no cutter, with only saws."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.question import AllOf, Condition, Node, Not, atoms
from agent.reasoners.rules.language.words import NEGATIONS, RELATIVES, Token, akin, word_set
from agent.reasoners.rules.reading.draft import decided, negated, said
from agent.reasoners.rules.reading.scene import Scene
from agent.replies import QuotaReply

__all__ = ("Holding", "holding")

_NONE: Final = word_set("none nothing")
_ONLY: Final = word_set("only solely exclusively")
_EVERY: Final = word_set("every each all")
_MOST: Final = 30
"""Values of a field of which a question may want every one."""
_JOINING: Final = word_set("and but or nor , who that")
_NOWHERE: Final = QuotaReply(at_least=0, at_most=0, every=False)


@dataclass(frozen=True, slots=True)
class Holding:
    """How the conditions of a question hold of the items of a field."""

    node: Node | None
    across: bool = False
    """Whether over all documents of an item together."""
    quota: QuotaReply | None = None
    told: str = ""
    """The conditions in words."""


def holding(node: Node | None, after: Sequence[Token], scene: Scene) -> Holding:
    """Return how the conditions hold of what a field names.

    What is denied of the thing itself is denied of all its documents (`owners with no cutter`), and
    what it has only, no document is without (`owners with only saws`); what is denied of one of
    its documents is a test of that one (`owners of tools that are not cutters`). Two values of a
    field that holds one value in each document are of two documents, and so is every value.
    """
    if node is None or any(each.predicate is None for each in atoms(node)):
        return Holding(node, told=said(node) if node is not None else "")
    every = _every(node, after, scene)
    if every is not None:
        return Holding(every, across=True, told=f"{said(every)}, over all documents")
    only, denied = _first(after, _ONLY), _first(after, NEGATIONS | _NONE)
    if only is not None and _of_the_thing(after[:only], scene) and isinstance(node, Condition):
        return Holding(negated(node), quota=_NOWHERE, told=f"{said(node)}, and nothing else")
    if denied is not None and _of_the_thing(after[:denied], scene):
        none = after[denied].low in _NONE and not _denies(node)
        node = negated(node) if none else node
        return Holding(node, across=True, told=f"{said(node)}, over all documents")
    if _of_two_documents(node, scene):
        return Holding(node, across=True, told=f"{said(node)}, over all documents")
    return Holding(node, told=said(node))


def _every(node: Node, after: Sequence[Token], scene: Scene) -> Node | None:
    """Return a condition for each value of a field of which every one is wanted; None without."""
    predicate = node.predicate if isinstance(node, Condition) else None
    if predicate is None or predicate.comparison != "exists" or predicate.values:
        return None
    field = next(each for each in scene.corpus.fields if each.name == predicate.field)
    listed = field.distinct == len(field.values) and 1 < field.distinct <= _MOST
    said_so = any(
        token.low in _EVERY and any(akin(each.low, field.name) for each in after[at + 1 : at + 3])
        for at, token in enumerate(after)
    )
    if not (listed and said_so):
        return None
    return AllOf(parts=tuple(decided(field.name, "is", [value]) for value, _ in field.values))


def _first(tokens: Sequence[Token], words: frozenset[str]) -> int | None:
    return next((at for at, token in enumerate(tokens) if token.low in words), None)


def _of_the_thing(before: Sequence[Token], scene: Scene) -> bool:
    """Tell whether what follows is said of the thing asked for, not of one of its documents.

    Between the two stands neither a word for the documents, nor `of`, nor a relative clause of its
    own.
    """
    for at, token in enumerate(before):
        relative = token.low in RELATIVES and at > 0 and before[at - 1].low not in _JOINING
        if relative or token.low == "of":
            return False
        if not token.function and scene.names_documents(token.low):
            return False
    return True


def _denies(node: Node) -> bool:
    match node:
        case Not():
            return True
        case Condition():
            return False
        case _:
            return any(_denies(part) for part in node.parts)


def _of_two_documents(node: Node, scene: Scene) -> bool:
    """Tell whether two parts want different values of a field that holds one in each document."""
    if not isinstance(node, AllOf):
        return False
    single = {each.name for each in scene.corpus.fields if each.type != "list"}
    wanted = [
        (part.predicate.field, part.predicate.values)
        for part in node.parts
        if isinstance(part, Condition)
        and part.predicate is not None
        and part.predicate.comparison == "is"
        and part.predicate.field in single
    ]
    return len({field for field, _ in wanted}) < len(set(wanted))
