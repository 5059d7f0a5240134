"""Names of columns as questions spread them: `number of rooms` for `rooms`, one name said twice."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from agent.reasoners.rules.language.words import Token, word_set
from agent.reasoners.rules.records.querying.adjectives import superlative_at
from agent.reasoners.rules.records.querying.lexicon import Target
from agent.reasoners.rules.records.querying.mentions import Mention
from agent.records.record_schema import Schema

__all__ = ("said_twice", "widened")

_SURE: Final = 0.75
_FAR: Final = 4
_BEFORE: Final = word_set("average mean median sum maximum minimum each every per by")
_PARTING: Final = word_set("and or but , ; than")


def widened(tokens: Sequence[Token], mentions: Sequence[Mention], schema: Schema) -> list[Mention]:
    """Return the mentions, a column of numbers with the `number of` or `total` before it.

    That is so behind a superlative, an aggregate, and what opens a group; elsewhere the words ask
    for a count or a sum.
    """
    wide = [_wide(tokens, each) if _numeric(each, schema) else each for each in mentions]
    return [
        each
        for each in wide
        if not any(o.start <= each.start < each.end <= o.end for o in wide if o is not each)
    ]


def _wide(tokens: Sequence[Token], mention: Mention) -> Mention:
    lows = [token.low for token in tokens[: mention.start]]
    start = len(lows) - 2 if lows[-2:] == ["number", "of"] else len(lows)
    start -= lows[start - 1 : start] == ["total"]
    at = start - 1 - (lows[start - 1 : start] == ["the"])
    at -= lows[at : at + 1] == ["of"]
    if start == mention.start or at < 0:
        return mention
    opened = lows[at] in _BEFORE or superlative_at(tokens, at) is not None
    return replace(mention, start=start) if opened else mention


def _numeric(mention: Mention, schema: Schema) -> bool:
    """Tell whether a mention is a column of numbers rather than anything else."""
    best = mention.targets[0]
    return best.strength >= _SURE and _typed(best, schema, {"integer", "number"})


def _typed(target: Target, schema: Schema, types: Collection[str]) -> bool:
    kind = schema.kind(target.kind)
    attribute = kind.attribute(target.attribute) if kind is not None and target.attribute else None
    return attribute is not None and attribute.type in types


def said_twice(
    tokens: Sequence[Token], mentions: Sequence[Mention], schema: Schema
) -> list[Mention]:
    """Return the mentions that only repeat, in part, the name of a column that is near.

    `whose engine was built with a diesel engine` says one thing of one column.
    """
    return [
        each for each in mentions if any(_covers(tokens, other, each, schema) for other in mentions)
    ]


def _covers(tokens: Sequence[Token], sure: Mention, weak: Mention, schema: Schema) -> bool:
    """Tell whether a name only repeats another: in part, or as a word of a yes or no."""
    best = sure.targets[0]
    if sure is weak or sure.strength < _SURE or best.attribute is None or weak.kinds:
        return False
    column = (best.kind, best.attribute)
    part = any((t.kind, t.attribute) == column and t.strength < _SURE for t in weak.columns)
    if not part or (weak.strength >= _SURE and not _typed(best, schema, {"boolean"})):
        return False
    first, last = sorted((sure, weak), key=lambda each: each.start)
    between = tokens[first.end : last.start]
    plain = all(token.kind == "word" and token.low not in _PARTING for token in between)
    return plain and len(between) <= _FAR
