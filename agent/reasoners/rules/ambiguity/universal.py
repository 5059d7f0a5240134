"""B1: what holds for every one: the same for all of them, or for each its own."""

from collections.abc import Iterator, Sequence
from typing import Final

from agent.reasoners.rules.ambiguity.doubt import Doubt, found, reading
from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    NEGATIONS,
    PREPOSITIONS,
    RELATIVES,
    Token,
    word_set,
)
from agent.replies import FoundAmbiguity

__all__ = ("IN_COMMON", "SETTLING", "universals")

IN_COMMON: Final = "in common to all of them"
"""Ends the reading that asks for what all share."""

_ALL: Final = word_set("each every all")
SETTLING: Final = word_set(
    "common commonly equally same alike together respectively shared respective whole per "
    "least most more any none alphabetical"
)
"""Words with which a question says itself whether something is common to all."""
_TIMES: Final = word_set("day days week weeks month months year years time times hour hours")
_DOING: Final = word_set("do does did")
_LINKS: Final = word_set("for of with in at by on to from")
_LONGEST: Final = 4


def universals(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    """Yield what is asked of every one of others: `the tools every keeper uses`.

    A count asked `for each` is grouped, and one of what satisfies all is clear.
    """
    tokens = doubt.asked
    if doubt.opener is None or {token.low for token in doubt.tokens} & SETTLING:
        return
    if doubt.frame.fronted or (doubt.tokens and doubt.tokens[0].low in _LINKS):
        return
    if any(token.low in NEGATIONS for token in tokens):
        return
    for at, token in enumerate(tokens):
        if at and token.low in _ALL and (end := _phrase_end(tokens, at)) and _open(doubt, at, end):
            yield _found(doubt, at, end)
            return


def _phrase_end(tokens: Sequence[Token], at: int) -> int:
    """Return where the noun phrase after `each`, `every` or `all` ends; 0 where there is none."""
    end = at + 1
    while end < len(tokens) and tokens[end].low in {"the", "of", "these", "those"}:
        end += 1
    first = end
    stop = AUXILIARIES | PREPOSITIONS | RELATIVES | {"and", "or", ","}
    while end < len(tokens) and end - first < _LONGEST and _noun(tokens, first, end, stop):
        end += 1
    if end == first or any(token.low in _TIMES for token in tokens[first:end]):
        return 0
    verbal = at and tokens[at - 1].low in _DOING and end == len(tokens) and end - first > 1
    return end - 1 if verbal else end


def _noun(tokens: Sequence[Token], first: int, at: int, stop: frozenset[str]) -> bool:
    """Tell whether the phrase goes on at the token; a verb behind its noun ends it."""
    token = tokens[at]
    if token.text == "-":
        return True
    if token.kind != "word" or token.low in stop:
        return False
    each = tokens[first - 1].low in {"each", "every"}
    last = at + 1 == len(tokens)
    return not (at > first and last and (token.low.endswith("s") == each or not each))


def _open(doubt: Doubt, at: int, end: int) -> bool:
    tokens = doubt.asked
    before, word = tokens[at - 1].low, tokens[at].low
    if before in _DOING:
        return doubt.listing or word == "every"
    if _verb_behind(tokens, end) and (before in {"that", "which"} or _noun_before(tokens[at - 1])):
        return doubt.listing or word != "each"
    if not doubt.listing or before not in _LINKS or end < len(tokens) - 1:
        return False
    return word != "all" or before == "for"


def _verb_behind(tokens: Sequence[Token], end: int) -> bool:
    """Tell whether a verb follows the phrase: the relative clause's own."""
    if end >= len(tokens):
        return False
    token = tokens[end]
    return token.kind == "word" and token.low not in PREPOSITIONS | RELATIVES | {"and", "or"}


def _noun_before(token: Token) -> bool:
    return token.kind == "word" and not token.function


def _found(doubt: Doubt, at: int, end: int) -> FoundAmbiguity:
    tokens = doubt.asked
    phrase, noun = doubt.between(at, end), doubt.between(at + 1, end)
    first = max(0, at - 1) if tokens[at - 1].low in _DOING | _LINKS else at
    span = doubt.between(first, len(tokens))
    bare = doubt.question.rstrip("?. ")
    many = tokens[at].low == "all"
    subject = tokens[at - 1].low not in _LINKS
    pronoun = ("they" if subject else "them") if many else "it"
    rest = bare.replace(phrase, pronoun, 1)
    lead = f"For each of the {noun}" if many else f"For each {noun}"
    own = f"{lead} by itself, {rest[:1].lower()}{rest[1:]}?"
    readings = [
        reading("each one's own", own),
        reading("common to all", f"{bare}, {IN_COMMON}?"),
    ]
    told = f"What is asked can be the same for {phrase}, or each one's own."
    shared = doubt.interpretation.across
    return found("B1", span, told, readings[::-1] if shared else readings)
