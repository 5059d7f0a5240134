"""A clause as a row of elements: fields named, values, amounts, negations, joints, other words."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from agent.reasoners.rules.language.bounds import Bound, read_bound
from agent.reasoners.rules.language.words import (
    NEGATIONS,
    PREPOSITIONS,
    RELATIVES,
    Token,
    akin,
    singular,
    word_set,
)
from agent.reasoners.rules.reading.labels import Cue, Hit, Labels
from agent.reasoners.rules.reading.roles import is_role_verb

__all__ = ("Element", "Joint", "Light", "Negation", "Other", "Values", "read_elements")

_GENERIC: Final = word_set(
    "header headers field fields metadata value values entry line lines set given listed "
    "list lists listing marked labelled labeled tagged classified categorized categorised "
    "stated specified specify name names named called numbered equal document documents "
    "file files record records include includes including contain contains show shows use "
    "uses belong declare declares define defines give gives provide provides belongs "
    "carry carries come comes came take takes took taking anyone anybody someone "
    "somebody there who what which"
)


_EXCEPTING: Final = (
    ("other", "than"), ("different", "from"), ("except", "for"), ("except",), ("excluding",),
    ("apart", "from"), ("rather", "than"), ("instead", "of"),
)  # fmt: skip
_APART: Final = (
    ("outside", "of"), ("outside",), ("beyond",), ("aside", "from"), ("besides",), ("but",),
)  # fmt: skip
"""Words that leave out the one value a field has; of several values, `besides` adds another."""
_PART: Final = re.compile(r"[^\W_]+")
_WHOLE: Final = frozenset({"all", "any", "every", "everything", "everyone", "everywhere"})
_LED: Final = frozenset({"the", "those", "ones", "in", "of", "from", "at"})
"""Words that may stand before the value that is left out: `besides those in Graz`."""


@dataclass(frozen=True, slots=True)
class Values:
    """Words that are a value of one or several fields."""

    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Joint:
    """`and`, `or`, `nor` or a comma."""

    word: str


@dataclass(frozen=True, slots=True)
class Negation:
    """A word that denies what follows."""

    within: bool = False
    """Whether it denies a value of the field named before it: `a colour other than red`."""


@dataclass(frozen=True, slots=True)
class Light:
    """A word that adds nothing by itself: a function word, the entity's own noun, `header`."""

    relative: bool = False
    """Whether it begins a relative clause."""


@dataclass(frozen=True, slots=True)
class Other:
    """A word with a meaning of its own that metadata does not cover."""


What = Cue | Values | Bound | Joint | Negation | Light | Other


@dataclass(frozen=True, slots=True)
class Element:
    """One element with the tokens it spans."""

    what: What
    start: int
    end: int


def read_elements(tokens: Sequence[Token], labels: Labels, nouns: Collection[str]) -> list[Element]:
    """Read a clause from left to right, the longest element first.

    Args:
        tokens: the clause, without hyphens between words.
        labels: the corpus's fields and items.
        nouns: words for the entity itself.
    """
    elements: list[Element] = []
    at = 0
    while at < len(tokens):
        what, end = _element(tokens, at, labels, nouns)
        elements.append(Element(what, at, end))
        at = end
    return elements


def _element(
    tokens: Sequence[Token], at: int, labels: Labels, nouns: Collection[str]
) -> tuple[What, int]:
    token = tokens[at]
    if (bound := read_bound(tokens, at)) is not None:
        return bound, bound.end
    if token.low in {"and", "or", "nor", "but", ","}:
        return _apart(tokens, at, labels) or (Joint(token.low), at + 1)
    named = _named(tokens, at, labels)
    if named is not None and named[1] > at + 1:
        return named
    if (denied := _negation(tokens, at) or _apart(tokens, at, labels)) is not None:
        return denied
    if any(akin(token.low, each) for each in nouns) and not _a_field(token, named, nouns):
        return Light(), at + 1
    return named or (_unnamed(token), at + 1)


