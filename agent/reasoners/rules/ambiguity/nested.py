"""B2: a phrase inside a phrase, which can describe the inner noun or the documents."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.reasoners.rules.ambiguity.doubt import Doubt, found, reading
from agent.reasoners.rules.ambiguity.members import names_year
from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    RELATIVES,
    Token,
    word_set,
)
from agent.replies import FoundAmbiguity

__all__ = ("nested",)

_PLACING: Final = word_set("in from at near of by")
_LINKING: Final = word_set("with about on concerning regarding of mentioning describing naming")


@dataclass(frozen=True, slots=True)
class _Nest:
    """A phrase inside a phrase: `with a wheel from 1890`."""

    start: int
    inner: int
    end: int


def nested(doubt: Doubt) -> FoundAmbiguity | None:
    """Find a phrase that can describe the noun before it or the documents themselves."""
    nest = _nest(doubt)
    if nest is None:
        return None
    tokens = doubt.asked
    noun = doubt.between(nest.start + 1, nest.inner)
    phrase = doubt.between(nest.inner, nest.end)
    span = doubt.between(nest.start, nest.end)
    bare = re.sub(r"^(?:an?|the)\s+", "", noun)
    rest = doubt.put(span, doubt.between(nest.start, nest.inner))
    last = tokens[nest.end - 1].text
    date = doubt.date
    if names_year(tokens[nest.inner : nest.end]) and date is not None:
        of_all = doubt.with_clause(rest, f"with {date.name} in {last}")
    else:
        of_all = doubt.with_clause(rest, phrase)
    return found("B2", span, f"“{phrase}” can describe the whole or only {noun}.", [
        reading(f"{phrase}: the whole", of_all),
        reading(f"{phrase}: {bare}", doubt.put(span, f"whose text gives a {bare} {phrase}")),
    ])  # fmt: skip


def _nest(doubt: Doubt) -> _Nest | None:
    tokens = doubt.asked
    for start, token in enumerate(tokens):
        if token.low not in _LINKING or not start:
            continue
        inner = start + 1
        while inner < len(tokens) and _common(tokens[inner]):
            inner += 1
        articled = inner > start + 1 and tokens[start + 1].low in {"a", "an"}
        if not (articled and 1 < inner - start <= 4) or inner + 1 >= len(tokens):
            continue
        if tokens[inner].low in _PLACING and (end := _placed(tokens, inner, doubt)):
            return _Nest(start, inner, end)
    return None


def _common(token: Token) -> bool:
    """Tell whether a word can stand in a common noun's phrase."""
    if token.kind != "word" or token.capital:
        return False
    closed = PREPOSITIONS | AUXILIARIES | RELATIVES | {"and"}
    return token.low in {"a", "an"} or token.low not in closed


def _placed(tokens: Sequence[Token], at: int, doubt: Doubt) -> int:
    """Return where a year or a value of metadata ends that stands at `at`; else 0."""
    first = at + 1
    while first < len(tokens) and tokens[first].low in DETERMINERS:
        first += 1
    if first >= len(tokens):
        return 0
    if names_year(tokens[at : first + 1]):
        return first + 1 if doubt.date is not None else 0
    hits = [hit for hit in doubt.scene.labels.hits(tokens, first) if hit.whole]
    return first + hits[0].size if hits and tokens[first].capital else 0
