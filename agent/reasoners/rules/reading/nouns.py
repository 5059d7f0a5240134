"""The noun of a question: what is counted, with the words before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    NUMBER_WORDS,
    PREPOSITIONS,
    RELATIVES,
    Token,
    singular,
    word_set,
)
from agent.reasoners.rules.reading.scene import Scene
from agent.reasoners.rules.reading.verbs import verb_like

__all__ = ("PERSONS", "NounPhrase", "read_noun_phrase")

PERSONS: Final = frozenset({"person", "individual", "who", "man", "woman", "someone", "anyone"})
_DISTINCT: Final = word_set("distinct different unique separate")
_SKIPPED: Final = word_set(
    "of all every the these those this our your any each both a an me in total among"
)
_IRREGULAR: Final = word_set("people men women children data criteria staff")

_EXCEPTING: Final = frozenset({"besides", "except", "excluding", "apart"})


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """What is asked for: head, words before, words behind."""

    head: Token | None
    before: tuple[Token, ...]
    after: tuple[Token, ...]
    distinct: bool = False
    k: int | None = None


def read_noun_phrase(tokens: Sequence[Token], scene: Scene) -> NounPhrase:
    """Find the head noun after an opener: the plural before the verb, preposition or relative."""
    if tokens and tokens[0].low == "who":
        return NounPhrase(tokens[0], (), tuple(tokens[1:]))
    at, distinct, k = 0, False, None
    while at < len(tokens) and _skipped(tokens[at]):
        distinct = distinct or tokens[at].low in _DISTINCT
        k = _cardinal(tokens[at]) or k
        at += 1
    head = _head(tokens, at, scene)
    if head is None:
        return NounPhrase(None, (), tuple(tokens[at:]), distinct, k)
    first = head
    while first - 2 >= at and tokens[first - 1].text == "-" and len(tokens[first - 2].text) == 1:
        first -= 2
    text = scene.words(tokens[first : head + 1])
    noun = Token(text, tokens[first].start, tokens[head].end, "word")
    return NounPhrase(noun, tuple(tokens[at:first]), tuple(tokens[head + 1 :]), distinct, k)


def _skipped(token: Token) -> bool:
    return token.low in _SKIPPED or token.low in _DISTINCT or _cardinal(token) is not None


def _cardinal(token: Token) -> int | None:
    if token.kind == "number" and token.text.isdigit() and len(token.text) < 4:
        return int(token.text)
    return NUMBER_WORDS.get(token.low) if token.kind == "word" else None


def _head(tokens: Sequence[Token], start: int, scene: Scene) -> int | None:
    last: int | None = None
    at = start
    while at < len(tokens):
        token = tokens[at]
        if _closes(token) and not _inside_label(tokens, start, at, scene):
            break
        if token.kind == "word" and token.low not in CONJUNCTIONS:
            last = at
            if _plural(token) and not _goes_on(tokens, at, scene):
                break
        at += 1
    return last


def _closes(token: Token) -> bool:
    if token.kind in {"paren", "quote"} or token.text in {":", ";", "?", "."}:
        return True
    low = token.low
    return token.kind == "word" and (
        low in AUXILIARIES
        or low in RELATIVES
        or low in DETERMINERS
        or low in PREPOSITIONS
        or low in _EXCEPTING
    )


def _plural(token: Token) -> bool:
    low = token.low
    return low in _IRREGULAR or (singular(token.text) != token.text and len(low) > 3)


def _goes_on(tokens: Sequence[Token], at: int, scene: Scene) -> bool:
    """Tell whether the phrase continues after a plural: `Standards Track PEPs`."""
    rest = tokens[at + 1 :]
    if not rest:
        return False
    if rest[0].text == "-" or rest[0].low in CONJUNCTIONS | {","}:
        return _later_plural(rest, scene)
    if rest[0].kind != "word" or _closes(rest[0]):
        return False
    if _inside_label(tokens, at, at + 1, scene):
        return True
    if tokens[at].capital and rest[0].capital and _later_plural(rest, scene):
        return True
    return _plural(rest[0]) and not verb_like(tokens, at + 1, scene)


def _later_plural(rest: Sequence[Token], scene: Scene) -> bool:
    """Tell whether another plural follows before anything that closes the phrase."""
    for step, token in enumerate(rest[:5]):
        if token.kind == "word" and _closes(token):
            return False
        if token.kind == "word" and _plural(token):
            return not verb_like(rest, step, scene)
        if step and verb_like(rest, step, scene):
            return False
    return False


def _inside_label(tokens: Sequence[Token], start: int, at: int, scene: Scene) -> bool:
    """Tell whether one value of the corpus covers the token `at` and the one before it."""
    for begin in range(max(start, at - 4), at):
        for hit in scene.labels.hits(tokens, begin):
            if begin + hit.size > at and hit.whole:
                return True
    return False