def _a_field(token: Token, named: tuple[Cue | Values, int] | None, nouns: Collection[str]) -> bool:
    """Tell whether a word of the nouns' root names a field in full: `surveyors` of surveys."""
    whole = named is not None and isinstance(named[0], Cue) and named[0].strength == 3
    return whole and singular(token.low) not in {singular(each) for each in nouns}


def _negation(tokens: Sequence[Token], at: int) -> tuple[Negation, int] | None:
    if tokens[at].low in NEGATIONS:
        return Negation(), at + 1
    for phrase in _EXCEPTING:
        if tuple(each.low for each in tokens[at : at + len(phrase)]) == phrase:
            return Negation(within=True), at + len(phrase)
    return None


def _apart(tokens: Sequence[Token], at: int, labels: Labels) -> tuple[Negation, int] | None:
    """Read `outside Graz`, `all but Graz`: words that leave out the field's value behind them."""
    low = [each.low for each in tokens]
    for phrase in _APART:
        end = at + len(phrase)
        if tuple(low[at:end]) != phrase or (low[at] == "but" and not _of_all(low[:at])):
            continue
        led = next((step for step in range(end, len(low)) if low[step] not in _LED), end)
        hits = [hit for step in range(end, led + 1) for hit in _hits(tokens, step, labels)]
        if any(hit.whole and hit.facts.field.type != "list" for hit in hits):
            return Negation(within=True), end
    return None


def _of_all(before: Sequence[str]) -> bool:
    """Tell whether `all`, or `all` and one word, stands right before: `all cities but`."""
    return any(word in _WHOLE for word in before[-2:])


def _hits(tokens: Sequence[Token], at: int, labels: Labels) -> list[Hit]:
    return labels.hits(tokens, at) if at < len(tokens) else []


def _unnamed(token: Token) -> Light | Other:
    """Tell words that add nothing by themselves from those with a meaning of their own."""
    role = token.kind == "word" and is_role_verb(token.low)
    if role or token.kind == "paren" or token.function or token.low in _GENERIC:
        return Light(relative=token.low in RELATIVES)
    return Other()


def _named(tokens: Sequence[Token], at: int, labels: Labels) -> tuple[Cue | Values, int] | None:
    """Return the field or the value named here; a value as written beats a field half named."""
    hits = [hit for hit in labels.hits(tokens, at) if not hit.facts.fact]
    cue = labels.cue(tokens, at)
    size = hits[0].size if hits else 0
    if hits and size == 1 and _acts(tokens, at):
        return None
    if cue and (cue.size > size or (cue.size == size and _rather_a_field(cue, hits, tokens, at))):
        return cue, at + cue.size
    return (Values(tuple(hits)), at + size) if hits else None


def _rather_a_field(cue: Cue, hits: Sequence[Hit], tokens: Sequence[Token], at: int) -> bool:
    """Decide for words that name a field and a value alike: `closed` the date, or the status."""
    exact = any(hit.exact for hit in hits)
    if exact and all(each.field.type == "date" for each in cue.fields):
        end = at + cue.size
        return end < len(tokens) and (
            read_bound(tokens, end) is not None or tokens[end].low == "by"
        )
    return not exact or (cue.strength == 3 and _in_full(cue, tokens, at))


def _in_full(cue: Cue, tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a name's last words follow too: of `superseded` alone not, for Superseded-By."""
    names = [_PART.findall(each.name.casefold()) for each in cue.fields]
    return any(
        [token.low for token in tokens[at + cue.size : at + len(name)]] == name[cue.size :]
        for name in names
    )


def _acts(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a participle such as `sent` is the clause's verb here, not a label."""
    if not is_role_verb(tokens[at].low) or not tokens[at].low.endswith(("ed", "t", "en", "de")):
        return False
    if at + 1 == len(tokens):
        return False
    follower = tokens[at + 1]
    return (
        follower.low in PREPOSITIONS
        or follower.kind == "number"
        or (at == 0 and follower.kind == "word" and not follower.function)
    )
