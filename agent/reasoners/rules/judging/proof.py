"""A place in a passage that proves something, and the words to quote for it."""

import re
from dataclasses import dataclass
from typing import Final

from agent.evidence import Passage

__all__ = ("MOST_WORDS", "Proof", "quote", "sentence_spans")

MOST_WORDS: Final = 60
"""A quote is no longer than this."""

_TOKEN: Final = re.compile(r"\S+")
_CLAUSE: Final = re.compile(r"[^.;!?\n]+(?:\.(?!\s)[^.;!?\n]*)*[.;!?]*")


@dataclass(frozen=True, slots=True)
class Proof:
    """Spans within a passage's text."""

    start: int
    end: int
    """The sentence, or several in a row."""
    anchor: tuple[int, int]
    """The words in it that the proof rests on."""
    strength: float = 1.0


def sentence_spans(passage: Passage) -> tuple[tuple[int, int], ...]:
    """Return the spans of the passage's sentences; cut at stops where none are given."""
    if passage.sentences:
        return tuple(passage.sentences)
    return tuple(found.span() for found in _CLAUSE.finditer(passage.text) if found.group().strip())


def quote(text: str, proof: Proof) -> str:
    """Return the words of the proof, at most 60, verbatim: the sentence, or those at the anchor.

    >>> quote("One. Two three. Four.", Proof(5, 15, (5, 8)))
    'Two three.'
    """
    words = [found.span() for found in _TOKEN.finditer(text, proof.start, proof.end)]
    if not words:
        return text[proof.anchor[0] : proof.anchor[1]]
    if len(words) > MOST_WORDS:
        words = _around(words, proof.anchor)
    return text[words[0][0] : words[-1][1]]


def _around(words: list[tuple[int, int]], anchor: tuple[int, int]) -> list[tuple[int, int]]:
    first = next((n for n, (_, end) in enumerate(words) if end > anchor[0]), 0)
    last = next((n for n, (start, _) in enumerate(words) if start >= anchor[1]), len(words))
    room = max(0, MOST_WORDS - (last - first))
    begin = max(0, min(first - room // 3, len(words) - MOST_WORDS))
    return words[begin : begin + MOST_WORDS]
