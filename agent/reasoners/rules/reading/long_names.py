"""Names of fields with function words inside, each read as one word: `cost per night`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from agent.reasoners.rules.language.units import without_unit
from agent.reasoners.rules.language.words import FUNCTION_WORDS, Token, singular

__all__ = ("LongNames", "joined", "long_names")

LongNames = Mapping[str, Sequence[tuple[str, ...]]]
"""Names in words, in the singular and without case, the longest first, by their first word."""

_COUNTING: Final = frozenset({"number", "count", "amount", "total"})
"""Words that, with `of`, ask for a number wherever they stand: no part of a long name."""


def long_names(names: Iterable[Sequence[str]]) -> LongNames:
    """Return the names that have a function word between words of their own, by the first word.

    >>> long_names([("rate", "of", "returns", "pct"), ("weight", "kg"), ("signed", "by")])
    {'rate': [('rate', 'of', 'return', 'pct'), ('rate', 'of', 'return')]}
    """
    found: dict[str, set[tuple[str, ...]]] = {}
    for name in names:
        for words in _spelled(name):
            found.setdefault(words[0], set()).add(words)
    return {first: sorted(each, key=len, reverse=True) for first, each in found.items()}


def joined(tokens: Sequence[Token], names: LongNames) -> list[Token]:
    """Return the tokens with each run of them that is a long name made one.

    Nothing then ends inside it: the words for a number before `per`, a noun before `in`, and no
    unit is read of `30 miles per gallon`.
    """
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        size = _size(tokens, at, names)
        found.append(_one(tokens[at : at + size]))
        at += size
    return found


def _size(tokens: Sequence[Token], at: int, names: LongNames) -> int:
    """Return the number of tokens of the longest long name at a place, else 1."""
    for name in names.get(singular(tokens[at].low), ()):
        run = tokens[at : at + len(name)]
        plain = all(token.kind in {"word", "number"} for token in run)
        if plain and tuple(singular(token.low) for token in run) == name:
            return len(name)
    return 1


def _one(run: Sequence[Token]) -> Token:
    if len(run) == 1:
        return run[0]
    return Token(" ".join(each.text for each in run), run[0].start, run[-1].end, "word")


def _spelled(name: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield a name as a question may write it: with and without the unit behind it."""
    words = list(name)
    while words[0] in _COUNTING and words[1:2] == ["of"]:
        words = words[2:] or words[:1]
    for each in (words, without_unit(words)):
        ends = {each[0], each[-1]} & FUNCTION_WORDS
        if not ends and any(word in FUNCTION_WORDS for word in each):
            yield tuple(map(singular, each))
