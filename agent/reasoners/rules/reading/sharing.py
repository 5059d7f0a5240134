"""One verb with several objects: `contain both lemon and coriander` is two statements."""

from collections.abc import Sequence
from typing import Final

from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    RELATIVES,
    Token,
    word_set,
)

__all__ = ("denied_objects", "holds_nothing", "is_sure_verb", "objects_apart")

_HOLDING: Final = word_set(
    "contain contains include includes use uses have has had feature features need needs require "
    "requires list lists carry hold offer offers provide provides involve involves"
)
_SURE: Final = word_set(
    "require requires allow allows forbid forbids prohibit prohibits permit permits include "
    "includes contain contains provide provides impose imposes exclude excludes describe describes "
    "involve involves mention mentions disallow oblige prevent prevents entitle grant grants use "
    "uses"
)
_WORDS: Final = 3
_COMPARING: Final = word_set("longer more less fewer later earlier sooner greater higher lower")


def is_sure_verb(word: str) -> bool:
    """Tell whether a lower-cased word is a common verb that hardly ever is a noun."""
    return word in _SURE


def objects_apart(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return the clause once for each object that `and` joins; nothing where it has but one.

    The verb is one of having or holding and each object a short name; without `both` it has at
    most two words.
    """
    if len(tokens) < 4 or tokens[0].low not in _HOLDING:
        return []
    both = tokens[1].low == "both"
    items: list[list[Token]] = [[]]
    for token in tokens[2:] if both else tokens[1:]:
        if token.low in {"and", ","}:
            items.append([])
        else:
            items[-1].append(token)
    items = [item for item in items if item]
    longest = _WORDS if both else _WORDS - 1
    if len(items) < 2 or not all(_is_name(item, longest) for item in items):
        return []
    return [[tokens[0], *item] for item in items]


def holds_nothing(tokens: Sequence[Token]) -> bool:
    """Tell whether a clause denies its object: `have no garden`, not `have no more than two`."""
    low = [token.low for token in tokens[:3]]
    return len(low) == 3 and low[0] in _HOLDING and low[1] == "no" and low[2] not in _COMPARING


def denied_objects(
    tokens: Sequence[Token],
) -> tuple[list[Token], list[Token]] | None:
    """Split `call for eggs but no flour` into the clause and the one that is denied."""
    for at in range(2, len(tokens) - 1):
        if tokens[at].low in {"but", "and"} and tokens[at + 1].low in {"no", "without"}:
            item = [token for token in tokens[at + 2 :] if token.low not in DETERMINERS]
            if _is_name(item, _WORDS):
                return list(tokens[:at]), [tokens[0], *item]
    return None


def _is_name(item: Sequence[Token], longest: int) -> bool:
    closing = PREPOSITIONS | RELATIVES | AUXILIARIES | {"or", "not", "that"}
    words = [token for token in item if token.low not in DETERMINERS]
    return 0 < len(words) <= longest and not any(
        token.kind in {"mark", "paren"} or token.low in closing for token in words
    )
