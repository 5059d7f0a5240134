"""In how many documents an item must be: `landlords with at least three leases in Hull`."""

from collections.abc import Sequence
from typing import Final

from agent.question import Comparison, Node
from agent.reasoners.rules.language.bounds import Bound, read_bound
from agent.reasoners.rules.language.words import NEGATIONS, RELATIVES, Token, singular
from agent.reasoners.rules.reading.draft import said
from agent.reasoners.rules.reading.facts import Facts
from agent.reasoners.rules.reading.scene import Scene
from agent.replies import QuotaReply

__all__ = ("document_quota", "quota_told")

_DOCUMENTS: Final = frozenset({"document", "file", "text"})
_DESCRIBING: Final = 2
"""So many words may describe the counted noun."""
_VERB: Final = 1
"""So many words with a meaning may stand before the amount: `occur in`, `are sold by`."""


def document_quota(
    after: Sequence[Token], field: Facts, scene: Scene
) -> tuple[QuotaReply | None, list[Token]]:
    """Return in how many documents the items of a field must be, and what is said beside it.

    The amount counts documents, named by their noun or by a field of which no item has a value in
    two documents: then so many values are so many documents.
    """
    for at in range(len(after)):
        bound = read_bound(after, at)
        if bound is None:
            continue
        quota, head = _quota(bound), _head(after, bound.end, field, scene)
        if quota is not None and head is not None and _idle(after[:at], scene):
            described = head > bound.end
            return quota, list(after[bound.end if described else head + 1 :])
        return None, list(after)
    return None, list(after)


def _head(after: Sequence[Token], start: int, field: Facts, scene: Scene) -> int | None:
    """Return where the counted noun stands, behind the words that describe it: `3 open leases`."""
    for at in range(start, min(start + _DESCRIBING + 1, len(after))):
        token = after[at]
        if token.kind != "word" or token.function:
            return None
        if _counts_documents(token, field, scene):
            return at
    return None


def quota_told(node: Node | None, quota: QuotaReply | None) -> str:
    """Say the conditions and in how many documents an item must be."""
    if quota is None:
        return said(node)
    limits = [f"at least {quota.at_least}"] if quota.at_least else []
    limits += [] if quota.at_most is None else [f"at most {quota.at_most}"]
    told = f"stands in {' and '.join(limits)} documents"
    return f"{told} of which this holds: {said(node)}" if node is not None else told


def _quota(bound: Bound) -> QuotaReply | None:
    """Return the limits that an amount sets; None where it is no comparison of whole numbers."""
    counts = bound.kind == "number" and bound.explicit and not bound.unit
    if not counts or not all(value.isdigit() for value in bound.values):
        return None
    low, high = min(map(int, bound.values)), max(map(int, bound.values))
    limits: dict[Comparison, tuple[int, int | None]] = {
        "at_least": (low, None),
        "more_than": (low + 1, None),
        "at_most": (0, high),
        "less_than": (0, high - 1),
        "between": (low, high),
        "is": (low, high),
    }
    at_least, at_most = limits.get(bound.comparison, (0, -1))
    if at_most is not None and at_most < at_least:
        return None
    return QuotaReply(at_least=at_least, at_most=at_most, every=False)


def _idle(before: Sequence[Token], scene: Scene) -> bool:
    """Tell whether the words before the amount only join it to the thing asked for."""
    before = [token for token in before if token.kind != "paren"]
    content = [token for token in before if not token.function]
    if any(token.low in NEGATIONS or token.kind != "word" for token in before):
        return False
    valued = any(scene.labels.hits(before, at) for at in range(len(before)))
    relative = any(token.low in RELATIVES for token in before[1:])
    return len(content) <= _VERB and not valued and not relative


def _counts_documents(noun: Token, field: Facts, scene: Scene) -> bool:
    name = singular(noun.low)
    if name in _DOCUMENTS or scene.names_documents(name):
        return True
    cue = scene.labels.cue([noun], 0)
    other = cue.fields[0] if cue is not None and cue.strength >= 2 else None
    return other is not None and other.name != field.name and _once(field, other, scene)


def _once(field: Facts, other: Facts, scene: Scene) -> bool:
    """Tell whether every document of an item has one value of another field, and its own."""
    items, values = (scene.corpus.field_values(each.name) for each in (field, other))
    if any(number not in values or len(values[number].items) != 1 for number in items):
        return False
    pairs = [
        (item.casefold(), values[number].items[0].casefold())
        for number, value in items.items()
        for item in value.items
    ]
    return len(pairs) == len(set(pairs))
