"""Two members that `and` or `or` joins: how far they reach, and what they are."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.reasoners.rules.ambiguity.doubt import Doubt
from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    NEGATIONS,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    Token,
    singular,
)

__all__ = ("Members", "is_adjective", "members_at", "names_year")

_LONGEST: Final = 4
_ENDINGS: Final = re.compile(
    r"(?:ed|al|ive|ous|ic|ful|able|ible|less|ish|ary|(?<!m)ent|ant|wn)$", re.IGNORECASE
)
_NOT_DESCRIBING: Final = frozenset({"exact", "total", "overall", "additional", "respective", "all"})
"""Words with such endings that say how much or which is asked, not of what kind."""
_PLURALS: Final = frozenset({"people", "men", "women", "children", "data", "staff", "criteria"})


@dataclass(frozen=True, slots=True)
class Members:
    """A pair with the indices of its tokens."""

    start: int
    end: int
    plural: bool
    """Whether both end in a plural noun."""
    names: bool
    """Whether both are proper names or values of the metadata."""
    asked: bool
    """Whether they are what the question asks for."""


def members_at(tokens: Sequence[Token], joint: int, doubt: Doubt) -> Members | None:
    """Return the members around the joint; None where clauses or unlike things are joined."""
    start, end = joint, joint + 1
    while start > 0 and joint - start < _LONGEST and _inside(tokens[start - 1]):
        start -= 1
    if end < len(tokens) and tokens[end].low in {"the", "a", "an"}:
        end += 1
    first = end
    while end < len(tokens) and end - first < _LONGEST and _inside(tokens[end]):
        if end > first and _ends(tokens, end, doubt):
            break
        end += 1
    left, right = tokens[start:joint], tokens[first:end]
    if not left or not right or end - first >= _LONGEST + 1:
        return None
    plural = _plural(left[-1]) and _plural(right[-1])
    names = _name(left, doubt) and _name(right, doubt)
    if not names and not _plural(left[-1]) and _plural(right[-1]):
        return None
    before = [token.low for token in tokens[:start]]
    asked = plural and set(before) <= DETERMINERS | {"of"}
    if not (plural or names or doubt.listing) or any(each.kind == "number" for each in right):
        return None
    return Members(start, end, plural, names, asked)


def _inside(token: Token) -> bool:
    """Tell whether a token can stand inside a member."""
    if token.kind in {"quote", "number"} or token.text in {"-", "."}:
        return True
    closed = AUXILIARIES | PREPOSITIONS | RELATIVES | DETERMINERS | CONJUNCTIONS | PRONOUNS
    return token.kind == "word" and token.low not in closed | NEGATIONS


def _ends(tokens: Sequence[Token], at: int, doubt: Doubt) -> bool:
    """Tell whether the member is complete before `at`: a plural noun, and no noun goes on."""
    before, token = tokens[at - 1], tokens[at]
    if token.text in {"-", "."} or before.text in {"-", "."}:
        return False
    if before.capital and token.capital:
        return False
    if not _plural(before):
        return before.capital and not token.capital and token.kind == "word"
    hits = doubt.scene.labels.hits(tokens, at - 1)
    return not any(hit.size > 1 and hit.whole for hit in hits) and not _plural(token)


def _plural(token: Token) -> bool:
    low = token.low
    return token.kind == "word" and (
        low in _PLURALS or (singular(low) != low and len(low) > 3 and not low.endswith("ous"))
    )


def _name(member: Sequence[Token], doubt: Doubt) -> bool:
    if any(token.kind == "number" for token in member):
        return False
    if all(token.capital or token.kind == "quote" or token.text in {"-", "."} for token in member):
        return True
    hits = doubt.scene.labels.hits(list(member), 0)
    return bool(hits) and hits[0].size == len(member)


def is_adjective(token: Token) -> bool:
    """Tell whether a word looks like an adjective or participle by its ending."""
    word = token.kind == "word" and not token.capital and token.low not in _NOT_DESCRIBING
    return word and _ENDINGS.search(token.low) is not None


def names_year(tokens: Sequence[Token]) -> bool:
    """Tell whether a year or a date stands among the tokens."""
    return any(re.fullmatch(r"[12]\d{3}(?:-\d\d){0,2}", token.text) for token in tokens)
