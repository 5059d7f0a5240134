"""Columns told apart by a number at the end of their names: `fee 2022` and `fee 2023`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.reasoners.rules.language.words import Token, word_set
from agent.reasoners.rules.records.querying.lexicon import Target
from agent.reasoners.rules.records.querying.mentions import Mention
from agent.reasoners.rules.records.querying.phrases import alike, name_words

__all__ = ("after_leading", "numbered")

_LEADING: Final = word_set("in for of the year")
_SURE: Final = 0.97


def numbered(tokens: Sequence[Token], mentions: Sequence[Mention]) -> list[Mention]:
    """Return the names, each with the number behind it where a column's name ends in that."""
    return [_with_number(tokens, each) for each in mentions]


def _with_number(tokens: Sequence[Token], mention: Mention) -> Mention:
    at = after_leading(tokens, mention.end)
    number = tokens[at].low if at < len(tokens) and tokens[at].kind == "number" else ""
    said = [token.low for token in tokens[mention.start : mention.end]]
    meant = [each for each in mention.columns if number and _ends(each, said, number)]
    if not meant:
        return mention
    sure = tuple(replace(each, strength=max(each.strength, _SURE)) for each in meant)
    return Mention(mention.start, at + 1, sure)


def after_leading(tokens: Sequence[Token], at: int) -> int:
    """Return the index of the token behind words that lead to a number."""
    while at < len(tokens) and tokens[at].low in _LEADING:
        at += 1
    return at


def _ends(target: Target, said: Sequence[str], number: str) -> bool:
    """Tell whether a column's name is what is said and then the number."""
    *words, last = name_words(target.attribute or "")
    told = all(any(alike(word, each) >= 1 for each in said) for word in words)
    return last == number and bool(words) and told
