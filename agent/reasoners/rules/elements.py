"""A clause as a row of elements: fields named, values, amounts, negations, joints, other words."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from agent.reasoners.rules.amounts import Bound, read_bound
from agent.reasoners.rules.labels import Cue, Hit, Labels
from agent.reasoners.rules.roles import is_role_verb
from agent.reasoners.rules.words import NEGATIONS, Token, akin

__all__ = ("Element", "Elements", "Joint", "Light", "Negation", "Other", "Values", "read_elements")

_GENERIC: Final = frozenset(
    "header headers field fields metadata value values entry line lines set given listed list "
    "lists listing marked labelled labeled tagged classified categorized categorised stated "
    "specified specify name names named called numbered equal document documents file files "
    "record records include includes including contain contains show shows use uses belong "
    "belongs carry carries there who what which".split()  # noqa: SIM905
)


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


@dataclass(frozen=True, slots=True)
class Light:
    """A word that adds nothing by itself: a function word, the entity's own noun, `header`."""

    role: bool = False
    """Whether it is a verb of making or receiving."""
    noun: bool = False
    """Whether it is the entity's noun."""


@dataclass(frozen=True, slots=True)
class Other:
    """A word with a meaning of its own that metadata does not cover."""


@dataclass(frozen=True, slots=True)
class Element:
    """One element with the tokens it spans."""

    what: Cue | Values | Bound | Joint | Negation | Light | Other
    start: int
    end: int


Elements = Sequence[Element]


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
) -> tuple[Cue | Values | Bound | Joint | Negation | Light | Other, int]:
    token = tokens[at]
    if (bound := read_bound(tokens, at)) is not None:
        return bound, bound.end
    if token.low in {"and", "or", "nor", "but", ","}:
        return Joint(token.low), at + 1
    if token.low in NEGATIONS:
        return Negation(), at + 1
    named = _named(tokens, at, labels)
    noun = any(akin(token.low, each) for each in nouns)
    if named is not None and not (noun and named[1] == at + 1):
        return named
    if noun:
        return Light(noun=True), at + 1
    if token.kind == "word" and is_role_verb(token.low):
        return Light(role=True), at + 1
    if token.kind == "paren" or token.function or token.low in _GENERIC:
        return Light(), at + 1
    return Other(), at + 1


def _named(tokens: Sequence[Token], at: int, labels: Labels) -> tuple[Cue | Values, int] | None:
    """Return the field or the value named here; a value as written beats a field half named."""
    hits = [hit for hit in labels.hits(tokens, at) if not hit.facts.fact]
    cue = labels.cue(tokens, at)
    size = hits[0].size if hits else 0
    exact = any(hit.exact for hit in hits)
    if cue and (cue.size > size or (cue.size == size and (cue.strength == 3 or not exact))):
        return cue, at + cue.size
    return (Values(tuple(hits)), at + size) if hits else None
