"""How values, fields and units belong together although their words differ."""

from collections.abc import Sequence

from agent.reasoners.rules.amounts import Bound
from agent.reasoners.rules.labels import Cue, Facts, Hit, Labels
from agent.reasoners.rules.words import akin, tokenize

__all__ = ("fuller", "has_unit", "hits_under", "in_path", "measures")


def hits_under(
    labels: Labels, cue: Cue, named: Sequence[str], words: Sequence[str], hits: Sequence[Hit]
) -> tuple[Hit, ...]:
    """Return the hits in the named fields, in fields of kindred name and under such paths.

    Args:
        labels: the corpus's fields and items.
        cue: the naming of fields.
        named: the words that name them.
        words: the words of the value.
        hits: what the words of the value are values of.
    """
    if cue.strength == 3 and cue.size > 1:
        return tuple(hit for hit in hits if hit.facts in cue.fields)
    own = [hit for hit in hits if hit.facts in cue.fields or _kindred(hit.facts, named)]
    under = [
        Hit(each, item, exact=False, whole=True, size=len(words))
        for each in labels.fields
        for item in labels.partial(each, words)
        if _path_names(item, named)
    ]
    return (*own, *under)


def fuller(labels: Labels, fields: Sequence[Facts], hit: Hit) -> list[str]:
    """Return items that say the same with the field's own name: `MIT License` for `MIT`."""
    found: list[str] = []
    for each in fields:
        core = _without(hit.item, each.words)
        found.extend(
            item for item in labels.partial(each, core) if _without(item, each.words) == core
        )
    return found


def in_path(hits: Sequence[Hit], word: str) -> bool:
    """Tell whether a word is a part of the value's path: `intended` for `Intended Audience`."""
    return any(akin(word, each.low) for hit in hits if not hit.whole for each in tokenize(hit.item))


def measures(facts: Facts, bound: Bound) -> bool:
    """Tell whether a field's values can be compared with the amount."""
    kind = facts.field.type
    if kind == "date":
        return bound.kind in {"date", "year"}
    if kind == "number":
        return bound.kind in {"number", "year"}
    return facts.dotted and bound.kind == "number"


def has_unit(facts: Facts, unit: str) -> bool:
    """Tell whether nearly all values of a number field are written with the unit."""
    if facts.field.type != "number":
        return False
    items = [item.casefold().split() for item, _ in facts.field.values[:30]]
    return bool(items) and sum(
        any(akin(word, unit) for word in words) for words in items
    ) >= 0.8 * len(items)


def _kindred(facts: Facts, named: Sequence[str]) -> bool:
    return (
        not facts.fact
        and facts.field.type in {"text", "list"}
        and any(akin(word, name) for word in facts.words[:1] for name in named)
    )


def _path_names(item: str, named: Sequence[str]) -> bool:
    """Tell whether a path such as `License :: OSI Approved :: MIT License` lies under the name."""
    head, marked, _ = item.partition("::")
    return bool(marked) and any(
        akin(token.low, name) for token in tokenize(head) for name in named if token.kind == "word"
    )


def _without(item: str, words: Sequence[str]) -> list[str]:
    return [
        token.low
        for token in tokenize(item)
        if token.kind in {"word", "number"} and not any(akin(token.low, word) for word in words)
    ]
