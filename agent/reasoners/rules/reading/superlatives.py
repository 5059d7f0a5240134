"""Superlatives: `the three largest X by Y`, `X with the most Y`, `top 5 X by Y`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    NUMBER_WORDS,
    PREPOSITIONS,
    RELATIVES,
    Token,
)
from agent.reasoners.rules.reading.frame import Frame
from agent.reasoners.rules.reading.nouns import NounPhrase
from agent.reasoners.rules.reading.openers import MOST

__all__ = ("ranked",)

_ADVERBS: Final = frozenset({"longest", "shortest", "highest", "lowest"})
"""Superlatives that may stand behind a verb and measure what it does."""
_FOLLOWING: Final = PREPOSITIONS | AUXILIARIES | {",", "and", "but"}


def ranked(frame: Frame) -> Frame:
    """Read superlatives: `the three largest X by Y`, `X with the most Y`, `top 5 X by Y`."""
    noun = frame.noun
    before = [token.low for token in noun.before]
    leading = next((at for at, word in enumerate(before) if word in MOST), None)
    if leading is not None:
        return _leading(frame, noun, leading)
    if (told := _behind_verb(frame)) is not None:
        return told
    after = [token.low for token in noun.after]
    for at, word in enumerate(after):
        article = at > 0 and after[at - 1] in {"the", "has", "have", "had"}
        if word in MOST and article and not (word in {"most", "least"} and after[at - 1] == "at"):
            end = _phrase_end(noun.after, at + 1)
            start = at - 1
            while start > 0 and after[start - 1] in {
                "with",
                "has",
                "have",
                "had",
                "having",
                "achieved",
            }:
                start -= 1
            kept = (*noun.after[:start], *noun.after[end:])
            return replace(
                frame,
                operation="top_k",
                noun=replace(noun, after=kept),
                measure=noun.after[at + 1 : end],
                k=noun.k or 1,
                ascending=not MOST[word],
            )
    return frame


def _behind_verb(frame: Frame) -> Frame | None:
    """Read `three visits that lasted longest`: a verb with a superlative, and no noun behind it.

    Where only the words before tell a noun from a verb, the verb was read as the noun: `which visit
    lasted the longest`.
    """
    noun, after = frame.noun, frame.noun.after
    at = next((step for step, each in enumerate(after) if each.low in _ADVERBS), None)
    if at is None or frame.operation != "list":
        return None
    if at + 1 < len(after) and after[at + 1].low not in _FOLLOWING:
        return None
    start = at - 1 if at and after[at - 1].low == "the" else at
    if start and not after[start - 1].function:
        start -= 1
        while start > 0 and after[start - 1].low in RELATIVES:
            start -= 1
    elif not start and noun.before:
        noun = replace(noun, head=noun.before[-1], before=noun.before[:-1])
    else:
        return None
    kept = (*after[:start], *after[at + 1 :])
    return replace(
        frame, operation="top_k", noun=replace(noun, after=kept), measure=after[at : at + 1],
        k=noun.k or 1, ascending=not MOST[after[at].low],
    )  # fmt: skip


def _leading(frame: Frame, noun: NounPhrase, at: int) -> Frame:
    word = noun.before[at]
    numbers = [_count(token) for token in noun.before[at : at + 2]]
    after = [token.low for token in noun.after]
    by = next((step for step, low in enumerate(after) if low in {"by", "with"}), None)
    end = len(after) if by is None else _phrase_end(noun.after, by + 1)
    measure = (word,) if by is None else noun.after[by + 1 : end]
    kept = noun.after if by is None else (*noun.after[:by], *noun.after[end:])
    before = tuple(
        token
        for step, token in enumerate(noun.before)
        if step != at and not (step == at + 1 and _count(token))
    )
    plural = noun.head is not None and noun.head.low.endswith("s")
    k = noun.k or next((number for number in numbers if number), None) or (None if plural else 1)
    return replace(
        frame,
        operation="top_k",
        noun=replace(noun, before=before, after=kept),
        measure=measure,
        k=k or 1,
        ascending=not MOST[word.low],
    )


def _count(token: Token) -> int | None:
    if token.kind == "number" and token.text.isdigit():
        return int(token.text)
    return NUMBER_WORDS.get(token.low)


def _phrase_end(tokens: Sequence[Token], start: int) -> int:
    """Return where the noun phrase of a measure ends: before a preposition, verb or mark."""
    at = start
    while at < len(tokens):
        low = tokens[at].low
        if low in PREPOSITIONS - {"of", "to"} or low in {",", "and", "are", "is", "that", "which"}:
            break
        at += 1
    return max(at, start)
