"""How values, fields and units belong together although their words differ."""

from collections.abc import Sequence
from dataclasses import replace

from agent.reasoners.rules.language.bounds import Bound
from agent.reasoners.rules.language.units import converted, is_unit, unit_of
from agent.reasoners.rules.language.words import FUNCTION_WORDS, Token, akin, tokenize
from agent.reasoners.rules.reading.facts import Facts
from agent.reasoners.rules.reading.labels import Cue, Hit, Labels

__all__ = (
    "begins_alike",
    "fields_in",
    "fuller",
    "has_unit",
    "hits_under",
    "in_path",
    "in_unit_of",
    "measures",
    "unit_in",
)


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
    if cue.strength == 3 and all(len(each.words) > 1 for each in cue.fields):
        return tuple(hit for hit in hits if hit.facts in cue.fields)
    own = [hit for hit in hits if hit.facts in cue.fields or _kindred(hit.facts, named)]
    under = [
        Hit(each, item, exact=False, whole=True, size=len(words))
        for each in labels.fields
        for item in labels.partial(each, words)
        if _path_names(item, named)
    ]
    return (*own, *under, *_cores(labels, named, words))


def _cores(labels: Labels, named: Sequence[str], words: Sequence[str]) -> list[Hit]:
    """Return items that hold a value which itself repeats the name, but for the name.

    `MIT License` in a field of licences is also `MIT` and `MIT AND Zlib`.
    """
    core = [word for word in words if not any(akin(word, name) for name in named)]
    core = [word for word in core if word not in FUNCTION_WORDS]
    if not core or len(core) == len(words):
        return []
    return [
        Hit(each, item, exact=False, whole=True, size=len(words))
        for each in labels.fields
        if _kindred(each, named)
        for item in labels.partial(each, core)
    ]


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
        return bound.kind in {"date", "year", "month", "past"}
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


def fields_in(labels: Labels, unit: str, tokens: Sequence[Token]) -> tuple[Facts, ...]:
    """Return the number fields measured in the unit or one that it converts to.

    Of several, those whose name shares a beginning with a word of the clause.
    """
    fields = tuple(
        each
        for each in labels.fields
        if each.field.type == "number" and converted("1", unit, unit_in(each)) is not None
    )
    named = tuple(each for each in fields if any(begins_alike(each, token) for token in tokens))
    return named if len(fields) > 1 and named else fields


def in_unit_of(bound: Bound, fields: Sequence[Facts]) -> Bound:
    """Return the amount in the unit of the fields, where both have one."""
    units = [unit_in(each) for each in fields]
    if not bound.unit or not units:
        return bound
    values = [converted(value, bound.unit, units[0]) for value in bound.values]
    told = tuple(value for value in values if value is not None)
    return replace(bound, values=told) if len(told) == len(values) else bound


def unit_in(facts: Facts) -> str:
    """Return the unit that a field's values are in; empty where none is written."""
    return unit_of(facts.words, [item for item, _ in facts.field.values[:30]])


def begins_alike(facts: Facts, token: Token) -> bool:
    """Tell whether a word and one of the field's name share a beginning: `prep`, `prepare`.

    All of the shorter, if it has four letters, else five letters.
    """
    if token.kind != "word" or token.function:
        return False
    return any(
        _shared(word, token.low) >= min(5, max(4, len(word)), max(4, len(token.low)))
        for word in facts.words
        if not is_unit(word)
    )


def _shared(one: str, other: str) -> int:
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )


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
